"""Running counts that were released as such: their CDF, quantiles, band, and a public N."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours
from dpviz.core.errors import InvalidRelease
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.estimators.trees.band import cdf_band, simulated_prefix_errors
from dpviz.estimators.trees.cdf import cdf, cdf_of_prefixes, monotone
from dpviz.estimators.trees.curve import cdf_quantiles, cdf_range
from tests.estimators.trees.test_quantiles import slow_quantile
from tests.estimators.trees.twins import with_public_total
from tests.statistics import clopper_pearson

BOUNDS = Bounds(-3, 9)
RISING = np.cumsum(np.arange(1, 13, dtype=float))


def released(counts=RISING, scale=2.0, relation=Neighbours.REPLACE_ONE):
    return PrefixRelease(
        "PrefixSums", {"bins": len(counts)}, counts, scale, BOUNDS, 0.0, relation, ZCDP(0.1)
    )


@pytest.mark.parametrize("step", [1, 5, 12])
def test_a_cdf_is_the_running_counts_at_its_edges(step):
    curve = cdf(released(), step=step)
    kept = sorted({*range(0, 12, step), 12})
    np.testing.assert_array_equal(curve.counts, np.append(0.0, RISING)[kept])
    np.testing.assert_array_equal(curve.edges, np.arange(-3.0, 10.0)[kept])
    assert not curve.public_total
    assert float(cdf_range(cdf(released()), -1, 2)[0]) == 3 + 4 + 5


def test_batches_of_runs_are_read_at_once(rng):
    counts = rng.normal(size=(2, 3, 12)).cumsum(axis=-1)
    curve = cdf_of_prefixes(counts, BOUNDS, step=4)
    assert curve.counts.shape == (2, 3, 4)
    np.testing.assert_array_equal(curve.counts[..., 1:], counts[..., [3, 7, 11]])


def test_quantiles_are_where_the_smoothed_curve_passes(rng):
    counts = RISING + rng.normal(0, 6, 12)
    release, quantiles = released(counts), [0.9, 0.1, 0.5]
    smooth = monotone(cdf(release))
    assert (np.diff(smooth.counts) >= 0).all()
    expected = [slow_quantile(smooth.counts, smooth.edges, quantile) for quantile in quantiles]
    np.testing.assert_allclose(cdf_quantiles(smooth, quantiles), expected)


def test_a_public_total_is_taken_by_regression_and_narrows_the_errors():
    known = with_public_total(released(RISING + 3), 78)
    assert known.total == known.counts[-1] == 78
    assert known.noise == PrefixNoise(12, 2.0, public_total=True)
    # the last count was 3 too large; each count moves by its share of that
    law = PrefixNoise(12, 2.0)
    shares = law.covariance(np.arange(1, 13), 12) / law.variances[-1]
    np.testing.assert_allclose(known.counts, RISING + 3 - 3 * shares, atol=1e-12)
    assert (known.standard_errors < released().standard_errors).all()
    assert known.standard_errors[-1] == 0
    assert cdf(known).public_total
    assert with_public_total(known, 78) == known
    assert PrefixRelease.from_json(known.to_json()) == known
    assert released() == released()
    assert known != released()


def test_a_public_total_needs_replaced_records():
    with pytest.raises(InvalidRelease, match="means replace-one"):
        PrefixRelease(
            *("PrefixSums", {}, RISING, 1.0, BOUNDS, 0.0, Neighbours.ADD_REMOVE, ZCDP(1)),
            total=78.0,
        )


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("step", [1, 7])
def test_a_band_holds_as_often_as_it_says(public, step):
    release = with_public_total(released(), 78) if public else released()
    band = cdf_band(release, np.random.default_rng(1), step=step, beta=0.1, runs=20_000)
    kept = sorted({*range(0, 12, step), 12})
    expected = 1.6449 * np.append(0.0, release.standard_errors)[kept]
    np.testing.assert_allclose(band.pointwise, expected, rtol=0.06, atol=1e-12)
    fresh = simulated_prefix_errors(release.noise, np.random.default_rng(2), step=step, runs=20_000)
    within = int((np.abs(fresh).max(axis=1) <= band.simultaneous).sum())
    low, high = clopper_pearson(within, 20_000)
    assert low - 0.02 <= 0.9 <= high + 0.02  # the band's own draw counts, too
    narrower = int((np.abs(fresh).max(axis=1) <= 0.7 * band.simultaneous).sum())
    assert clopper_pearson(narrower, 20_000)[1] < 0.88
