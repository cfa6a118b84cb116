"""Four attacks on what doubles, ties and seeds give away.

Each works on what releases were drawn by before, the wrong twin, and fails on the new: the sampler
in doubles, which studies keep, continuous noise, weights that underflow, and one secret a visit.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import NotExact
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.ui.kit.account.keys import draw_key

UNIT, THOUSAND = Bounds(0, 1), Bounds(0, 1000)
RUNS = 2_000


def bits(number: int) -> SecureBits:
    """A stream of its own for each run, the same in each session of the tests."""
    return SecureBits(number.to_bytes(32, "big"))


def old_medians(values, epsilon, rng):
    """Medians on (0, 1) of the sampler in doubles that releases had: studies have it still."""
    n, every = len(values), np.zeros(RUNS, dtype=np.int64)
    low, high = np.zeros(RUNS), np.ones(RUNS)
    eta = np.full(RUNS, epsilon)  # ε/(2Δ) with Δ = ½
    problems = Problems(every, every + n, low, high, np.full(RUNS, n / 2), eta)
    return sample(Ladder(np.array(values, dtype=np.float64)), problems, rng)[0]


def is_fine(value: float) -> bool:
    """Whether a number lies between the multiples of 2^-53: a draw from [0, 1) alone never does."""
    return Fraction(value).denominator > 1 << 53


@pytest.mark.law
@pytest.mark.parametrize("mechanism", [ApproximateQuantiles(), IndependentExp()])
@pytest.mark.parametrize("resolution", [0.0, 0.25])
def test_last_bits_of_a_median_do_not_tell_its_only_record(mechanism, resolution):
    """{.3} against {}: three in ten of the old medians of {.3} are outputs that {} never has."""
    rng = np.random.default_rng(1)
    for records, catches in (([0.3], True), ([], False)):
        fine = [is_fine(float(one)) for one in old_medians(records, 0.1, rng)]
        assert (sum(fine) > 0.2 * RUNS) if catches else not any(fine)
    steps = 1 << 40 if resolution == 0 else 4
    for records in ([0.3], []):
        column = Column.from_values(records, UNIT, resolution)
        for run in range(RUNS // 20):
            (value,) = mechanism.release(column, [0.5], PureDP(0.1), bits(run)).values
            assert (Fraction(float(value)) * steps).denominator == 1


SCALES = [0.1, 1.0, 21.0]


def told(outputs, other: float, own: float, scale: float) -> int:
    """Outputs of one count that are no rounded sum of the other count and a small double.

    Noise of a generator is scale · log of a multiple of 2^-53. So near the count 1 the sum 1 + x
    keeps multiples of 2^-53 at best, while 0 + x keeps all the bits of a small x.
    """
    return sum(other + (one - other) != one for one in outputs if abs(one - own) < scale)


@pytest.mark.parametrize("scale", SCALES)
def test_last_bits_of_a_count_do_not_tell_0_from_1(scale):
    """Counts of 0 and 1 under the old double noise, and under noise on whole numbers."""
    rng = np.random.default_rng(2)
    old = rng.laplace(0, scale, 20_000)
    assert told(old, 1.0, 0.0, scale) > 100  # impossible for a count of 1: count 0 is betrayed
    assert told(1 + rng.laplace(0, scale, 20_000), 1.0, 0.0, scale) == 0
    for noise in (Noise.DISCRETE_LAPLACE, Noise.DISCRETE_GAUSSIAN):
        for count in (0, 1):
            drawn = count + noise.draw(scale, (5_000,), bits(count))
            assert (drawn == np.round(drawn)).all()
            assert told(drawn, 1.0 - count, float(count), scale) == 0
        with pytest.raises(NotExact):
            Noise.LAPLACE.draw(scale, (1,), bits(0))


@pytest.mark.parametrize("budget", [PureDP(0.3), PureDP(1.0), ZCDP(0.1)])
def test_released_counts_are_whole_numbers(budget):
    """The same on the whole tree, of nobody and of one person."""
    for records in ([], [0.3]):
        column = Column.from_values(records, UNIT)
        release = CountTree(height=6).release(column, budget, bits(len(records)))
        for level in release.counts:
            known = level[np.isfinite(level)]
            assert (known == np.round(known)).all()


def old_tied_median(ties: int, epsilon: float) -> float:
    """The chance of the lower half under weights in doubles without a shift: both may be 0.

    All ties at 700 of (0, 1000) leave two intervals, each ties / 2 ranks away. Their weights
    underflow together once exp(-ε ties / 2) is 0, and the first edge was then returned.
    """
    weights = np.array([700.0, 300.0]) * np.exp(-epsilon * np.array([ties / 2] * 2))
    total = weights.sum()
    return 1.0 if total == 0 else float(weights[0] / total)


@pytest.mark.few(2)
@pytest.mark.parametrize("mechanism", [ApproximateQuantiles(), IndependentExp()])
@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_one_tie_more_does_not_turn_the_answer_into_the_bound(mechanism, resolution):
    """1,490 ties against 1,491 and around: nothing underflows, so no answer is the bound."""
    assert old_tied_median(1_490, 1.0) == pytest.approx(0.7)
    assert old_tied_median(1_491, 1.0) == 1.0  # the wrong twin: one person turns 0.7 into 1
    for ties in (1_490, 1_491):
        column = Column.from_values(np.full(ties, 700.0), THOUSAND, resolution)
        drawn = [
            mechanism.release(column, [0.5], PureDP(1.0), bits(run)).values[0] for run in range(40)
        ]
        assert min(drawn) > 0
        assert np.abs(np.array(drawn) - 700).max() <= max(resolution, 1e-6)


@pytest.mark.parametrize("ties", [Ties.JITTER, Ties.KEEP])
def test_ties_that_are_no_map_to_points_have_no_secure_release(ties):
    column = Column.from_values(np.full(10, 700.0), THOUSAND, 1.0)
    for kind in (ApproximateQuantiles, IndependentExp):
        with pytest.raises(NotExact, match="floating point"):
            kind(ties=ties).release(column, [0.5], PureDP(1.0), SecureBits.fresh())


def test_a_file_without_ana_does_not_undo_the_noise_of_the_file_with_her(rng):
    """One secret a visit and a purpose without the data: two noisy trees differed by Ana alone."""
    values = rng.random(500)
    tree, budget = CountTree(height=4), PureDP(0.1)
    with_her, without = (Column.from_values(part, UNIT) for part in (values, values[1:]))

    def counts(column, secret, purpose):
        release = tree.release(column, budget, SecureBits(draw_key(secret, 1, (), purpose)))
        return release.counts[-1]

    one = bytes(32)
    betrayed = counts(with_her, one, tree) - counts(without, one, tree)
    assert np.abs(betrayed).sum() == 1  # the wrong twin: exactly one person in one cell
    named = [counts(part, one, (tree, part.digest)) for part in (with_her, without)]
    apart = [counts(part, bytes([n] * 32), tree) for n, part in enumerate((with_her, without))]
    sure = 16 * math.sqrt(2) * 2  # many times what one person explains
    assert np.abs(named[0] - named[1]).sum() > sure
    assert np.abs(apart[0] - apart[1]).sum() > sure
