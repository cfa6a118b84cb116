"""The smallest ε of the lessons: the stored answers are those of the search and of the script."""

import json

import numpy as np
import pytest

from dpviz.lessons import needs
from dpviz.version import __version__

SCRIPT = {
    needs.STAND_IN: {0.2: 0.68, 0.5: 0.31, 1.0: 0.161, 2.0: 0.084, 5.0: 0.035},
    needs.SALARIES: {0.2: 0.70, 0.5: 0.32, 1.0: 0.169, 2.0: 0.085, 5.0: 0.035},
}


@pytest.mark.law
@pytest.mark.parametrize(
    "asked",
    [
        pytest.param((needs.SALARIES, "quartiles", 1.0), marks=pytest.mark.thorough),
        (needs.STAND_IN, "median", 1.0),
        (needs.SALARIES, "median", 1.0),
    ],
)
def test_the_table_is_what_the_search_finds(asked):
    assert needs.searched(*asked) == needs.need(*asked)


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("at", [20, 0, 40])
def test_the_curve_is_what_the_releases_do(at):
    rates = needs.met(needs.STAND_IN, needs.SIZES[at])
    stored = [needs.curve(target)[at] * needs.RUNS / 100 for target in needs.TARGETS]
    assert rates == stored


def test_the_table_is_of_this_version_and_complete():
    table = json.loads(needs.TABLE.read_text(encoding="utf-8"))
    assert table["dpviz"] == __version__
    assert len(table["needs"]) == len(needs.ASKED)
    assert len(table["met"]) == len(needs.SIZES)


@pytest.mark.parametrize("source", SCRIPT)
def test_the_figures_of_the_script(source):
    for target, epsilon in SCRIPT[source].items():
        assert needs.need(source, "deciles", target).epsilon == pytest.approx(epsilon, abs=0.006)


def test_ten_times_the_records_need_a_tenth_of_the_epsilon():
    found = [
        needs.need(f"log-normal {n}", "deciles", 1.0).epsilon for n in (1_500, 15_000, 150_000)
    ]
    assert found == pytest.approx([1.61, 0.161, 0.0162], rel=0.01)


def test_a_curve_crosses_where_the_search_says():
    for target in needs.TARGETS:
        found = needs.need(needs.STAND_IN, "deciles", target).epsilon
        share = np.interp(np.log(found), np.log(needs.SIZES), needs.curve(target))
        assert share == pytest.approx(100 * needs.SURE, abs=1)
