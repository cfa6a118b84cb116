"""The laws of the noise (dpviz/core/randomness/noise.py)."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.randomness.bits import bits_of
from dpviz.core.randomness.discrete_gaussian import discrete_gaussian_variance
from dpviz.core.randomness.discrete_laplace import (
    LARGEST_SCALE,
    discrete_laplace,
    discrete_laplace_variance,
)
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from tests.rows import by_rows
from tests.statistics import can_tell, can_tell_probabilities, fits, fits_probabilities

SIZE = 200_000
SCALES = [0.2, 0.7, 1.0, 3.3, 20.0]


def probabilities(scale, reach):
    """P(k) for k = −reach..reach, and what lies beyond in one last cell."""
    p = math.exp(-1 / scale)
    inside = (1 - p) / (1 + p) * p ** np.abs(np.arange(-reach, reach + 1))
    return np.append(inside, max(0.0, 1 - inside.sum()))


def gaussian_probabilities(scale, reach):
    """The same for the discrete Gaussian."""
    at = np.arange(
        -math.ceil(45 * max(scale, 1)) - reach, math.ceil(45 * max(scale, 1)) + reach + 1
    )
    weight = np.exp(-((at / scale) ** 2) / 2)
    inside = weight[np.abs(at) <= reach] / weight.sum()
    return np.append(inside, max(0.0, 1 - inside.sum()))


def histogram(sample, reach):
    inside = np.abs(sample) <= reach
    counts = np.bincount(sample[inside].astype(int) + reach, minlength=2 * reach + 1)
    return np.append(counts, np.count_nonzero(~inside))


@by_rows("draw", [Noise.draw, Noise.simulate])
@by_rows("scale", SCALES)
def test_discrete_laplace_has_its_probabilities(rng, draw, scale):
    """Relative entropy, false alarm 1e-9; a fifth less, a quarter more and 0 twice are caught."""
    reach = math.ceil(30 * scale)
    sample = draw(Noise.DISCRETE_LAPLACE, scale, (SIZE,), rng)
    assert (sample == np.round(sample)).all()
    counts, right = histogram(sample, reach), probabilities(scale, reach)
    assert fits_probabilities(counts, right)
    twice = right.copy()
    twice[reach] *= 2  # what drawing a sign for 0 as well would give
    twice /= twice.sum()
    for wrong in (probabilities(scale * 0.8, reach), probabilities(scale * 1.25, reach), twice):
        assert can_tell_probabilities(SIZE, wrong, right)
        assert not fits_probabilities(counts, wrong)


@pytest.mark.few(3)
@pytest.mark.parametrize("draw", [Noise.draw, Noise.simulate])
@pytest.mark.parametrize("scale", [1e4, 1e9, LARGEST_SCALE])
def test_at_large_scales_it_is_laplace(rng, draw, scale):
    """Kolmogorov-Smirnov, false alarm 1e-9; a fifth less and a quarter more are caught."""
    sample = draw(Noise.DISCRETE_LAPLACE, scale, (SIZE,), rng)
    assert fits(sample, stats.laplace(scale=scale))
    for wrong in (0.8, 1.25):
        other = stats.laplace(scale=scale * wrong)
        assert can_tell(SIZE, other, stats.laplace(scale=scale))
        assert not fits(sample, other)


@pytest.mark.parametrize("noise", [Noise.LAPLACE, Noise.GAUSSIAN])
def test_simulated_noise_has_the_law_of_released_noise(rng, noise):
    law = stats.laplace(scale=2.5) if noise is Noise.LAPLACE else stats.norm(scale=2.5)
    for draw in (noise.draw, noise.simulate):
        assert fits(draw(2.5, (SIZE,), rng), law)
    assert noise.variance(2.5) == pytest.approx(law.var())


@pytest.mark.parametrize("scale", [0.05, *SCALES, 300.0])
def test_the_variance_is_that_of_the_probabilities(scale):
    reach = math.ceil(60 * scale) + 1
    at = np.arange(-reach, reach + 1)
    expected = float((probabilities(scale, reach)[:-1] * at**2).sum())
    assert discrete_laplace_variance(scale) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("scale", [0.05, *SCALES, 300.0])
def test_the_variance_of_the_discrete_gaussian_is_that_of_the_probabilities(scale):
    reach = math.ceil(40 * max(scale, 1))
    at = np.arange(-reach, reach + 1)
    expected = float((gaussian_probabilities(scale, reach)[:-1] * at**2).sum())
    assert discrete_gaussian_variance(scale) == pytest.approx(expected, rel=1e-11)
    assert discrete_gaussian_variance(scale) <= scale**2 * (1 + 1e-15)


@pytest.mark.parametrize("scale", [0.05, 24.99, 25.01, 1e3, 1e4])
def test_a_wide_discrete_gaussian_by_sums_over_all_whole_numbers(scale):
    """variance, within and reach, on both sides of where sums become integrals."""
    noise = Noise.DISCRETE_GAUSSIAN
    at = np.arange(math.ceil(45 * max(scale, 1)) + 1)
    weight = np.exp(-((at / scale) ** 2) / 2) * np.where(at > 0, 2, 1)
    total = math.fsum(weight)
    within = np.cumsum(weight) / total
    assert noise.variance(scale) == pytest.approx(math.fsum(weight * at**2) / total, rel=1e-12)
    for reach in {0, 1, 2, *(round(part * scale) for part in (0.5, 1, 2, 4, 6))}:
        assert noise.within(scale, reach) == pytest.approx(within[reach], abs=1e-12)
    for share in (0.5, 0.95, 0.99, 1 - 1e-6):
        assert noise.reach(scale, share) == np.searchsorted(within, share)


def test_variances_at_the_edges():
    for scale in (1e6, 1e12):  # 2p/(1−p)² cancels there
        assert discrete_laplace_variance(scale) == pytest.approx(2 * scale**2, rel=1e-11)
    assert 0 < discrete_laplace_variance(1e-4) < 1e-200
    assert discrete_laplace_variance(math.inf) == Noise.LAPLACE.variance(math.inf) == math.inf


def test_edges_of_sampling(rng):
    bits = bits_of(rng)
    for noise in (Noise.DISCRETE_LAPLACE, Noise.DISCRETE_GAUSSIAN):
        assert noise.draw(1.0, (0, 5), rng).shape == (0, 5)
        assert noise.draw(2.0, (3, 4), rng).shape == (3, 4)
        assert not noise.draw(1e-4, (1000,), rng).any()
        with pytest.raises(InvalidBudget, match="2\\^40"):
            noise.draw(2.0**41, (1,), rng)
    with pytest.raises(InvalidBudget, match="2\\^40"):
        discrete_laplace(math.nan, (1,), bits)


def test_the_privacy_of_discrete_laplace_is_exact():
    """|ln P(k)/P(k − 1)| is 1/scale everywhere: ε-DP for a count that changes by 1."""
    for scale, k in itertools.product(SCALES, range(-5, 6)):
        p = math.exp(-1 / scale)
        assert abs(math.log(p ** abs(k) / p ** abs(k - 1))) == pytest.approx(1 / scale)


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1), ApproxDP(1, 1e-6)])
def test_the_noise_for_a_budget_is_one_that_it_pays_for(budget):
    law = Noise.for_budget(budget)
    pure = budget == PureDP(1)
    assert law is (Noise.DISCRETE_LAPLACE if pure else Noise.DISCRETE_GAUSSIAN)
    assert Noise.continuous_for(budget) is (Noise.LAPLACE if pure else Noise.GAUSSIAN)
    assert noise_scale(law, budget, 1.0, Neighbours.ADD_REMOVE) > 0


@pytest.mark.parametrize("neighbours", Neighbours)
def test_neighbours_know_how_many_counts_of_a_level_they_change(neighbours):
    """By trying: no more counts of four cells differ between neighbours, and so many do."""
    cells = [np.bincount(one, minlength=4) for one in itertools.product(range(4), repeat=2)]
    if neighbours is Neighbours.ADD_REMOVE:
        pairs = [(one, one + np.eye(4, dtype=int)[k]) for one in cells for k in range(4)]
    else:
        pairs = [(one, other) for one in cells for other in cells if abs(one - other).sum() <= 2]
    assert max(np.count_nonzero(one != other) for one, other in pairs) == neighbours.counts_changed


REACHES = [0.0, 0.4, 1.0, 2.5, 3.0, 17.0, 400.0]


def tail_free(noise, scale, reach):
    """P(|noise| ≤ reach) by SciPy's laws, or one whole number after the other."""
    if noise is Noise.DISCRETE_LAPLACE:
        return probabilities(scale, math.floor(reach))[:-1].sum()
    if noise is Noise.DISCRETE_GAUSSIAN:
        return gaussian_probabilities(scale, math.floor(reach))[:-1].sum()
    law = stats.laplace if noise is Noise.LAPLACE else stats.norm
    return law.cdf(reach, scale=scale) - law.cdf(-reach, scale=scale)


@by_rows("noise", Noise)
@by_rows("scale", [*SCALES, 500.0])
@by_rows("reach", REACHES)
def test_noise_stays_within_a_reach_with_its_exact_chance(noise, scale, reach):
    assert noise.within(scale, reach) == pytest.approx(tail_free(noise, scale, reach), rel=1e-9)


@pytest.mark.parametrize("noise", Noise)
def test_the_chance_at_the_ends(noise):
    assert noise.within(2.0, -0.1) == 0
    assert noise.within(2.0, math.nan) == 0
    assert noise.within(2.0, math.inf) == 1
    assert noise.within(0.0, 0.0) == 1
    assert noise.within(math.inf, 5.0) == 0
    assert noise.within(1e-3, 0.0) == (1.0 if noise.whole else 0.0)


def test_a_small_chance_keeps_its_digits():
    assert Noise.DISCRETE_LAPLACE.within(1e12, 0) == pytest.approx(0.5e-12, rel=1e-9, abs=0)


@by_rows("noise", Noise)
@by_rows("scale", [*SCALES, 500.0])
@by_rows("share", [0.0, 1e-9, 0.3, 0.5, 0.95, 0.99, 1 - 1e-9])
def test_the_reach_is_the_smallest_that_holds_the_share(noise, scale, share):
    reach = noise.reach(scale, share)
    if not noise.whole:
        assert noise.within(scale, reach) == pytest.approx(share, rel=1e-9)
        return
    assert reach == int(reach)
    assert noise.within(scale, reach) >= share
    assert reach == 0 or noise.within(scale, reach - 1) < share


def test_the_reach_of_the_usual_counts():
    """19 answers in 20 at ε = 0.1, 0.2, 0.5, 1, 2, 5 and 10."""
    reaches = [Noise.DISCRETE_LAPLACE.reach(1 / e, 0.95) for e in (0.1, 0.2, 0.5, 1, 2, 5, 10)]
    assert reaches == [30, 15, 6, 3, 1, 0, 0]


@pytest.mark.parametrize("share", [-0.1, 1.0, 1.5, math.nan])
def test_a_share_that_no_reach_holds_is_refused(share):
    with pytest.raises(InvalidParameter, match="share must lie in"):
        Noise.LAPLACE.reach(1.0, share)


def test_the_reach_without_noise_and_with_endless_noise():
    for noise in Noise:
        assert noise.reach(0.0, 0.95) == 0
        assert noise.reach(math.inf, 0.95) == math.inf
