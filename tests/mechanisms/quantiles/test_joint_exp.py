"""JointExp against enumeration of all tuples, untruncated tables, and exact privacy losses."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import bounded_range_epsilon
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, InvalidQuantiles, TooMuchWork
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.exponential.composition import bounded_range_delta
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties, untied_values
from dpviz.mechanisms.quantiles.joint_exp.forward import final_gap, forward, kernel_step
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp, table_entries
from dpviz.mechanisms.quantiles.joint_exp.sampler import sample_intervals, values_inside
from dpviz.mechanisms.quantiles.joint_exp.window import (
    JointProblem,
    Windows,
    certified_radius,
    log_mass_at_least,
)
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits, fits_probabilities

BOUNDS = Bounds(-3, 3)
RELATIONS = list(Neighbours)


def intervals_of(values, bounds):
    """Plain-loop twin: (low, width, records below) of every interval that has a width."""
    edges = [bounds.low, *sorted(values), bounds.high]
    pairs = enumerate(itertools.pairwise(edges))
    return [(a, b - a, k) for k, (a, b) in pairs if b > a]


def utility(ranks, n, quantiles):
    ends = [0, *ranks, n]
    shares = [0.0, *quantiles, 1.0]
    return -sum(
        abs((ends[j + 1] - ends[j]) - n * (shares[j + 1] - shares[j])) for j in range(len(ends) - 1)
    )


def enumerate_tuples(values, bounds, quantiles, c):
    """Log weight of every ascending tuple of intervals, by definition."""
    cells = intervals_of(values, bounds)
    weights = {}
    for choice in itertools.combinations_with_replacement(range(len(cells)), len(quantiles)):
        weight = c * utility([cells[i][2] for i in choice], len(values), quantiles)
        for i, times in Counter(choice).items():
            weight += times * math.log(cells[i][1]) - math.lgamma(times + 1)
        weights[choice] = weight
    return weights


def small_problems():
    rng = np.random.default_rng(7)
    for trial in range(60):
        n, m = int(rng.integers(0, 7)), int(rng.integers(1, 5))
        tied = trial % 2 == 0  # integers from −3 to 3: ties, and records on both bounds
        values = rng.integers(-3, 4, n).astype(float) if tied else rng.uniform(-3, 3, n)
        yield np.sort(values), np.sort(rng.uniform(0, 1, m)), float(rng.choice([0.01, 0.3, 5.0]))


def medium_problem(rng, n=200, m=20, tied=False, c=0.3, low=0.0):
    values = np.sort(rng.normal(0, 0.7, n).clip(-3, 3))
    if tied:
        values = np.round(values, 1)
    return JointProblem.of(values, Bounds(-3 + low, 3), uniform_quantiles(m), c)


def check_mass_and_last_marginal(problems, tables_of):
    for values, quantiles, c in problems:
        weights = enumerate_tuples(values, BOUNDS, quantiles, c)
        expected = np.logaddexp.reduce(list(weights.values()))
        problem = JointProblem.of(values, BOUNDS, quantiles, c)
        for windows in (Windows.everything(problem), Windows.certified(problem)):
            tables = tables_of(problem, windows)
            assert tables.log_mass == pytest.approx(expected, abs=1e-12)
            last = tables.f_of(problem.m - 1) + final_gap(problem, windows)
            for place, weight in enumerate(last, start=int(windows.first[-1])):
                same = [w for choice, w in weights.items() if choice[-1] == place]
                assert weight == pytest.approx(np.logaddexp.reduce(same), abs=1e-12)


def test_mass_and_last_marginal_equal_enumeration():
    check_mass_and_last_marginal(small_problems(), forward)


def check_law(drawn, values, quantiles, comparisons=1):
    """Tuples drawn at c = 0.5 have their exact law, and not that with half the sensitivity."""
    weights, twin = (enumerate_tuples(values, BOUNDS, quantiles, c) for c in (0.5, 1.0))
    seen = Counter(map(tuple, drawn.tolist()))
    assert set(seen) <= set(weights)
    counts = np.array([seen[choice] for choice in weights])
    right, wrong = (np.exp(np.array(list(one.values()))) for one in (weights, twin))
    right, wrong = right / right.sum(), wrong / wrong.sum()
    assert can_tell_probabilities(len(drawn), right, wrong, comparisons=comparisons)
    assert fits_probabilities(counts, right, comparisons=comparisons)
    assert not fits_probabilities(counts, wrong, comparisons=comparisons)


@pytest.mark.law
def test_sampled_tuples_have_the_exact_law_and_a_wrong_sensitivity_is_rejected():
    rng = np.random.default_rng(11)
    for values, quantiles in (
        (np.array([-2.5, -1.0, 0.2, 0.3, 1.9]), np.array([0.2, 0.55, 0.9])),
        (np.array([-3.0, -1.0, -1.0, -1.0, 2.0, 3.0]), np.array([0.3, 0.35, 0.7])),
        (np.array([0.0, 0.0, 0.0, 0.0, 1.0]), np.array([0.25, 0.5, 0.75, 0.8])),
    ):
        problem = JointProblem.of(values, BOUNDS, quantiles, 0.5)
        drawn = sample_intervals(forward(problem, Windows.certified(problem)), rng, 20_000)
        check_law(drawn, values, quantiles, comparisons=3)


def test_kernel_step_equals_the_dense_sum(rng):
    for _ in range(200):
        jump = int(rng.choice([1, 1, 4, 300]))  # 1: no ties
        before = np.cumsum(rng.integers(1, jump + 1, rng.integers(1, 40))).astype(float)
        here = np.cumsum(rng.integers(1, jump + 1, rng.integers(1, 40))) + float(
            rng.integers(-5, 60)
        )
        f = rng.normal(scale=30, size=before.size)
        gap = float(rng.choice([0.3, 1.0, 2.5, 7.0, 33.3, 5000.0]))
        c = float(rng.choice([1e-7, 0.3, 40.0]))
        apart = here[:, None] - before
        terms = np.where(apart > 0, f - c * np.abs(apart - gap), -np.inf)
        dense = np.logaddexp.reduce(terms, axis=1)
        found = kernel_step(f, before, here, gap, c)
        np.testing.assert_allclose(found, dense, rtol=1e-12, atol=1e-10)


@pytest.mark.few(2)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("n", "m", "c"), [(200, 20, 0.3), (2000, 20, 1.0), (3000, 60, 3.0)])
def test_certified_windows_and_dropped_runs_change_nothing_visible(rng, n, m, c, tied):
    problem = medium_problem(rng, n, m, tied, c)
    full = forward(problem, Windows.everything(problem), cut=math.inf)
    windows = Windows.certified(problem)
    cut = forward(problem, windows)
    assert cut.log_mass == pytest.approx(full.log_mass, rel=1e-12)
    marginal = np.exp(cut.f_of(m - 1) + final_gap(problem, windows) - cut.log_mass)
    everything = Windows.everything(problem)
    whole = np.exp(full.f_of(m - 1) + final_gap(problem, everything) - full.log_mass)
    inside = slice(int(windows.first[-1]), int(windows.stop[-1]))
    np.testing.assert_allclose(marginal, whole[inside], rtol=1e-9, atol=1e-15)
    assert whole.sum() - whole[inside].sum() < 1e-15


def test_windows_and_cuts_that_are_too_tight_are_noticed(rng):
    problem = medium_problem(rng, 2000, 20, c=1.0)
    windows = Windows.certified(problem)
    assert (windows.stop - windows.first).max() < problem.rank.size / 4  # they do cut
    exact = forward(problem, windows).log_mass
    middle = (windows.first + windows.stop) // 2
    narrow = Windows(np.maximum(middle - 1, 0), np.maximum(middle + 2, 3))
    assert forward(problem, narrow).log_mass < exact - 1e-3
    wide = medium_problem(rng, 200, 20, c=0.01)
    everything = Windows.everything(wide)
    exact = forward(wide, everything).log_mass
    assert forward(wide, everything, cut=2.0).log_mass < exact - 1e-3


@pytest.mark.law
def test_the_lower_bound_on_the_mass_holds_under_any_ties():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n, m = int(rng.integers(0, 60)), int(rng.integers(1, 12))
        values = np.sort(rng.integers(-3, 4, n).astype(float))
        quantiles = np.sort(rng.uniform(0, 1, m))
        problem = JointProblem.of(values, BOUNDS, quantiles, float(rng.choice([0.01, 0.3, 5.0])))
        mass = forward(problem, Windows.everything(problem), cut=math.inf).log_mass
        assert log_mass_at_least(problem) <= mass + 1e-9
        nearest = np.abs(problem.rank[:, None] - problem.targets).min(axis=0)
        assert certified_radius(problem) > nearest.max()


@pytest.mark.parametrize("neighbours", RELATIONS)
def test_sensitivity_bounds_the_utility_and_is_reached(neighbours):
    quantiles = [0.1, 0.5, 0.7]
    delta = JointExp(neighbours).sensitivity(quantiles)
    worst = 0.0
    n = 10
    for ranks in itertools.combinations_with_replacement(range(n + 1), 3):
        base = utility(ranks, n, quantiles)
        gains = itertools.product([0, 1], repeat=4)
        for gain in (g for g in gains if sorted(g) == list(g)):
            more = [r + g for r, g in zip(ranks, gain[:3], strict=True)]
            if neighbours is Neighbours.ADD_REMOVE:  # one record more, somewhere
                worst = max(
                    worst,
                    abs(utility(more, n + 1 if gain[3] else n, quantiles) - base)
                    if gain[3]
                    else 0.0,
                )
            elif more[-1] <= n:  # one record moved down past some of the outputs
                worst = max(worst, abs(utility(more, n, quantiles) - base))
    assert worst <= delta + 1e-12
    assert worst == pytest.approx(delta)


def neighbours_of(column, relation):
    """A column and one with a record added, or moved, at telling places."""
    places = [-3.0, -2.9, -0.5, 0.0, 0.1, 2.0, 3.0]
    if relation is Neighbours.ADD_REMOVE:
        return [np.sort(np.append(column, x)) for x in places]
    return [np.sort(np.append(column[1:], x)) for x in places]


def log_losses(first, second, mechanism, quantiles, budget):
    """Exact log-ratios of the two output densities on a common refinement of all cells."""
    rng = np.random.default_rng(0)
    edges = sorted({BOUNDS.low, BOUNDS.high, *first, *second})
    middles = [(a + b) / 2 for a, b in itertools.pairwise(edges)]
    c = mechanism.epsilon(budget) / (2 * mechanism.sensitivity(quantiles))
    density = []
    for values in (first, second):
        column = Column.from_values(values, BOUNDS)
        mass = mechanism.tables(column, quantiles, budget, rng).log_mass
        density.append(
            np.array(
                [
                    c * utility([int((values < x).sum()) for x in outputs], values.size, quantiles)
                    - mass
                    for outputs in itertools.combinations_with_replacement(middles, len(quantiles))
                ]
            )
        )
    return density[0] - density[1]


@pytest.mark.few(3)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_privacy_loss_and_its_range_stay_within_epsilon(relation, epsilon):
    quantiles = [0.15, 0.5, 0.6]
    mechanism = JointExp(relation)
    worst = 0.0
    for column in ([], [0.0], [-1.0, 0.1, 0.1], [-3.0, -3.0, 0.0, 2.0, 3.0]):
        if not column and relation is Neighbours.REPLACE_ONE:
            continue
        values = np.array(column)
        for other in neighbours_of(values, relation):
            loss = log_losses(values, other, mechanism, quantiles, PureDP(epsilon))
            assert np.abs(loss).max() <= epsilon + 1e-9
            assert np.ptp(loss) <= epsilon + 1e-9
            worst = max(worst, float(np.ptp(loss)))
    assert 2 * worst > epsilon  # so that a mechanism with half the Δ would be caught here


def test_epsilon_for_each_notion():
    assert JointExp().epsilon(PureDP(0.7)) == 0.7
    assert JointExp().epsilon(ZCDP(0.5)) == pytest.approx(bounded_range_epsilon(0.5))
    assert JointExp().epsilon(ZCDP(0.5)) > 2.05  # √(8ρ) is 2
    assert JointExp(rho_rule=RhoRule.PAPER).epsilon(ZCDP(0.5)) == pytest.approx(1.0)
    epsilon = JointExp().epsilon(ApproxDP(1.0, 1e-2))
    assert epsilon > 1.0
    assert bounded_range_delta(epsilon, 1, 1.0) == pytest.approx(1e-2, rel=1e-6)


@pytest.mark.law
def test_without_records_the_quantiles_are_sorted_uniforms(rng):
    column = Column.from_values([], BOUNDS)
    drawn = JointExp().release_many(column, [0.2, 0.3, 0.9], PureDP(1.0), rng, 20_000)
    for j in range(3):
        order = stats.beta(j + 1, 3 - j, loc=-3, scale=6)
        assert fits(drawn[:, j], order, comparisons=3)
    assert not fits(drawn[:, 0], stats.beta(1, 2, loc=-3, scale=6), comparisons=3)


@pytest.mark.law
def test_one_quantile_has_the_exponential_mechanisms_density(rng):
    values = np.array([-2.0, -1.0, 0.5, 0.6])
    weights = enumerate_tuples(values, BOUNDS, [0.5], 0.5)  # Δ = 1 for the median, ε = 1
    mass = np.exp(list(weights.values()))
    edges = np.array([-3.0, -2.0, -1.0, 0.5, 0.6, 3.0])
    law = stats.rv_histogram((mass / mass.sum() / np.diff(edges), edges), density=True)
    column = Column.from_values(values, BOUNDS)
    drawn = JointExp().release_many(column, 0.5, PureDP(1.0), rng, 20_000)[:, 0]
    assert fits(drawn, law)
    assert not fits(drawn, stats.uniform(-3, 6))


EDGES = {
    "empty": [],
    "one": [0.5],
    "one on a bound": [3.0],
    "all equal": [1.0] * 50,
    "all on the low bound": [-3.0] * 50,
    "both bounds": [-3.0] * 20 + [3.0] * 30,
    "ties": [-2.0, -1.0, 0.0, 1.0] * 25,
    "spread": list(np.linspace(-2.9, 2.9, 101)),
}


@pytest.mark.law
@by_rows("relation", RELATIONS)
@by_rows("epsilon", [1e-6, 1.0, 1e4])
@by_rows("values", EDGES.values(), ids=EDGES.keys())
def test_edges_keep_the_contract(rng, values, epsilon, relation):
    asked = [0.9, 0.1, 0.5, 0.5, 1e-9, 1 - 1e-9]
    for resolution, ties in ((0.0, Ties.SPREAD), (1.0, Ties.SPREAD), (1.0, Ties.JITTER)):
        column = Column.from_values(values, BOUNDS, resolution)
        release = JointExp(relation, ties=ties).release(column, asked, PureDP(epsilon), rng)
        assert release.values.shape == (6,)
        assert release.values[2] == release.values[3]
        assert (np.diff(release.values[np.argsort(asked, kind="stable")]) >= 0).all()
        assert (np.abs(release.values) <= 3).all()


@pytest.mark.law
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 1e4])
def test_five_hundred_quantiles(rng, epsilon):
    column = Column.from_values(rng.normal(size=300), BOUNDS)
    mechanism = JointExp(records=300)
    drawn = mechanism.release_many(column, uniform_quantiles(500), PureDP(epsilon), rng, 3)
    assert drawn.shape == (3, 500)
    assert (np.diff(drawn, axis=1) >= 0).all()


def test_without_noise_the_truth_comes_back(rng):
    column = Column.from_values(rng.normal(size=1000), BOUNDS)
    quantiles = uniform_quantiles(9)
    drawn = JointExp().release_many(column, quantiles, PureDP(1e6), rng, 20)
    truth = QuantileSet.of(quantiles).ranks(1000)
    assert np.abs(column.count_below(drawn) - truth).max() <= 1


def test_rounding_to_the_grid(rng):
    column = Column.from_values(rng.integers(-3, 4, 200), BOUNDS, resolution=1.0)
    drawn = JointExp(round_to_grid=True).release_many(column, [0.2, 0.8], PureDP(1.0), rng, 5)
    assert (drawn == np.round(drawn)).all()


@pytest.mark.usefixtures("fine_outputs")
def test_every_run_of_a_spread_column_has_its_own_jitter(rng):
    column = Column.from_values([0.0] * 40, BOUNDS, resolution=2.0)
    drawn = JointExp().release_many(column, [0.5], PureDP(1e4), rng, 200)[:, 0]
    assert np.unique(np.round(drawn, 3)).size > 20  # one jitter would leave an interval or two


@pytest.mark.parametrize("alike", [1, 3, 9])
def test_runs_of_one_spread_are_drawn_from_tables_of_its_own(alike):
    """The slow way: every spread whole, its tables in logarithms and without windows."""
    column = Column.from_values(np.arange(120) % 5 - 2.0, BOUNDS, resolution=1.0)
    asked = QuantileSet.of([0.7, 0.2, 0.5])
    found = JointExp().release_alike(column, asked, PureDP(2.0), np.random.default_rng(5), 7, alike)
    rng, rows, c = np.random.default_rng(5), [], JointExp().sharpness(PureDP(2.0), asked)
    while (left := 7 - len(rows)) > 0:
        values = untied_values(column, Ties.SPREAD, rng)
        problem = JointProblem.of(values, BOUNDS.widened(0.5), asked.distinct, c)
        tables = forward(problem, Windows.everything(problem))
        places = sample_intervals(tables, rng, min(alike, left))
        rows.extend(values_inside(problem, places, rng))
    slow = asked.in_order_asked(column.grid.rounded(np.array(rows)))
    assert found.tolist() == slow.tolist()
    many = JointExp().release_many(column, asked, PureDP(2.0), np.random.default_rng(5), 7)
    assert (found.tolist() == many.tolist()) == (alike == 1)


def test_runs_of_a_column_that_is_not_spread_share_its_tables(rng):
    column = Column.from_values(np.linspace(-2, 2, 99), BOUNDS)
    many, alike = (
        draw(column, [0.3, 0.6], PureDP(1.0), np.random.default_rng(5), 7, *group)
        for draw, *group in ((JointExp().release_many,), (JointExp().release_alike, 2))
    )
    assert many.tolist() == alike.tolist()
    with pytest.raises(InvalidQuantiles):
        JointExp().release_alike(column, [1.5], PureDP(1.0), rng, 7, 2)


def test_same_seed_same_release():
    column = Column.from_values(np.linspace(-2, 2, 99), BOUNDS)
    first, second = (
        JointExp().release(column, [0.3, 0.6], ZCDP(0.1), np.random.default_rng(5)) for _ in "ab"
    )
    assert first == second
    assert type(first).from_json(first.to_json()) == first


def test_quantiles_outside_are_refused(rng):
    column = Column.from_values([0.0], BOUNDS)
    with pytest.raises(InvalidQuantiles):
        JointExp().check(PureDP(1.0), [0.0, 0.5])
    with pytest.raises(InvalidQuantiles):
        JointExp().release(column, [1.0], PureDP(1.0), rng)


def test_windows_do_not_grow_with_n():
    rng = np.random.default_rng(1)
    lengths = []
    for n in (100_000, 200_000):
        values = np.sort(rng.uniform(-3, 3, n))
        windows = Windows.certified(JointProblem.of(values, BOUNDS, uniform_quantiles(9), 0.3))
        lengths.append((windows.stop - windows.first).max())
    assert lengths[0] < 1000
    assert lengths[1] < 1.1 * lengths[0]


def test_a_refusal_says_nothing_of_the_column(rng):
    """The number of records once decided: 119,999 were drawn, 120,000 refused."""
    quantiles, budget, refusals = uniform_quantiles(500), PureDP(0.01), set()
    for n in (0, 1, 300, 119_999, 120_000, 1_000_000):
        column = Column.from_values(np.linspace(-3, 3, n), BOUNDS)
        state = rng.bit_generator.state
        for attempt in (
            lambda: JointExp().check(budget, quantiles),
            lambda column=column: JointExp().release(column, quantiles, budget, rng),
            lambda column=column: JointExp().release_many(column, quantiles, budget, rng, 2),
        ):
            with pytest.raises(TooMuchWork, match="fewer quantiles, spend more") as refused:
                attempt()
            refusals.add(str(refused.value))
        assert rng.bit_generator.state == state
    assert len(refusals) == 1


def test_a_declared_number_of_records_lets_small_columns_pass(rng):
    quantiles, budget = uniform_quantiles(500), PureDP(0.01)
    column = Column.from_values([0.5], BOUNDS)
    drawn = JointExp(records=1000).release(column, quantiles, budget, rng)
    assert drawn.values.size == 500
    for wrong in (0, -1, 1.5, "many", True):
        with pytest.raises(InvalidParameter, match="records"):
            JointExp(records=wrong)


@pytest.mark.parametrize("m", [1, 9, 60, 120])
@pytest.mark.parametrize("relation", RELATIONS)
def test_what_studies_ask_is_accepted(m, relation):
    for budget in (PureDP(0.01), PureDP(1), ZCDP(0.5), ApproxDP(1, 1e-6)):
        JointExp(relation).check(budget, uniform_quantiles(m))


def test_the_public_estimate_lies_above_tables_of_ordinary_columns():
    rng = np.random.default_rng(2)
    for n, m, c in ((1_000, 5, 0.1), (20_000, 50, 0.25), (100_000, 120, 0.05), (300, 500, 1e-9)):
        for values in (rng.uniform(-3, 3, n), rng.normal(0, 0.3, n).clip(-3, 3)):
            problem = JointProblem.of(np.sort(values), BOUNDS, uniform_quantiles(m), c)
            needed = Windows.certified(problem).size
            assert needed <= table_entries(m, c, n) <= 8 * needed


def test_work_that_takes_long_is_refused_at_once_with_an_estimate(rng):
    column = Column.from_values(rng.normal(0, 1, 100_000).clip(-3, 3), BOUNDS)
    with pytest.raises(TooMuchWork, match=r"about \d+ seconds on a column of 1,000,000 records"):
        JointExp().release(column, uniform_quantiles(1000), PureDP(1), rng)
