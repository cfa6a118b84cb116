"""The table of PSD's statements: complete, and it says of each whether it holds."""

from functools import cache

import pytest

from benchmarks._claims import CLAIMS
from benchmarks._psd_table import FINDINGS, HEADERS, OTHERWISE, psd_rows
from benchmarks._statements import STATEMENTS
from dpviz.experiments.papers.stored.record import record


@cache
def lines():
    return list(psd_rows(record()))


@pytest.mark.law
def test_every_claim_of_every_figure_has_a_line():
    found = lines()
    keys = [key for key in FINDINGS if key in CLAIMS]
    assert set(OTHERWISE) == set(FINDINGS) == set(keys)
    others = set(CLAIMS) - set(keys)  # of AQ: their lines are rows of the bench's own
    assert others == {one.key for one in STATEMENTS} - {"manohar1", "manohar2"}
    assert [one.printed for one in found] == [claim for key in keys for claim in CLAIMS[key]]
    assert all(len(one.cells) == len(HEADERS) for one in found)
    assert {one.holds for one in found} == {True, False}


@pytest.mark.law
def test_what_was_measured_stands_once_a_figure_without_marks():
    found = lines()
    assert sum(bool(one.measured) for one in found) == len(OTHERWISE)
    assert not any(mark in one.measured for one in found for mark in "{}[")


@pytest.mark.law
def test_equal_settings_are_said_to_be_equal():
    same = {one.figure for one in lines() if one.cells[-1] == "yes"}
    assert same == {"PSD Fig. 2", "Honaker Fig. 4"}
