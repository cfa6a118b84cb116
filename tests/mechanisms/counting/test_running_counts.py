"""RunningCounts: the same as a tree read from below, its law, and its price."""

import numpy as np
import pytest
from scipy.stats import kstest

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import DpvizError, InvalidData, InvalidParameter
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.running_counts import RunningCounts


def streamed(counts, height, budget, **others):
    stream = RunningCounts(height, budget, np.random.default_rng(9), **others)
    return stream, [stream.add(count) for count in counts]


@pytest.mark.parametrize("combine", [True, False])
def test_with_much_budget_every_step_is_exact(combine):
    counts = np.random.default_rng(1).poisson(4, 13)
    _, found = streamed(counts, 4, PureDP(1e9), combine=combine)
    np.testing.assert_allclose([one[0] for one, _ in found], np.cumsum(counts), atol=1e-5)


def test_variances_are_those_of_complete_trees_read_from_below():
    """After 2^k steps the answer is one root; in between, one root for each bit of the step."""
    stream, found = streamed(np.ones(16), 4, ZCDP(0.5))
    own = stream.node_variance
    roots = []
    for height in range(5):
        blank = tuple(np.zeros(2**level) for level in range(height + 1))
        levels = Levels(2, blank, (np.asarray(own),) * (height + 1))
        roots.append(float(TreeEstimator.FROM_BELOW.apply(levels).variances[0]))
    for step, (_, variance) in enumerate(found, start=1):
        expected = sum(roots[bit] for bit in range(5) if step >> bit & 1)
        assert variance == pytest.approx(expected)
    _, plain = streamed(np.ones(16), 4, ZCDP(0.5), combine=False)
    for step, (_, variance) in enumerate(plain, start=1):
        assert variance == pytest.approx(own * bin(step).count("1"))


@pytest.mark.parametrize("budget", [PureDP(0.8), ZCDP(0.3)])
def test_a_record_pays_for_the_nodes_of_one_path(budget):
    noise = Noise.continuous_for(budget)
    stream = RunningCounts(6, budget, np.random.default_rng(0), noise=noise)
    if isinstance(budget, PureDP):
        paid = 7 / (stream.node_variance / 2) ** 0.5
    else:
        paid = 7 / (2 * stream.node_variance)
    assert paid == pytest.approx(budget.size)


def test_noise_follows_its_law_and_another_variance_is_rejected():
    stream, found = streamed([3.0, 4.0, 5.0], 2, ZCDP(0.2), runs=10_000, noise=Noise.GAUSSIAN)
    for (counts, variance), exact in zip(found, (3, 7, 12), strict=True):
        errors = (counts - exact) / variance**0.5
        assert kstest(errors, "norm").pvalue > 1e-9 / 3
        assert kstest(errors * 1.25, "norm").pvalue < 1e-9
    assert stream.steps == 3


def test_counts_are_whole_and_may_be_drawn_from_secure_bits():
    stream = RunningCounts(2, PureDP(1), SecureBits.fresh(), combine=False)
    assert all(float(stream.add(7)[0][0]).is_integer() for _ in range(4))


def test_steps_are_counted_and_wrong_ones_refused():
    stream, _ = streamed([1, 1], 1, PureDP(1))
    with pytest.raises(InvalidParameter, match="planned for 2 steps"):
        stream.add(1)
    fresh = RunningCounts(1, ApproxDP(1, 1e-6), np.random.default_rng(0))
    for wrong in (-1, np.nan, np.inf, "many", None):
        with pytest.raises(InvalidData, match="records"):
            fresh.add(wrong)
    assert fresh.steps == 0
    for height in (-1, 31, 2.5):
        with pytest.raises(DpvizError):
            RunningCounts(height, PureDP(1), np.random.default_rng(0))
