"""Standard errors of readings and bands of the CDF, by algebra and by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.band import noise_band, simulated_errors
from dpviz.estimators.trees.cdf import cdf_of_levels, monotone
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.cdf_summary import range_reading, summary
from dpviz.estimators.trees.curve import Cdf, cdf_mean, cdf_quantiles, cdf_variance
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from tests.rows import by_rows
from tests.statistics import clopper_pearson

RAW, EFFICIENT = TreeEstimator.RAW, TreeEstimator.EFFICIENT
BOUNDS = Bounds(0, 64)


def tree_noise(root=Root.RELEASED, fanout=2, height=4, left_out=(), law=Noise.GAUSSIAN):
    scales = [1.0 + 0.5 * level for level in range(height + 1)]
    for level in left_out:
        scales[level] = math.inf
    if root is not Root.RELEASED:
        scales[0] = math.inf
    return TreeNoise(fanout, law, tuple(scales), root)


NOISES = [
    tree_noise(),
    tree_noise(Root.SUM),
    tree_noise(Root.PUBLIC),
    tree_noise(left_out=(1, 3)),
    tree_noise(Root.SUM, left_out=(1,)),
    tree_noise(fanout=3, height=3, root=Root.PUBLIC, left_out=(2,)),
    tree_noise(height=0),
]


def dense_reading(noise, estimator):
    """The running counts as a matrix on all noisy counts, by feeding unit vectors."""
    sizes = [noise.shape.nodes(level) for level in range(noise.shape.height + 1)]
    units = np.eye(sum(sizes))
    parts = np.split(units, np.cumsum(sizes)[:-1], axis=1)
    levels = Levels(noise.fanout, tuple(parts), noise.variances)
    running = running_counts(estimator.apply(levels, noise.total), noise.total)
    variance = np.repeat([float(v) for v in noise.variances], sizes)
    return running, np.where(np.isfinite(variance), variance, 0.0)


@by_rows("estimator", [RAW, EFFICIENT])
@by_rows("noise", NOISES, ids=str)
def test_errors_of_running_counts_are_those_of_dense_algebra(rng, noise, estimator):
    running, variance = dense_reading(noise, estimator)
    covariance = running.T @ (variance[:, None] * running)
    errors = CdfErrors(noise, estimator)
    np.testing.assert_allclose(
        errors.running_errors() ** 2, np.diag(covariance), rtol=1e-9, atol=1e-12
    )
    weights = rng.normal(size=(3, running.shape[1]))
    expected = np.einsum("qi,ij,qj->q", weights, covariance, weights)
    np.testing.assert_allclose(errors.linear_error(weights) ** 2, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("estimator", [RAW, EFFICIENT])
@pytest.mark.parametrize("noise", NOISES[:3], ids=str)
def test_a_coarser_step_reads_the_same_counts(rng, noise, estimator):
    kept = [0, 3, 6, 9, 12, 15, 16]
    fine, coarse = CdfErrors(noise, estimator), CdfErrors(noise, estimator, step=3)
    np.testing.assert_allclose(coarse.running_errors(), fine.running_errors()[kept])
    weights = rng.normal(size=7)
    spread = np.zeros(17)
    spread[kept] = weights
    assert coarse.linear_error(weights) == pytest.approx(float(fine.linear_error(spread)))


def test_other_readings_have_no_exact_errors():
    with pytest.raises(InvalidParameter, match="Simulate a band"):
        CdfErrors(tree_noise(), TreeEstimator.FROM_BELOW)


@pytest.mark.few(3)
@pytest.mark.parametrize("estimator", [RAW, EFFICIENT])
@pytest.mark.parametrize("root", Root)
def test_standard_errors_of_the_summary_are_seen_in_simulations(rng, root, estimator):
    """Raw CDFs over many records: deviations over 4,000 runs, within a tenth of what is stated.

    The relative error of a standard deviation is 1/√8000; a tenth is 9 of them. First-order errors
    are as good as that at a noise of a percent.
    """
    noise = tree_noise(root, height=4)
    leaves = 1000.0 * np.array([1, 2, 4, 7, 9, 12, 15, 16, 16, 14, 12, 9, 6, 4, 2, 1])
    truth = tuple(leaves.reshape(2**level, -1).sum(axis=1) for level in range(5))
    drawn = noise.simulate(4000, rng)
    counts = tuple(10 * noisy + exact for noisy, exact in zip(drawn.counts, truth, strict=True))
    scaled = TreeNoise(2, noise.noise, tuple(10 * s for s in noise.scales), root)
    total = leaves.sum() if root is Root.PUBLIC else None
    levels = Levels(2, counts, scaled.variances)
    curves = cdf_of_levels(estimator.apply(levels, total), BOUNDS, total)
    exact = Cdf(curves.edges, np.concatenate([[0.0], np.cumsum(leaves)]))
    errors = CdfErrors(scaled, estimator)
    values = {
        "N": curves.total,
        "mean": cdf_mean(curves),
        "variance": cdf_variance(curves),
        "median": cdf_quantiles(curves, [0.5])[:, 0],
        "0.1 quantile": cdf_quantiles(curves, [0.1])[:, 0],
    }
    readings = {reading.name: reading for reading in summary(exact, errors, [0.1])}
    for name, drawn_values in values.items():
        seen = drawn_values.std()
        assert readings[name].standard_error == pytest.approx(seen, rel=0.1, abs=1e-9), name
        assert readings[name].value == pytest.approx(drawn_values.mean(), abs=5 * seen / 60 + 1e-9)
    inside = range_reading(exact, errors, 10, 33)
    seen = np.diff(np.stack([_below(curves, 10), _below(curves, 33)]), axis=0).std()
    assert inside.standard_error == pytest.approx(seen, rel=0.1)
    assert readings["mode"].standard_error is None


def _below(curves, value):
    return np.array([np.interp(value, curves.edges, row) for row in curves.counts])


def test_nobody_has_a_summary_without_errors():
    noise = tree_noise()
    empty = Cdf(noise.shape.edges(BOUNDS), np.zeros(17))
    readings = {reading.name: reading for reading in summary(empty, CdfErrors(noise))}
    assert readings["N"].standard_error > 0
    for name in ("mean", "variance", "median", "0.25 quantile"):
        assert readings[name].standard_error is None


@pytest.mark.law
@by_rows("estimator", TreeEstimator)
@by_rows("noise", NOISES, ids=str)
def test_the_band_of_gaussian_noise_is_known(rng, noise, estimator):
    """Pointwise α over the exact deviation is 1.96; 4,000 runs tell it to 4 %, false alarm 1e-9.

    The share of |z| below α of a fresh law is Beta; its deviation .0034 allows 6.1 of them.
    """
    running, variance = dense_reading(noise, estimator)
    exact = np.sqrt((variance[:, None] * running**2).sum(axis=0))
    band = noise_band(noise, estimator, rng, runs=4000)
    known = exact > 1e-9
    np.testing.assert_allclose(band.pointwise[~known], 0, atol=1e-9)
    inside = 2 * stats.norm.cdf(band.pointwise[known] / exact[known]) - 1
    spread = math.sqrt(0.95 * 0.05 / 4000)
    assert np.abs(inside - 0.95).max(initial=0) < 6.8 * spread  # 1e-9 over 28 points
    assert band.simultaneous >= band.pointwise.max(initial=0) * 0.999
    wrong = 2 * stats.norm.cdf(0.8 * band.pointwise[known] / exact[known]) - 1
    assert not known.any() or np.abs(wrong - 0.95).max() > 6.8 * spread


@pytest.mark.few(5)
@pytest.mark.parametrize("law", Noise)
@pytest.mark.parametrize("root", Root)
def test_the_simultaneous_band_holds_and_survives_smoothing(rng, law, root):
    """Coverage over 4,000 fresh trees, by Clopper-Pearson at 1e-9; half the width must fail."""
    noise, runs = tree_noise(root, law=law), 4000
    band = noise_band(noise, EFFICIENT, rng, runs=20_000)
    truth = np.concatenate([[0.0], np.cumsum(rng.poisson(1.0, 16))])
    errors = simulated_errors(noise, EFFICIENT, rng, runs=runs)
    raw = Cdf(np.arange(17.0), truth + errors, public_total=root is Root.PUBLIC)
    smooth = monotone(raw)
    for curve, exact in ((raw, True), (smooth, False)):
        hits = np.count_nonzero(np.abs(curve.counts - truth).max(axis=1) <= band.simultaneous)
        low, high = clopper_pearson(hits, runs)
        assert high >= 0.95
        assert low <= 0.96 or not exact
    narrow = np.count_nonzero(np.abs(errors).max(axis=1) <= band.simultaneous / 2)
    assert clopper_pearson(narrow, runs)[1] < 0.95


def test_labels_promise_only_what_holds(rng):
    band = noise_band(tree_noise(), RAW, rng, beta=0.1, runs=100)
    pointwise, simultaneous = band.labels(smoothed=False)
    assert "90%" in pointwise
    assert "90%" in simultaneous
    pointwise, simultaneous = band.labels(smoothed=True)
    assert "%" not in pointwise
    assert "≥ 90%" in simultaneous


def test_chunks_of_runs_change_no_law(rng, monkeypatch):
    monkeypatch.setattr("dpviz.estimators.trees.band.CHUNK", 40)
    errors = simulated_errors(tree_noise(), EFFICIENT, rng, step=5, runs=7)
    assert errors.shape == (7, 5)
    assert np.unique(errors[:, 1]).size == 7


@pytest.mark.parametrize("settings", [{"beta": 0}, {"beta": 1}, {"beta": 0.01, "runs": 50}])
def test_impossible_bands_are_refused(rng, settings):
    with pytest.raises(InvalidParameter, match="β"):
        noise_band(tree_noise(), RAW, rng, **settings)
