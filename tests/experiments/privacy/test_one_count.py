"""Both laws of one count, and what a published answer says, against brute force."""

import math

import numpy as np
import pytest

from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.ladder import next_above
from dpviz.experiments.privacy.loss import Claim, gaussian_epsilon
from dpviz.experiments.privacy.one_count import OneCount, answers_in_view
from tests.rows import by_rows

DISCRETE, LAPLACE, GAUSSIAN = Noise.DISCRETE_LAPLACE, Noise.LAPLACE, Noise.GAUSSIAN


def scene(epsilon=1.0, noise=DISCRETE, one=865.0, other=864.0):
    return OneCount(noise, 1 / epsilon, one, other, Claim(epsilon))


def gaussian(sigma=2.0, delta=1e-6):
    return OneCount(GAUSSIAN, sigma, 865, 864, Claim(gaussian_epsilon(sigma, delta), delta))


def test_chances_add_up_and_their_ratio_is_the_limit():
    p = math.exp(-1)
    one = scene()
    laws = one.laws()
    at = np.arange(859, 872)
    expected = (1 - p) / (1 + p) * p ** np.abs(at - 865)
    np.testing.assert_allclose(laws.one, expected)
    np.testing.assert_allclose(laws.other, (1 - p) / (1 + p) * p ** np.abs(at - 864))
    np.testing.assert_array_equal(laws.x, np.arange(858.5, 872))
    np.testing.assert_allclose(np.abs(laws.ratio), 1)
    supposed = one.supposed(866)
    assert supposed.one == pytest.approx(0.170, abs=5e-4)
    assert supposed.other == pytest.approx(0.0625, abs=5e-4)
    assert supposed.believed(0.5) == pytest.approx(supposed.one / (supposed.one + supposed.other))


def test_no_answer_moves_a_belief_further_than_the_worst_case():
    one = scene(0.3)
    for prior in (0.01, 0.1, 0.5, 0.9):
        after = [one.supposed(answer).believed(prior) for answer in answers_in_view(one)]
        assert max(after) <= one.most_believed(prior) + 1e-12
        assert max(after) == pytest.approx(one.most_believed(prior))


@by_rows("noise", [DISCRETE, LAPLACE])
@by_rows("epsilon", [1e-6, 0.1, 1, 10, 1e4])
def test_the_view_holds_nearly_all_answers_and_few_points(noise, epsilon):
    one = scene(epsilon, noise)
    assert one.reach >= 4.9 / epsilon
    assert one.laws().x.size <= 700
    assert len(answers_in_view(one)) <= 401
    assert 865 in answers_in_view(one)
    assert np.isfinite(one.laws().ratio).all()


def test_ranges_jump_rarely():
    assert [next_above(needed) for needed in (0.1, 4.9, 6.1, 9, 11, 49, 51, 101)] == [
        4, 6, 8, 10, 15, 50, 100, 150,
    ]  # fmt: skip


def test_gaussian_noise_leaves_the_limits_with_a_chance():
    one = gaussian()
    laws = one.laws()
    assert (np.abs(laws.ratio) > one.claim.epsilon).any()
    assert one.delta == pytest.approx(1e-6, rel=1e-6)
    assert one.share_beyond > one.delta
    dense = np.linspace(865 - 30, 865 + 30, 600_001)
    with_one = np.exp(-((dense - 865) ** 2) / 8) / math.sqrt(8 * math.pi)
    without = np.exp(-((dense - 864) ** 2) / 8) / math.sqrt(8 * math.pi)
    excess = np.maximum(with_one - math.exp(one.claim.epsilon) * without, 0).sum() * 1e-4
    assert excess == pytest.approx(1e-6, rel=1e-3)


def test_somebody_who_is_not_counted_changes_nothing():
    one = scene(other=865.0)
    assert not one.moved
    assert (one.laws().ratio == 0).all()
    assert one.most_believed(0.1) == 0.1
