"""Every hostile workbook is read to the last value or refused in words, without a cell in them."""

from __future__ import annotations

import time

import pytest

from dpviz.core.errors import DpvizError
from dpviz.intake.read import read_table
from tests.intake.hostile.books import BOMB, CASES, SECRET

WALL = 20  # seconds: a process is started for each


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_outcome(case, capfd):
    start = time.monotonic()
    case.check()
    assert time.monotonic() - start < WALL
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_cell_is_said(case):
    try:
        table = read_table(case.bytes, case.file)
    except DpvizError as error:
        said = [str(error)]
    else:
        said = [*table.notes, table.how, table.first_row, *(one.name for one in table.columns)]
    assert not any(SECRET in words or "root:" in words for words in said)


@pytest.mark.law
def test_a_bomb_is_refused_by_its_directory():
    BOMB.check()
