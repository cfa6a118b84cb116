"""The contract of all private medians, and each of them against a plain twin."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidBudget, InvalidParameter, UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.exponential.point_problems import UNITS
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian, _units, _whole_sums
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.sampled import SampledMedian, amplified, chance, poisson_sample
from dpviz.mechanisms.medians.smooth import LARGEST_XI, SmoothMedian
from dpviz.mechanisms.medians.smooth_sensitivity import smooth_sensitivities
from tests.mechanisms.exponential.exact_points import probabilities
from tests.mechanisms.quantiles.exact_points import columns_of, neighbouring, worst_loss
from tests.rows import by_rows
from tests.statistics import can_tell, fits, fits_probabilities

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
PLAIN = [ExponentialMedian(), NoisyMeanMedian(), CellMedian(16), CellMedian(1)]
DELTA = [SmoothMedian(), SampledMedian(SmoothMedian(), 0.1)]
MEDIANS = [*PLAIN, *DELTA, SampledMedian(ExponentialMedian(), 0.1), SampledMedian(rate=1.0)]


def name(median):
    return f"{median.name} {median.parameters}"


def groups(columns, low, high, ordered=True):
    starts = np.concatenate(([0], np.cumsum([len(c) for c in columns]))).astype(np.int64)
    values = [np.sort(np.asarray(c, float)) if ordered else np.asarray(c, float) for c in columns]
    axis = Bounds(min(low), max(high))
    return Groups(np.concatenate(values), starts, np.array(low), np.array(high), axis, ordered)


def hard_nodes(ordered=True):
    return groups(
        [[], [0.3], [1.0] * 500, [1.0, 2.0, 2.0], [2.0], [], [2.5] * 40 + [2.0, 3.0], [3.0]],
        [0.0, 0.0, 0.5, 1.0, 2.0, 2.0, 2.0, 3.0],
        [0.0, 0.5, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0],
        ordered,
    )


def budgets(median):
    if median.takes_delta:
        return [ApproxDP(epsilon, 1e-5) for epsilon in (1e-6, 1.0, 30.0, 1e4)]
    pure = [PureDP(epsilon) for epsilon in (1e-6, 1.0, 1e4)]
    return pure if isinstance(median, SampledMedian) else [*pure, ZCDP(1e-9), ZCDP(0.5), ZCDP(1e4)]


@by_rows("median", MEDIANS, ids=name)
@by_rows("ordered", [True, False])
def test_medians_lie_in_their_nodes_whatever_the_points(median, ordered, rng):
    nodes = hard_nodes(ordered)
    for budget in budgets(median):
        for neighbours in (ADD,) if isinstance(median, SampledMedian) else (ADD, REPLACE):
            median.check(budget, neighbours)
            drawn = median.draw(nodes, budget, neighbours, rng)
            assert drawn.shape == (8,)
            assert ((nodes.low <= drawn) & (drawn <= nodes.high)).all()


@pytest.mark.parametrize("median", MEDIANS, ids=name)
def test_no_points_and_no_nodes(median, rng):
    for nodes in (groups([[]], [0.0], [1.0]), groups([[], []], [0.0, 1.0], [1.0, 2.0])):
        drawn = median.draw(nodes, budgets(median)[1], ADD, rng)
        assert ((nodes.low <= drawn) & (drawn <= nodes.high)).all()


@pytest.mark.parametrize("median", MEDIANS, ids=name)
def test_with_next_to_no_noise_they_return_the_truth(median, rng):
    values = np.linspace(10, 20, 4001)
    nodes = groups([values, values + 20], [10.0, 30.0], [20.0, 40.0])
    budget = ApproxDP(1e4, 0.05) if median.takes_delta else PureDP(1e4)
    drawn = median.draw(nodes, budget, ADD, rng)
    off = 0.4 * (6 if isinstance(median, SampledMedian) and median.rate < 1 else 1)
    assert np.abs(drawn - [15, 35]).max() < off  # a sample of 400 has a median of its own


@pytest.mark.parametrize("median", MEDIANS, ids=name)
def test_costs_equal_the_step(median):
    for budget in budgets(median):
        for neighbours in (ADD,) if isinstance(median, SampledMedian) else (ADD, REPLACE):
            cost = median.cost(budget, neighbours)
            if isinstance(budget, ZCDP):
                assert cost.rho == pytest.approx(budget.rho, rel=1e-11)
                assert cost.epsilon == cost.delta == 0
                continue
            assert cost.rho == 0
            assert cost.epsilon == pytest.approx(budget.epsilon, rel=1e-9)
            if median.takes_delta and budget.epsilon <= 1:
                assert cost.delta == pytest.approx(budget.delta, rel=1e-9)
            assert cost.delta <= (budget.delta * (1 + 1e-9) if median.takes_delta else 0)


def test_what_is_refused():
    for median in PLAIN:
        with pytest.raises(UnsupportedBudget, match="no use of δ"):
            median.check(ApproxDP(1, 1e-6), ADD)
    for budget in (PureDP(1), ZCDP(1)):
        with pytest.raises(UnsupportedBudget, match="only"):
            SmoothMedian().check(budget, ADD)
    for inner, budget in ((ExponentialMedian(), PureDP(1)), (SmoothMedian(), ApproxDP(1, 1e-6))):
        with pytest.raises(InvalidParameter, match="added or removed"):
            SampledMedian(inner).check(budget, REPLACE)
        with pytest.raises(UnsupportedBudget, match="zCDP"):
            SampledMedian(inner).check(ZCDP(1), ADD)
    with pytest.raises(UnsupportedBudget, match="no use of δ"):
        SampledMedian().check(ApproxDP(1, 1e-6), ADD)
    with pytest.raises(InvalidBudget, match="below the sampling rate"):
        SampledMedian(SmoothMedian(), 0.01).check(ApproxDP(1, 0.01), ADD)
    for rate in (0, -1, 1.5, math.nan, 1e-7):
        with pytest.raises(InvalidParameter, match="rate"):
            SampledMedian(rate=rate)
    with pytest.raises(InvalidParameter, match="multiply"):
        SampledMedian(SampledMedian())
    for cells in (0, -1, 2**20 + 1):
        with pytest.raises(InvalidParameter, match="cells"):
            CellMedian(cells)


def noise_of(budget, neighbours, share, rng, unit=1):
    """The noise a histogram needs, its scale worked out here once more: draws of it, in turn."""
    changed = 1 if neighbours is ADD else 2
    if isinstance(budget, PureDP):
        noise, scale = Noise.DISCRETE_LAPLACE, changed / (share * budget.epsilon)
    else:
        noise, scale = Noise.DISCRETE_GAUSSIAN, math.sqrt(changed / (2 * share * budget.rho))
    return lambda count: noise.draw(unit * scale, (count,), rng)


def plain_cell_median(values, low, high, edges, noise):
    parts = [(max(a, low), min(b, high)) for a, b in itertools.pairwise(edges)]
    parts = [part for part in parts if part[0] < part[1]]
    counts = [sum(a <= v < b or v == high == b for v in values) for a, b in parts]
    noisy = [count + next(noise) for count in counts]
    if sum(noisy) <= 0:
        return (low + high) / 2
    running = 0.0
    for (a, b), count in zip(parts, noisy, strict=True):
        if running + count >= sum(noisy) / 2:
            return a + (sum(noisy) / 2 - running) / count * (b - a)
        running += count
    raise AssertionError


def plain_noisy_means(columns, low, high, sum_noise, count_noise, unit=2**24):
    sums = [
        sum(math.floor((v - a) / (b - a) * unit) for v in c)
        for c, a, b in zip(columns, low, high, strict=True)
    ]
    sums = (np.array(sums) + sum_noise(len(columns))) / unit
    counts = np.array([len(c) for c in columns]) + count_noise(len(columns))
    shares = [s / c if c > 0 else 0.5 for s, c in zip(sums, counts, strict=True)]
    shares = [min(max(share, 0), 1) for share in shares]
    return [a + (b - a) * share for share, a, b in zip(shares, low, high, strict=True)]


@by_rows("neighbours", [ADD, REPLACE])
@by_rows("budget", [PureDP(0.05), PureDP(1.0), PureDP(100.0), ZCDP(0.01), ZCDP(0.5), ZCDP(100.0)])
def test_cells_and_means_equal_a_plain_reading_of_the_same_draws(budget, neighbours):
    data = np.random.default_rng(3)
    low, high = [0.0, 0.31, 0.5, 0.55], [0.31, 0.5, 0.55, 1.0]
    sizes = (0, 30, 7, 90)
    columns = [data.uniform(a, b, size) for a, b, size in zip(low, high, sizes, strict=True)]
    columns[3] = np.append(columns[3], 1.0)
    nodes = groups(columns, low, high, ordered=False)
    drawn = CellMedian(10).draw(nodes, budget, neighbours, np.random.default_rng(5))
    rng, edges = np.random.default_rng(5), np.linspace(0, 1, 11)
    parts = 4 + 2 + 1 + 5  # cells that a node's range cuts
    noise = iter(noise_of(budget, neighbours, 1.0, rng)(parts))
    wanted = [
        plain_cell_median(c, a, b, edges, noise) for c, a, b in zip(columns, low, high, strict=True)
    ]
    assert next(noise, None) is None
    np.testing.assert_allclose(drawn, wanted, rtol=1e-9)
    drawn = NoisyMeanMedian().draw(nodes, budget, neighbours, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    noises = (noise_of(budget, neighbours, 0.5, rng, unit) for unit in (2**24, 1))
    wanted = plain_noisy_means(columns, low, high, *noises)
    np.testing.assert_allclose(drawn, wanted, rtol=1e-9)


class RatioOfNoises:
    """The law of (s + bL)/(c + K): continuous noise on the sum, whole noise on the count.

    The noise of the sum is whole in units of 2^-24, so fine that no sample tells.
    """

    def __init__(self, total, count, scale):
        self.total, self.count, self.scale = total, count, scale
        self.whole = np.arange(-100, 101)
        p = math.exp(-1 / scale)
        self.chance = (1 - p) / (1 + p) * p ** np.abs(self.whole)

    def cdf(self, share):
        least = np.atleast_1d(share)[:, None] * (self.count + self.whole) - self.total
        return stats.laplace.cdf(least, scale=self.scale) @ self.chance

    def ppf(self, level):
        grid = np.linspace(0.05, 0.95, 2_001)
        return np.interp(level, self.cdf(grid), grid)


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_the_law_of_the_noisy_mean(neighbours, rng):
    values = np.linspace(0.3, 0.5, 60)
    runs = 30_000
    nodes = groups([2 + 4 * values] * runs, [2.0] * runs, [6.0] * runs, ordered=False)
    budget = PureDP(1.0)
    sample = (NoisyMeanMedian().draw(nodes, budget, neighbours, rng) - 2) / 4
    right = 2.0 if neighbours is ADD else 4.0
    assert fits(sample, RatioOfNoises(values.sum(), 60, right), comparisons=3)
    for wrong in (0.8, 1.25):
        twin = RatioOfNoises(values.sum(), 60, right * wrong)
        assert can_tell(runs, twin, RatioOfNoises(values.sum(), 60, right), comparisons=3)
        assert not fits(sample, twin, comparisons=3)


@pytest.mark.law
@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_the_law_of_the_smooth_median(neighbours, rng):
    values, runs = np.linspace(0, 1, 101) ** 1.2, 50_000
    nodes = groups([values] * runs, [0.0] * runs, [1.0] * runs)
    budget = ApproxDP(20.0, 0.01) if neighbours is ADD else ApproxDP(40.0, 0.02)
    sample = SmoothMedian().draw(nodes, budget, neighbours, rng)
    xi = 20 / (4 * (1 + math.log(2 / 0.01)))
    sigma = smooth_sensitivities(groups([values], [0.0], [1.0]), xi)[0]
    right = stats.laplace(values[50], 2 * sigma / 20)
    assert fits(sample, right, comparisons=3)
    for wrong in (0.8, 1.25):
        twin = stats.laplace(values[50], wrong * 2 * sigma / 20)
        assert can_tell(runs, twin, right, comparisons=3)
        assert not fits(sample, twin, comparisons=3)


def test_the_smoothness_of_large_budgets_is_capped():
    """Shift and dilation of Laplace noise stay within (ε, δ) exactly where ξ is as used."""
    for epsilon, delta in itertools.product((0.01, 1, 10, 50, 200, 1e4), (1e-8, 1e-4, 0.1)):
        xi, _ = SmoothMedian().noise(ApproxDP(epsilon, delta), ADD)
        miss = math.exp(-(epsilon / 2 + xi) / math.expm1(xi))
        assert miss <= delta
    uncapped = 200 / (4 * (1 + math.log(2 / 1e-4)))
    assert uncapped > LARGEST_XI
    assert math.exp(-(100 + uncapped) / math.expm1(uncapped)) > 1e-4  # the printed ξ would break it


def test_every_subset_has_its_probability(rng):
    rate, runs = 0.3, 40_000
    drawn = poisson_sample(3 * runs, rate, SeededBits(rng))  # runs of three records each
    subset = np.zeros(runs, dtype=np.int64)
    np.add.at(subset, drawn // 3, 1 << (drawn % 3))
    law = [rate**s * (1 - rate) ** (3 - s) for s in (bin(k).count("1") for k in range(8))]
    counts = np.bincount(subset, minlength=8)
    assert fits_probabilities(counts, law)
    wrong = [0.33**s * 0.67 ** (3 - s) for s in (bin(k).count("1") for k in range(8))]
    assert not fits_probabilities(counts, wrong)


def test_the_edges_of_sampling(rng):
    assert poisson_sample(0, 0.5, SeededBits(rng)).size == 0
    assert poisson_sample(5, 1.0, SeededBits(rng)).tolist() == [0, 1, 2, 3, 4]
    for _ in range(200):
        drawn = poisson_sample(1000, 0.01, SeededBits(rng))
        assert (np.diff(drawn) > 0).all()
        assert drawn.size == 0 or (drawn[0] >= 0 and drawn[-1] < 1000)
    assert poisson_sample(10, 1e-6, SeededBits(np.random.default_rng(1))).size == 0


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 0.01, 1.0, 30.0, 1e4])
def test_amplification_is_inverted_exactly(epsilon):
    median = SampledMedian(rate=0.01)
    inside = median.inner(PureDP(epsilon), ADD)
    assert amplified(inside.epsilon, 0.01) == pytest.approx(epsilon, rel=1e-11)
    if epsilon < 20:
        direct = math.log1p(math.expm1(epsilon) / 0.01)
        assert inside.epsilon == pytest.approx(direct, rel=1e-11)
    assert amplified(epsilon, 1.0) == pytest.approx(epsilon)


EXACT = [*PLAIN, SampledMedian(ExponentialMedian(), 0.1), SampledMedian(NoisyMeanMedian(), 0.5)]


@pytest.mark.parametrize("median", EXACT, ids=name)
def test_exact_medians_take_secure_bits(median):
    nodes = hard_nodes()
    drawn = median.draw(nodes, PureDP(1.0), ADD, SecureBits(bytes(32)))
    again = median.draw(nodes, PureDP(1.0), ADD, SecureBits(bytes(32)))
    np.testing.assert_array_equal(drawn, again)
    assert median.card.holds.split()[0] == "exact"  # sampling: where the median inside is


@pytest.mark.parametrize("median", DELTA, ids=name)
def test_noise_scaled_by_the_data_refuses_secure_bits(median):
    with pytest.raises(InvalidParameter, match="floating point"):
        median.draw(hard_nodes(), ApproxDP(1.0, 1e-5), ADD, SecureBits.fresh())
    assert SmoothMedian().card.holds == "up to rounding"


@pytest.mark.parametrize("ordered", [True, False])
def test_medians_of_many_overlapping_nodes_stay_apart(ordered, rng):
    """Without noise every node gets its own median, whatever the others hold."""
    columns = [rng.random(size) for size in rng.integers(1, 40, 300)]
    nodes = groups(columns, [0.0] * 300, [1.0] * 300, ordered)
    drawn = ExponentialMedian().draw(nodes, PureDP(1e9), ADD, rng)
    for column, median in zip(columns, drawn, strict=True):
        below, up_to = (column < median).sum(), (column <= median + 2.0**-24).sum()
        assert below <= column.size / 2 <= up_to


@pytest.mark.parametrize("rate", [1e-6, 0.01, 0.3, 1 / 3, 1.234567890123456e-06])
def test_a_rate_is_never_rounded_up(rate):
    assert chance(rate) <= as_written(rate)
    assert chance(rate).denominator <= 2**62
    median = SampledMedian(rate=rate)
    for epsilon in (1e-6, 0.1, 1.0, 20.0):
        inside = Fraction(median.inner(PureDP(epsilon), ADD).epsilon)
        with localcontext(prec=80):
            part = Decimal(chance(rate).numerator) / Decimal(chance(rate).denominator)
            power = (Decimal(inside.numerator) / Decimal(inside.denominator)).exp()
            assert Fraction((1 + part * (power - 1)).ln()) <= as_written(epsilon)


@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_no_median_of_whole_places_tells_more_than_epsilon(neighbours):
    """All columns of at most three records on five places; twin: Δ halved."""
    epsilon = 1.0
    eta = ExponentialMedian().safe_eta(PureDP(epsilon), neighbours)
    for factor in (1.0, 2.0):
        laws = {
            column: dict(enumerate(probabilities(column, 0, 5, UNITS // 2, factor * eta)))
            for column in columns_of(5, 3)
        }
        inside = worst_loss(laws, neighbouring(5, 3, neighbours is REPLACE))
        nodes = neighbours.counts_changed  # a replaced record may leave one and enter another
        apart = nodes * worst_loss(laws, neighbouring(5, 3, replaced=False))
        assert (max(inside, apart) <= epsilon) == (factor == 1.0)


@by_rows("neighbours", [ADD, REPLACE])
@by_rows("size", [1e-6, 0.1, 0.3, 1.0, 7.7])
def test_a_noisy_mean_pays_for_its_sum_and_its_count_in_fractions(neighbours, size):
    scale = NoisyMeanMedian().scale(PureDP(size), neighbours)
    unit = _units(scale)
    assert scale * unit <= 2.0**40
    changed = neighbours.counts_changed
    of_sum = changed * Fraction(unit) / Fraction(scale * unit)
    of_count = changed / Fraction(scale)
    assert of_sum + of_count <= as_written(size) < (of_sum + of_count) * (1 + Fraction(1, 10**14))
    assert changed / Fraction(CellMedian().scale(PureDP(size), neighbours)) <= as_written(size)


def test_a_record_changes_a_whole_sum_by_one_unit_at_most(rng):
    unit = 2**24
    for _ in range(200):
        low = float(rng.normal())
        high = low + float(rng.exponential())
        values = rng.uniform(low, high, 5)
        values[0] = rng.choice([low, high])
        more = _whole_sums(groups([values], [low], [high]), unit)[0]
        fewer = _whole_sums(groups([values[1:]], [low], [high]), unit)[0]
        assert 0 <= more - fewer <= unit
