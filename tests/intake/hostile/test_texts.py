"""Every hostile text file is read to the last value, or refused in words, in under two seconds."""

from __future__ import annotations

import pytest

from tests.intake.hostile.texts import CASES
from tests.rows import by_rows


@pytest.mark.law
@by_rows("case", CASES, ids=lambda case: case.name)
def test_outcome(case):
    case.check()


def test_there_are_enough():
    assert len(CASES) >= 400
    assert len({case.name for case in CASES}) == len(CASES)
