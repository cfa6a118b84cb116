"""Every hostile workbook is read to the last value or refused in words, without a cell in them."""

from __future__ import annotations

import time

import pytest

from tests.intake.hostile.books import BOMB, CASES, SECRET

WALL = 20  # seconds: a process is started for each


@pytest.mark.few(2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_outcome(case, capfd):
    start = time.monotonic()
    said = case.check()
    assert time.monotonic() - start < WALL
    assert capfd.readouterr() == ("", "")
    assert not any(SECRET in words or "root:" in words for words in said)  # no cell


@pytest.mark.thorough  # one that only says so is among those of test_workbooks
def test_a_bomb_is_refused_by_its_directory():
    BOMB.check()
