"""The CDF of a tree, smoothing, and what is read from it (dpviz/estimators/trees/cdf.py)."""

import itertools

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter, InvalidQuantiles
from dpviz.estimators.trees.cdf import cdf_of_levels, monotone
from dpviz.estimators.trees.curve import (
    Cdf,
    cdf_mean,
    cdf_mode,
    cdf_quantiles,
    cdf_range,
    cdf_variance,
    counts_below,
)
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import running_counts
from tests.estimators.trees.test_quantiles import slow_quantile
from tests.estimators.trees.test_tree import random_levels

BOUNDS = Bounds(-3, 9)


def poster(values):
    """v'_k = min_{j≥k} max_{i≤j} mean(v_i..v_j), the poster's formula as it stands."""
    n = len(values)
    return [
        min(max(np.mean(values[i : j + 1]) for i in range(j + 1)) for j in range(k, n))
        for k in range(n)
    ]


@pytest.mark.parametrize("step", [1, 2, 5, 27])
@pytest.mark.parametrize("total", [None, 30.0])
def test_a_cdf_is_the_running_counts_at_its_edges(rng, step, total):
    levels = random_levels(rng, 3, 3, "level", batch=(2,))
    curve = cdf_of_levels(levels, BOUNDS, total, step=step)
    kept = sorted({*range(0, 27, step), 27})
    np.testing.assert_array_equal(curve.counts, running_counts(levels, total)[:, kept])
    np.testing.assert_array_equal(curve.edges, levels.shape.edges(BOUNDS)[kept])
    assert curve.edges[[0, -1]].tolist() == [-3, 9]
    assert total is None or (curve.total == total).all()


@pytest.mark.parametrize("fit_total", [False, True])
@pytest.mark.parametrize("public", [False, True])
def test_smoothing_is_the_posters_formula_clipped(rng, public, fit_total):
    raw = np.cumsum(rng.normal(0.3, 2, (6, 14)), axis=1)
    raw = np.concatenate([np.zeros((6, 1)), raw], axis=1)
    raw[:, -1] = np.abs(raw[:, -1]) if public else raw[:, -1]
    curve = Cdf(np.arange(15.0), raw, public_total=public)
    smooth = monotone(curve, fit_total=fit_total)
    assert smooth.monotone
    for row, mine in zip(raw, smooth.counts, strict=True):
        whole = fit_total and not public
        fitted = poster(row[1:]) if whole else [*poster(row[1:-1]), row[-1]]
        expected = np.clip(fitted, 0, max(fitted[-1], 0))
        np.testing.assert_allclose(mine[1:], expected, atol=1e-9)
        assert mine[0] == 0
        assert (np.diff(mine) >= 0).all()
    np.testing.assert_array_equal(curve.counts, raw)


def test_an_estimated_total_is_best_left_alone(rng):
    """A flat tail of noisier counts pulls a fitted n̂ up; smoothing below it costs nothing."""
    truth = np.concatenate([np.linspace(0, 500, 20), np.full(40, 500.0)])
    noise = rng.normal(0, 30, (2000, 60)) * np.append(np.ones(59), 0.3)
    noise[:, 0] = 0
    raw = Cdf(np.arange(60.0), truth + noise)
    kept, fitted = (monotone(raw, fit_total=fit) for fit in (False, True))
    np.testing.assert_array_equal(kept.total, raw.total)
    errors = [np.abs(curve.total - 500).mean() for curve in (kept, fitted)]
    assert errors[1] > 1.5 * errors[0]


def test_rows_far_apart_are_smoothed_as_if_alone(rng):
    rows = rng.normal(0, 1, (4, 30)) * np.array([[1], [1e3], [1e6], [1]]) + np.array(
        [[0], [-1e6], [1e6], [3]]
    )
    together = monotone(Cdf(np.arange(30.0), rows))
    for row, mine in zip(rows, together.counts, strict=True):
        alone = monotone(Cdf(np.arange(30.0), row))
        np.testing.assert_allclose(mine, alone.counts, atol=1e-8)


@pytest.mark.parametrize("fit_total", [False, True])
@pytest.mark.parametrize("public", [False, True])
def test_smoothing_never_widens_the_largest_error(rng, public, fit_total):
    """Why a simultaneous band stays valid; the pointwise error of some points does grow."""
    truth = np.concatenate([[0.0], np.cumsum(rng.poisson(2, 40))])
    noise = rng.normal(0, 8, (400, 41))
    noise[:, 0] = 0
    if public:
        noise[:, -1] = 0
    raw = Cdf(np.arange(41.0), truth + noise, public_total=public)
    smooth = monotone(raw, fit_total=fit_total)
    before, after = np.abs(raw.counts - truth), np.abs(smooth.counts - truth)
    assert (after.max(axis=1) <= before.max(axis=1) + 1e-9).all()
    assert (after > before + 1).any()


def test_edges_of_smoothing():
    one = monotone(Cdf(np.array([0.0, 1.0]), np.array([0.0, -4.0])))
    assert one.counts.tolist() == [0, 0]
    known = monotone(Cdf(np.array([0.0, 1.0]), np.array([0.0, 7.0]), public_total=True))
    assert known.counts.tolist() == [0, 7]
    nobody = monotone(Cdf(np.arange(4.0), np.array([0.0, 5, -5, 0]), public_total=True))
    assert nobody.counts.tolist() == [0, 0, 0, 0]


def test_readings_are_those_of_records_spread_in_their_bins(rng):
    counts = rng.integers(0, 5, 9)
    edges = np.sort(rng.uniform(0, 10, 10))
    curve = Cdf(edges, np.concatenate([[0.0], np.cumsum(counts)]))
    parts = 4000  # points a record is split into
    places = (np.arange(parts) + 0.5) / parts
    points = [a + (b - a) * places for a, b in itertools.pairwise(edges)]
    spread = np.concatenate([np.tile(at, count) for at, count in zip(points, counts, strict=True)])
    assert cdf_mean(curve) == pytest.approx(spread.mean())
    assert cdf_variance(curve) == pytest.approx(spread.var(), rel=1e-5)
    densest = np.argmax(counts / np.diff(edges))
    assert cdf_mode(curve) == pytest.approx((edges[densest] + edges[densest + 1]) / 2)
    low, high = edges[2] + 0.1 * (edges[3] - edges[2]), edges[6]
    inside = np.count_nonzero((spread >= low) & (spread < high)) / parts
    assert cdf_range(curve, [low], [high])[0] == pytest.approx(inside, abs=1e-2)
    assert counts_below(curve, [-1e9, 1e9]).tolist() == [0, counts.sum()]


def test_quantiles_are_in_the_order_asked(rng):
    best = efficient_levels(random_levels(rng, 2, 5, "level"))
    curve = monotone(cdf_of_levels(best, BOUNDS))
    asked = [0.9, 0.1, 0.5, 0.9]
    values = cdf_quantiles(curve, asked)
    if curve.total > 0:
        expected = [slow_quantile(curve.counts, curve.edges, q) for q in asked]
        np.testing.assert_allclose(values, expected, atol=1e-9)
    assert values[0] == values[3]
    with pytest.raises(InvalidQuantiles):
        cdf_quantiles(curve, [1.0])


def test_nobody_has_no_mean():
    empty = Cdf(np.arange(3.0), np.zeros((2, 3)))
    assert np.isnan(cdf_mean(empty)).all()
    assert np.isnan(cdf_variance(empty)).all()
    assert cdf_quantiles(empty, [0.5]).tolist() == [[1.0], [1.0]]


@pytest.mark.parametrize("step", [0, -1, 28])
def test_impossible_steps_are_refused(rng, step):
    with pytest.raises(InvalidParameter, match="step"):
        cdf_of_levels(random_levels(rng, 3, 3, "level"), BOUNDS, step=step)


def test_leaves_without_width_are_no_trouble():
    """Bounds two doubles wide have leaves whose edges coincide."""
    low = 1.0
    high = np.nextafter(np.nextafter(low, 2), 2)
    edges = np.minimum(low + (high - low) * np.arange(9) / 8, high)
    curve = Cdf(edges, np.arange(9.0))
    assert np.isfinite(counts_below(curve, edges)).all()
