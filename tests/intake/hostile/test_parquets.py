"""Every hostile Parquet file is read to the last value, or refused in words."""

from __future__ import annotations

import re
import time

import pytest

from dpviz.core.errors import DpvizError, UnreadableFile
from dpviz.intake.read import read_table
from tests.intake.hostile.cases import SECONDS, check_message
from tests.intake.hostile.parquets import cases, good, mutant
from tests.rows import by_rows

MUTANTS = 400
REASONS = re.compile("damaged Parquet|its end is missing|unpacks to|no rows|only columns|at most")


@pytest.mark.law
@by_rows("case", cases, ids=lambda case: case.name)
def test_outcome(case):
    case.check()


def outcome(data: bytes) -> str:
    """'refused' for one of the known reasons, or 'read' with columns that agree."""
    start = time.process_time()
    try:
        table = read_table(data, "rows.parquet")
    except UnreadableFile as error:
        check_message(str(error), "rows.parquet")
        return "refused" if REASONS.search(str(error)) else str(error)
    for info in table.columns:
        try:
            column = table.numeric_values(info.name, drop_unreadable=True)
        except DpvizError as error:
            check_message(str(error))
        else:
            assert column.values.shape == (table.rows,)
            assert (column.missing, column.unreadable) == (info.missing, info.not_numeric)
    assert time.process_time() - start < SECONDS
    return "read"


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("start", range(0, MUTANTS, 50))
def test_mutants_are_read_or_refused(start):
    outcomes = [outcome(mutant(seed)) for seed in range(start, start + 50)]
    assert {"read", "refused"} == set(outcomes)  # the damage bites, and not only in the footer


def test_what_was_mutated_is_read_whole():
    assert all(outcome(good(seed)) == "read" for seed in range(5))
