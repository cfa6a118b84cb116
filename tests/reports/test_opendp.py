"""The question to OpenDP: lines that compile and ask for what was released, or a reason."""

import ast
import importlib.util
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import dpviz as dp
from dpviz.reports.opendp import (
    LARGE,
    NO_APPROX,
    NO_LEVELS,
    NO_MAP,
    NO_ROOT,
    NO_SPLIT,
    NO_SUM,
    opendp,
)
from tests.reports.releases import COLUMN, EDGES, NAMES, one
from tests.rows import by_rows

ASKED = (
    "halving", "one by one", "tree quantiles", "tree", "short tree", "count", "bins", "own bins",
)  # fmt: skip
VALUES = np.random.default_rng(1).gamma(4, 8, 2_000).clip(0, 100).tolist()
RELATIONS = ("add-remove", "replace-one")
needs_opendp = pytest.mark.skipif(
    importlib.util.find_spec("opendp") is None, reason="OpenDP is not installed (make peers)"
)


@by_rows("relation", RELATIONS)
@by_rows("notion", ["pure", "zcdp"])
@by_rows("name", ASKED)
def test_the_lines_compile_and_ask_under_the_same_promise(name, notion, relation):
    release = one(name, notion, relation)
    asked = opendp(release)
    assert not asked.reason
    ast.parse(asked.lines)
    assert f"low, high = {release.bounds.low!r}, {release.bounds.high!r}" in asked.lines
    assert f"d_in = {2 if relation == 'replace-one' else 1} " in asked.lines
    assert repr(release.spent.size) in asked.lines
    assert "a further release" in asked.lines


@needs_opendp
@by_rows("relation", RELATIONS)
@by_rows("notion", ["pure", "zcdp"])
@by_rows("name", ASKED)
def test_the_lines_run(name, notion, relation):
    release = one(name, notion, relation)
    lines = opendp(release).lines.replace("values = [...]", "values = VALUES")
    held: dict[str, object] = {"VALUES": VALUES}
    exec(lines, held)
    if "quantiles" in held:
        assert np.abs(np.array(held["release"]) - np.quantile(VALUES, held["quantiles"])).max() < 25
    elif name == "count":
        assert held["release"] == pytest.approx(sum(30 < each < 62.5 for each in VALUES), abs=200)
    elif "bins" in name:
        wanted = np.histogram(VALUES, release.edges)[0]
        assert held["release"] == pytest.approx(wanted.tolist(), abs=200)
    else:
        assert len(held["leaves"]) == release.shape.leaves
        assert sum(held["leaves"]) == pytest.approx(len(VALUES), abs=2_000)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {*ASKED, "running counts", "places"}))
def test_maps_have_a_reason_and_no_lines(name):
    assert opendp(one(name)) == type(opendp(one(name)))(reason=NO_MAP)
    assert opendp(one("places")) == type(opendp(one(name)))(reason=NO_LEVELS)


@pytest.mark.parametrize("name", ASKED)
def test_two_numbers_of_a_promise_have_a_reason(name):
    assert opendp(one(name, "approximate")).reason == NO_APPROX


def test_an_uneven_split_and_a_long_list_have_a_reason():
    bits = dp.SecureBits.fresh
    uneven = dp.CountTree(2, 3, levels=dp.LevelBudget.geometric(1.5))
    assert opendp(uneven.release(COLUMN, dp.PureDP(1), bits())).reason == NO_SPLIT
    fine = dp.Column.from_values([1.0], dp.Bounds(0, 1_000_000), resolution=1)
    release = partial(dp.ApproximateQuantiles().release, fine, [0.5], dp.PureDP(1))
    assert opendp(release(bits())).reason == LARGE


def test_running_counts_sums_and_means_have_a_reason():
    rng, budget = np.random.default_rng(1), dp.PureDP(1)
    assert opendp(one("running counts")).reason == NO_ROOT
    for mechanism in (dp.NoisySum(), dp.NoisyMean(2_000)):
        assert opendp(mechanism.release(COLUMN, budget, rng)).reason == NO_SUM
    assert opendp(replace(one("count"), parameters={})).reason == NO_SUM  # of which values?


@pytest.mark.parametrize(
    ("limits", "counted"),
    [
        ({}, "values"),
        ({"above": 30}, "[one for one in values if one > 30.0]"),
        ({"below": 62.5}, "[one for one in values if one < 62.5]"),
        ({"above": 30, "below": 62.5}, "[one for one in values if one > 30.0 and one < 62.5]"),
    ],
)
def test_a_count_is_asked_for_with_its_thresholds(limits, counted):
    release = dp.NoisyCount(**limits).release(COLUMN, dp.PureDP(0.25), dp.SecureBits.fresh())
    lines = opendp(release).lines
    assert f"counted = {counted}  #" in lines
    assert "then_laplace" in lines
    assert "binary_search_param(at, d_in, 0.25)" in lines
    assert "reckons with 2" not in lines
    assert "reckons with 2" in opendp(one("count", neighbours="replace-one")).lines


@pytest.mark.parametrize(
    ("ends", "asked", "inside"),
    [
        ((0, 30, 100), "[30.0]", "range(0, 2)"),
        ((5, 30, 100), "[5.0, 30.0]", "range(1, 3)"),
        ((0, 30, 99), "[30.0, 99.0]", "range(0, 2)"),
        ((5, 30, 99), "[5.0, 30.0, 99.0]", "range(1, 3)"),
    ],
)
def test_bins_are_asked_for_as_they_clip(ends, asked, inside):
    """A value beyond a bound is in the bin at that end; beyond another edge it is in none."""
    release = dp.Histogram(edges=ends).release(COLUMN, dp.PureDP(0.25), dp.SecureBits.fresh())
    lines = opendp(release).lines
    assert f"edges = {asked}\n" in lines
    assert f"list({inside})" in lines
    assert "binary_search_param(at, d_in, 0.25)" in lines


@pytest.mark.parametrize("name", ["tree", "count", "bins"])
def test_a_promise_in_rho_is_asked_for_with_gaussian_noise(name):
    """OpenDP's Laplace noise would take the number as an ε, whatever noise was drawn here."""
    law = {"noise": "discrete-laplace"}
    made = {"tree": (dp.CountTree, 2, 3), "count": (dp.NoisyCount,), "bins": (dp.Histogram, EDGES)}
    kind, *settings = made[name]
    mechanism = kind(*settings, **law)
    lines = opendp(mechanism.release(COLUMN, dp.ZCDP(0.1), dp.SecureBits.fresh())).lines
    assert "then_gaussian" in lines
    assert "laplace" not in lines


def test_a_column_without_steps_is_given_candidates():
    column = dp.Column.from_values([1.0, 2.0], dp.Bounds(0, 4))
    release = dp.ApproximateQuantiles().release(column, [0.5], dp.ZCDP(1), dp.SecureBits.fresh())
    lines = opendp(release).lines
    assert "range(1001)" in lines
    assert re.search(r"measure = dp\.zero_concentrated_divergence\(\)", lines)
