"""Whatever stands in place of one argument, a call works or raises a DpvizError: nothing else.

The calls that must be refused, with their words, are in `wrong_calls.py`.
"""

import copy
import inspect
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

import dpviz as dp
from dpviz.core.errors import InvalidRelease
from tests.rows import by_rows

ANY: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, math.nan, math.inf, 1j, 10**400, 10**5000),
    *("x", b"x", [1, 2], [[1], [1, 2]], {"a": 1}, (), object(), dp.PureDP, dp.Bounds(0, 1)),
    *(np.array([1.0]), np.array("x"), np.datetime64("2020-01-01"), np.float64("nan")),
)
RNG = np.random.default_rng(1)
BOUNDS, BUDGET, DELTA = dp.Bounds(0, 100), dp.PureDP(1), dp.ApproxDP(1, 1e-6)
BOX = dp.Box(BOUNDS, BOUNDS)
COLUMN = dp.Column.from_values(range(20), BOUNDS, 1)
POINTS = dp.Points.from_xy(range(20), range(20), BOX)
GRID = dp.GridCounts(BOX, 2, np.ones((2, 2)))
ASKED = {"column": COLUMN, "quantiles": [0.5], "budget": BUDGET, "rng": RNG}
DRAWN = {"points": POINTS, "budget": BUDGET, "rng": RNG}
QUANTILES = dp.ApproximateQuantiles().release(**ASKED)
TREE = dp.CountTree(2, 3).release(COLUMN, BUDGET, RNG)
PLANE = dp.Quadtree(2).release(**DRAWN)
HILBERT = dp.HilbertTree(2).release(**DRAWN)
CELLS = dp.AdaptiveGrid(10).release(**DRAWN)
ESTIMATE = dp.estimate(PLANE)
CURVE = dp.cdf(TREE)
PREFIXES = dp.PrefixSums(4).release(COLUMN, dp.ZCDP(1), RNG)
BINS = dp.Histogram(bins=4).release(COLUMN, BUDGET, RNG)
RELEASES = (QUANTILES, TREE, PLANE, HILBERT, CELLS, PREFIXES, BINS)
MECHANISMS = (
    *(dp.ApproximateQuantiles(), dp.JointExp(), dp.IndependentExp(), dp.AggTree(4, 2)),
    *(dp.CountTree(2, 3), dp.SanitizedColumn(5), dp.Quadtree(2), dp.KdTree(2), dp.HilbertTree(2)),
    *(dp.KdCell(2, (4, 4)), dp.UniformGrid(4), dp.AdaptiveGrid(10), dp.PrivTree(depth=3)),
    *(dp.CellMedian(16), dp.SampledMedian(), dp.LevelBudget.own([1, 2]), dp.PrefixSums(4)),
    dp.PrefixQuantiles(4, "replace-one", records=20),
    dp.SliceQuantiles(),
)


def own_fields(instance: Any) -> dict[str, Any]:
    return {one.name: getattr(instance, one.name) for one in fields(instance) if one.init}


def calls() -> Iterator[tuple[str, Callable[..., object], dict[str, Any]]]:
    """(name, callable, right arguments)."""
    for data in (BOUNDS, BOX, COLUMN, POINTS, GRID, BUDGET, DELTA, dp.ZCDP(1)):
        yield type(data).__name__, type(data), own_fields(data)
    for made in (*MECHANISMS, *RELEASES, TREE.tree):
        yield type(made).__name__, type(made), own_fields(made)
    for one in MECHANISMS[:4]:
        yield f"{one.name}.release", one.release, ASKED
        yield f"{one.name}.release_many", one.release_many, {**ASKED, "runs": 2}
        yield f"{one.name}.check", one.check, {"budget": BUDGET, "quantiles": [0.5]}
    for one in MECHANISMS[4:6]:
        yield f"{one.name}.release", one.release, {"column": COLUMN, "budget": BUDGET, "rng": RNG}
    for one in MECHANISMS[6:13]:
        yield f"{one.name}.release", one.release, DRAWN
        yield f"{one.name}.check", one.check, {"budget": BUDGET}
    for made in RELEASES:
        yield f"{type(made).__name__}.from_json", type(made).from_json, {"text": "{}"}
    yield from other_calls()


def other_calls() -> Iterator[tuple[str, Callable[..., object], dict[str, Any]]]:
    asked = {"column": COLUMN, "budget": BUDGET, "rng": RNG, "runs": 2}
    step = {"budget": BUDGET, "neighbours": dp.Neighbours.ADD_REMOVE}
    yield "CountTree.release_many", dp.CountTree(2, 3).release_many, asked
    yield "CountTree.tree_noise", dp.CountTree(2, 3).tree_noise, {"budget": BUDGET}
    once = {"column": COLUMN, "budget": dp.ZCDP(1), "rng": RNG}
    yield "PrefixSums.release", dp.PrefixSums(4).release, once
    yield "PrefixSums.release_many", dp.PrefixSums(4).release_many, {**once, "runs": 2}
    yield "PrefixSums.check", dp.PrefixSums(4).check, {"budget": dp.ZCDP(1)}
    quantiles = {**once, "quantiles": [0.5]}
    yield "PrefixQuantiles.release", dp.PrefixQuantiles(4).release, quantiles
    yield (
        "PrefixQuantiles.release_many",
        dp.PrefixQuantiles(4).release_many,
        {**quantiles, "runs": 2},
    )
    pair = {"first": 1, "second": [0, 2]}
    narrow, wide = dp.SliceQuantiles(), {"quantiles": [0.5], "budget": DELTA}
    yield "SliceQuantiles.release", narrow.release, {**ASKED, **wide}
    yield "SliceQuantiles.release_many", narrow.release_many, {**ASKED, **wide, "runs": 2}
    yield "SliceQuantiles.check", narrow.check, wide
    yield "SliceQuantiles.room", narrow.room, {"records": 9, **wide}
    yield "SliceQuantiles.most_quantiles", narrow.most_quantiles, {"records": 9, "budget": DELTA}
    yield (
        "rank_noise",
        dp.SliceQuantiles.rank_noise,
        {"m": 3, "eps_rank": 1.0, "rng": RNG, "runs": 2},
    )
    price = {"eps_rank": 1.0, "half": 2}
    yield (
        "slice_cost",
        dp.SliceQuantiles.cost,
        {**price, "eps_slice": 1.0, "neighbours": "add-remove"},
    )
    yield "slice_delta", dp.SliceQuantiles.delta, {**price, "ranks": [3, 9]}
    places = {"values": [1, 2], "low": 0, "high": 9, "ranks": [1, 2]}
    drawn = {**places, **price, "eps_slice": 1.0, "rng": RNG, "runs": 2}
    yield "slice_draws", dp.SliceQuantiles.draws, drawn
    yield "covariance", PREFIXES.noise.covariance, pair
    yield "range_variance", PREFIXES.noise.range_variance, pair
    yield "ApproximateQuantiles.trace", dp.ApproximateQuantiles().trace, ASKED
    yield "ExponentialMedian.check", dp.ExponentialMedian().check, step
    yield "NoisyMeanMedian.check", dp.NoisyMeanMedian().check, step
    yield "SmoothMedian.check", dp.SmoothMedian().check, {**step, "budget": DELTA}
    yield "from_values", dp.Column.from_values, {"values": [1], "bounds": BOUNDS, "resolution": 0}
    counted = {"values": [1], "counts": [2], "bounds": BOUNDS, "resolution": 1, "missing": 0}
    yield "from_counts", dp.Column.from_counts, counted
    flat = {"box": BOX, "side": 1, "counts": [3], "clipped": 0, "dropped": 0}
    yield "from_flat", dp.GridCounts.from_flat, flat
    yield "from_xy", dp.Points.from_xy, {"x": [1], "y": [1], "box": BOX}
    yield "hybrid", dp.KdTree.hybrid, {"height": 3, "switch": 1}
    yield "square_cells", dp.KdCell.square_cells, {"box": BOX, "columns": 4}
    yield "of_size", dp.KdCell.of_size, {"box": BOX, "size": 1.0}
    yield "geometric", dp.LevelBudget.geometric, {"ratio": 2}
    yield "shares", dp.LevelBudget.uniform().shares, {"height": 3}
    yield "edges", TREE.edges, {"level": 1}
    yield "level_boxes", PLANE.level_boxes, {"level": 1}
    for estimator in (dp.efficient, dp.from_above, dp.from_below):
        yield estimator.__name__, estimator, {"release": TREE}
    yield "cdf", dp.cdf, {"tree": TREE, "step": 1}
    yield "monotone", dp.monotone, {"raw": CURVE, "fit_total": False}
    yield "Cdf", dp.Cdf, own_fields(CURVE)
    yield "curve", CURVE, {"x": [1, 2]}
    for asked_of in (CURVE.below, CURVE.below_error):
        yield asked_of.__name__, asked_of, {"x": 3.5}
    for asked_of in (CURVE.count, CURVE.count_error):
        yield asked_of.__name__, asked_of, {"low": [-20, -20], "high": [300, 300]}
    yield "Cdf.quantile", CURVE.quantile, {"q": [0.5], "beta": 0.1}
    yield "Cdf.quantile_error", CURVE.quantile_error, {"q": 0.5}
    interval = {"curve": CURVE, "tree_noise": TREE.tree_noise, "q": 0.5, "beta": 0.1}
    how = {"sampling": False, "estimator": "raw", "step": 1, "sure": np.ones(9)}
    yield "quantile_interval", dp.quantile_interval, {**interval, **how}
    yield "quantile_interval", dp.quantile_interval, {"curve": TREE, "q": 0.5}
    yield (
        "StructureBudget",
        dp.releases.StructureBudget,
        own_fields(dp.releases.StructureBudget(0.5, 1, [BUDGET])),
    )
    band = {"rng": RNG, "step": 1, "beta": 0.1, "runs": 20}
    yield "cdf_band", dp.cdf_band, {"tree": TREE, **band}
    yield "estimate", dp.estimate, {"release": PLANE}
    yield "prune", dp.prune, {"tree": ESTIMATE, "threshold": 3.0}
    yield "range_counts", dp.range_counts, {"tree": ESTIMATE, "boxes": [0, 1, 0, 1]}
    yield "plot", dp.plot, {"release": TREE}
    yield "from_json", dp.from_json, {"text": "{}"}
    yield (
        "ProfileRelease",
        dp.releases.ProfileRelease,
        {"releases": {"a": QUANTILES}, "spent": BUDGET},
    )
    yield "estimate", dp.estimate, {"release": PREFIXES}
    for measured in (TREE, dp.estimate(TREE), PREFIXES):
        yield "range_counts", dp.range_counts, {"tree": measured, "boxes": [0, 1]}
    yield "read_table", dp.read_table, {"source": b"a,b\n1,2\n", "name": "x.csv"}
    lake = ibis.memtable(pa.table({"x": [1.0, 2.0]}))
    counted = {"table": lake, "column": "x", "bounds": BOUNDS, "resolution": 1}
    yield "count_column", dp.count_column, counted
    yield (
        "count_points",
        dp.count_points,
        {"table": lake, "x": "x", "y": "x", "box": BOX, "side": 2},
    )
    for load in (dp.load_sample, dp.sample_column, dp.sample_points):
        yield load.__name__, load, {"key": "exam"}


CALLS = [(f"{name}({key})", call, right, key) for name, call, right in calls() for key in right]


@pytest.mark.law
@by_rows(("call", "right", "key"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_nothing_but_a_dpviz_error_escapes(call, right, key):
    refused = 0
    for value in ANY:
        try:
            call(**{**right, key: value})
        except dp.DpvizError:
            refused += 1
    assert refused > len(ANY) // 2, "most of these values make no sense anywhere"


def test_a_call_that_lets_another_error_out_is_caught():
    check = inspect.unwrap(test_nothing_but_a_dpviz_error_escapes)
    with pytest.raises(TypeError):
        check(lambda x: [*x], {"x": []}, "x")
    with pytest.raises(AssertionError, match="make no sense"):
        check(lambda x: x, {"x": []}, "x")


def places(stored: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a stored release; of a list only the ends."""
    yield path
    if isinstance(stored, dict):
        for key in stored:
            yield from places(stored[key], (*path, key))
    elif isinstance(stored, list):
        for index in sorted({0, len(stored) - 1} if stored else ()):
            yield from places(stored[index], (*path, index))


def replaced(stored: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(stored)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


STORED = (None, True, -1, 0.5, 1e308, 10**400, "", "x", [], [1], [[]], {}, {"a": [1]}, math.inf)


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.mechanism)
def test_a_damaged_release_is_refused_or_reads_as_one(release):
    stored = json.loads(release.to_json())
    for path in places(stored):
        for value in STORED:
            text = json.dumps(replaced(stored, path, value))
            try:
                again = type(release).from_json(text)
            except InvalidRelease:
                pass
            else:
                assert type(release).from_json(again.to_json()) == again, (path, value)


@by_rows("release", RELEASES, ids=lambda release: release.mechanism)
@by_rows("text", ["", "[", "[" * 200_000, "null", "5", '"x"', "[]", "{}", "NaN"])
def test_a_text_that_is_no_release_is_refused(release, text):
    with pytest.raises(dp.DpvizError, match="not a dpviz"):
        type(release).from_json(text)
