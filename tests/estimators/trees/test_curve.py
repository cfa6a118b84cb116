"""Numbers read from a curve, against plain loops, and their errors against dense algebra."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees import curve as curve_module
from dpviz.estimators.trees.cdf import cdf, cdf_of_levels, monotone
from dpviz.estimators.trees.curve import Cdf, QuantileInterval
from dpviz.estimators.trees.least_squares import estimated
from dpviz.estimators.trees.quantile_intervals import quantile_interval, target_errors
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from tests.estimators.trees.twins import with_public_total

BOUNDS = Bounds(-4, 60)
VALUES = np.random.default_rng(3).gamma(3, 8, 5_000).clip(-4, 59)
COLUMN = Column.from_values(VALUES, BOUNDS, 0)
X = np.array([[-9.0, -4.0, 3.3], [17.0, 60.0, np.inf]])
QS = np.array([0.1, 0.5, 0.77])
PUBLIC = {"neighbours": Neighbours.REPLACE_ONE, "root": Root.PUBLIC, "records": COLUMN.n}
TREES = {
    "released": CountTree(2, 4),
    "sum, one level left out": CountTree(2, 4, LevelBudget.own([0, 1, 0, 1, 2]), root=Root.SUM),
    "public": CountTree(4, 2, **PUBLIC),
}


def curves():
    """(name, curve, covariance of its counts (t + 1, t + 1) from dense algebra)."""
    for name, tree in TREES.items():
        release = tree.release(COLUMN, ZCDP(0.02), np.random.default_rng(1))
        for reading in (TreeEstimator.RAW, TreeEstimator.EFFICIENT):
            for step in (1, 3):
                curve = cdf(estimated(release, reading), step=step)
                spread = dense_tree(release.levels, release.total, reading, step)
                yield f"{name}, {reading}, {step}", curve, spread
    for public in (False, True):
        neighbours = Neighbours.REPLACE_ONE if public else Neighbours.ADD_REMOVE
        sums = PrefixSums(11, neighbours).release(COLUMN, ZCDP(0.02), np.random.default_rng(1))
        sums = with_public_total(sums, COLUMN.n) if public else sums
        for step in (1, 4):
            yield f"running counts, {public}, {step}", cdf(sums, step=step), dense_sums(sums, step)


def dense_tree(levels, total, reading, step):
    """J diag(σ²) Jᵀ, J being what a unit of noise in each node does to the counts."""
    units = np.eye(sum(level.size for level in levels.counts))
    places = np.cumsum([0] + [level.size for level in levels.counts])
    counts = tuple(units[:, low:high] for low, high in pairwise(places))
    known = None if total is None else 0.0
    applied = reading.apply(Levels(levels.fanout, counts, levels.variances), known)
    moved = cdf_of_levels(applied, BOUNDS, known, step=step).counts
    each = np.concatenate([levels.node_variances(at) for at in range(len(levels.counts))])
    moved, each = moved[np.isfinite(each)], each[np.isfinite(each)]
    return moved.T @ (each[:, None] * moved)


def dense_sums(release, step):
    kept = np.append(np.arange(0, release.bins, step), release.bins)
    return release.noise.covariance(kept[:, None], kept)


CURVES = [(curve, spread) for _, curve, spread in curves()]
NAMES = [name for name, *_ in curves()]
every = pytest.mark.parametrize(("curve", "spread"), CURVES, ids=NAMES)


def gradient(curve, read):
    """How a number moves with each running count, by central differences; shape (..., t + 1)."""
    columns = []
    for at in range(curve.counts.size):
        unit = np.zeros(curve.counts.size)
        unit[at] = 1e-3
        more, less = (read(replace(curve, counts=curve.counts + sign * unit)) for sign in (1, -1))
        columns.append((np.asarray(more) - np.asarray(less)) / 2e-3)
    return np.stack(columns, axis=-1)


def dense_error(curve, spread, read):
    slope = gradient(curve, read)
    return np.sqrt(np.maximum(np.einsum("...i,ij,...j->...", slope, spread, slope), 0))


@every
def test_errors_of_counts_are_those_of_dense_algebra(curve, spread):
    """Twin: counts at two values taken as independent."""
    close = {"rtol": 1e-6, "atol": 1e-6}
    expected = dense_error(curve, spread, lambda one: one.below(X))
    np.testing.assert_allclose(curve.below_error(X), expected, **close)
    low, high = X, X + 11
    expected = dense_error(curve, spread, lambda one: one.count(low, high))
    np.testing.assert_allclose(curve.count_error(low, high), expected, **close)
    apart = np.hypot(curve.below_error(low), curve.below_error(high))
    assert not np.allclose(curve.count_error(low, high), apart, rtol=0.02)


@every
def test_errors_of_mean_and_variance_are_those_of_dense_algebra_to_first_order(curve, spread):
    mean, variance = curve.mean_error(), curve.variance_error()
    assert mean == pytest.approx(dense_error(curve, spread, Cdf.mean), rel=1e-5)
    assert variance == pytest.approx(dense_error(curve, spread, Cdf.variance), rel=1e-5)


@pytest.mark.few(8)
@every
def test_the_error_of_a_quantile_is_half_the_way_between_two_crossings(curve, spread):
    """The crossings are looked for on a fine grid."""
    grid = np.linspace(curve.edges[0], curve.edges[-1], 200_001)
    heights = np.maximum.accumulate(np.interp(grid, curve.edges, curve.counts))
    for q, error, value in zip(QS, curve.quantile_error(QS), curve.quantile(QS), strict=True):
        weights = gradient(curve, lambda one, at=value, share=q: one.below(at) - share * one.total)
        aside = float(np.sqrt(weights @ spread @ weights))
        middle = curve.below(value)
        low, high = (grid[np.searchsorted(heights, middle + side)] for side in (-aside, aside))
        assert error == pytest.approx((high - low) / 2, rel=2e-3, abs=4e-4)


@every
def test_errors_behind_an_interval_are_those_of_dense_algebra(curve, spread):
    """Of Ĉ_t − q N̂ at every edge; a public N included."""
    how, q = curve.errors, 0.3
    weights = np.eye(curve.counts.size)
    weights[:, -1] -= q
    expected = np.sqrt(np.maximum(np.einsum("ti,ij,tj->t", weights, spread, weights), 0))
    found = target_errors(how.noise, q, estimator=how.estimator, step=how.step)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(how.linear_error(weights), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.few(3, 7)
@every
def test_a_quantile_has_the_interval_of_its_noise(curve, spread):
    how = curve.errors
    found = curve.quantile(QS, beta=0.1)
    assert isinstance(found, QuantileInterval)
    np.testing.assert_array_equal(found.value, curve.quantile(QS))
    for q, low, high in zip(QS, found.low, found.high, strict=True):
        asked = {"estimator": how.estimator, "step": how.step}
        assert (low, high) == quantile_interval(curve, how.noise, float(q), 0.1, **asked)
        assert curve.quantile(q, 0.1)[1:] == (low, high)
    assert (found.low < found.high).all()
    wide = curve.quantile(0.5, beta=1e-6 if hasattr(how.noise, "bins") else 0.001)
    assert wide.low <= found.low[1] <= found.high[1] <= wide.high


@every
def test_counts_are_interpolated_between_edges(curve, spread):
    expected = np.interp(X, curve.edges, curve.counts)
    for found in (curve(X), curve.below(X)):
        assert found.shape == X.shape
        np.testing.assert_allclose(found, expected)
    assert type(curve(17)) is float
    assert curve(17) == pytest.approx(np.interp(17, curve.edges, curve.counts))
    assert (curve(-4), curve(60)) == (0, curve.total)
    np.testing.assert_allclose(curve.count(X, X + 30), curve(X + 30) - curve(X))
    np.testing.assert_allclose(curve.count(3, [4, 9]), curve([4, 9]) - curve(3))


def test_numbers_are_those_of_records_spread_between_edges():
    curve = Cdf(np.array([0.0, 1.0, 3.0, 4.0]), np.array([0.0, 4.0, 6.0, 10.0]))
    records = np.concatenate(
        [(np.arange(n * 1000) + 0.5) / (n * 1000) * width + low
         for n, low, width in ((4, 0, 1), (2, 1, 2), (4, 3, 1))]
    )  # fmt: skip
    assert curve.mean() == pytest.approx(records.mean())
    assert curve.variance() == pytest.approx(records.var())
    assert curve.quantile(0.3) == pytest.approx(np.quantile(records, 0.3), abs=1e-3)
    assert curve.mode() == 0.5
    assert curve.count(0.5, 3.5) == pytest.approx(((records >= 0.5) & (records < 3.5)).sum() / 1000)


def test_curves_of_several_runs_are_read_together():
    counts = np.cumsum(np.random.default_rng(1).uniform(1, 5, (2, 3, 9)), axis=-1)
    counts[..., 0] = 0
    curves = Cdf(np.arange(9.0), counts)
    for at in np.ndindex(2, 3):
        one = Cdf(curves.edges, counts[at])
        for read in (Cdf.mean, Cdf.variance, Cdf.mode):
            assert read(curves)[at] == pytest.approx(read(one), rel=1e-12)
        np.testing.assert_allclose(
            curves.quantile([[0.2], [0.4]])[at], one.quantile([[0.2], [0.4]])
        )
        np.testing.assert_allclose(curves.below(3.3)[at], one.below(3.3))
        np.testing.assert_allclose(curves.count([1, 2], 5)[at], one.count([1, 2], 5))
    assert curves.quantile(0.5).shape == (2, 3)
    with pytest.raises(InvalidParameter, match="not known"):
        curves.mean_error()


def test_nobody_has_no_mean_and_no_error():
    release = CountTree(2, 3).release(COLUMN, ZCDP(0.02), np.random.default_rng(1))
    known = cdf(release)
    empty = replace(known, counts=np.zeros(9))
    for number in (empty.mean(), empty.mean_error(), empty.variance_error()):
        assert np.isnan(number)
    assert np.isnan(empty.quantile_error([0.5, 0.6])).all()
    assert empty.below_error(3) == known.below_error(3)


def test_a_smoothed_curve_keeps_its_errors_but_has_no_interval():
    release = CountTree(2, 3).release(COLUMN, ZCDP(0.02), np.random.default_rng(1))
    raw = cdf(release)
    smooth = monotone(raw)
    assert smooth.below_error(20) == raw.below_error(20)
    with pytest.raises(InvalidParameter, match="smoothed"):
        smooth.quantile(0.5, beta=0.1)


@pytest.mark.parametrize("reading", [TreeEstimator.FROM_BELOW, TreeEstimator.FROM_ABOVE])
def test_other_readings_have_no_errors(reading):
    release = CountTree(2, 3).release(COLUMN, ZCDP(0.02), np.random.default_rng(1))
    curve = cdf(estimated(release, reading))
    assert 0 < curve.quantile(0.5) < 60
    for ask in (
        curve.mean_error,
        curve.variance_error,
        lambda: curve.below_error(1),
        lambda: curve.count_error(1, 2),
        lambda: curve.quantile_error(0.5),
        lambda: curve.quantile(0.5, beta=0.1),
    ):
        with pytest.raises(InvalidParameter, match="not known"):
            ask()


def test_no_values_have_no_errors_and_many_are_worked_on_in_pieces(monkeypatch):
    known = cdf(CountTree(2, 3).release(COLUMN, ZCDP(0.5), np.random.default_rng(1)))
    for empty in (known.below_error([]), known.count_error([], [])):
        assert empty.shape == (0,)
    at, shares = np.linspace(-4, 60, 31), np.linspace(0.01, 0.99, 31)
    whole = known.below_error(at), known.quantile_error(shares)
    monkeypatch.setattr(curve_module, "ELEMENTS", 40)
    np.testing.assert_array_equal(known.below_error(at), whole[0])
    np.testing.assert_array_equal(known.quantile_error(shares), whole[1])
