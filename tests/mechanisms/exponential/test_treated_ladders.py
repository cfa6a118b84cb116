"""Runs on a lazy spread against runs on a spread drawn in full, and against exact laws."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.exponential import one_quantile as exponential
from dpviz.mechanisms.exponential import treated_ladders
from dpviz.mechanisms.exponential.ladder import Ladder
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.exponential.treated_ladders import run_ladders
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.metrics.quantiles import gaps
from tests.rows import grid
from tests.statistics import FALSE_ALARM, can_tell_probabilities, fits_probabilities

MECHANISMS = [ApproximateQuantiles(), IndependentExp()]
RUNS, FEWER = 7_000, 3_000  # another epsilon is told by the former, a wrong spread by the latter

# the law of a spread shows in what is drawn, not in the cell of the grid that it is rounded to
pytestmark = pytest.mark.usefixtures("fine_outputs")


@pytest.fixture
def lazily(monkeypatch):
    """Switches between a spread drawn where looked at (the default) and in full."""

    def switch(on=True):
        monkeypatch.setattr(treated_ladders, "RECORDS_A_PROBLEM", 0 if on else math.inf)
        monkeypatch.setattr(treated_ladders, "RECORDS_A_CALL", 0 if on else math.inf)

    switch()
    return switch


def ages(values, bounds=(0, 100)):
    return Column.from_values(values, Bounds(*bounds), resolution=1)


def distance(a, b):
    """The largest distance between two empirical distribution functions."""
    both = np.concatenate((a, b))
    below = [np.searchsorted(np.sort(x), both, side="right") / x.size for x in (a, b)]
    return float(np.abs(below[0] - below[1]).max())


def radius(a, b, level):
    """What that distance exceeds with probability at most level (Massart 1990, for each)."""
    return sum(math.sqrt(math.log(4 / level) / (2 * x.size)) for x in (a, b))


def views(values):
    """Outputs, what lies between them, and how they hang together: one-dimensional samples."""
    found = list(values.T)
    for a, b in itertools.combinations(values.T, 2):
        found += [b - a, (a - 30) * (b - 30)]
    return found


def alike(one, other, comparisons):
    pairs = list(zip(views(one), views(other), strict=True))
    level = FALSE_ALARM / comparisons / len(pairs)
    return all(distance(a, b) <= radius(a, b, level) for a, b in pairs)


COLUMNS = {
    "one group": ages(np.full(40, 30)),
    "one record": ages([30]),
    "two that touch": ages([30] * 12 + [31] * 9, (20, 40)),
    "gaps and a large group": ages([17] * 5 + [18] * 30 + [20] * 3 + [40] * 12, (10, 60)),
    "groups on the bounds": ages([0] * 15 + [7] * 2 + [10] * 15, (0, 10)),
    "bounds far out": ages([30] * 25 + [33] * 25, (-1e6, 1e6)),
}


@pytest.mark.few(12)
@pytest.mark.law
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("epsilon", [pytest.param(0.3, marks=pytest.mark.thorough), 6.0])
def test_lazy_and_eager_runs_agree_in_law(rng, lazily, mechanism, name, epsilon):
    column, quantiles = COLUMNS[name], [0.2, 0.5, 0.55, 0.9]
    lazy = mechanism.release_many(column, quantiles, PureDP(epsilon), rng, FEWER)
    lazily(False)
    eager = mechanism.release_many(column, quantiles, PureDP(epsilon), rng, FEWER)
    assert alike(lazy, eager, 4 * len(COLUMNS))


@pytest.mark.law
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_another_epsilon_is_not_alike(rng, lazily, mechanism):
    column, quantiles = COLUMNS["gaps and a large group"], [0.2, 0.5, 0.55, 0.9]
    lazy = mechanism.release_many(column, quantiles, PureDP(6.0), rng, RUNS)
    lazily(False)
    for epsilon in (4.8, 7.5):
        eager = mechanism.release_many(column, quantiles, PureDP(epsilon), rng, RUNS)
        assert not alike(lazy, eager, 1)


class Fresh(LazySpread):
    """Wrong: every level of a run, and every part of its envelope, meets a spread of its own."""

    def __init__(self, groups, runs, rng):
        super().__init__(groups, runs, rng)
        self.blank = self.value, self.place

    def edge_below(self, problems, interval):
        self.value, self.place = self.blank
        return super().edge_below(problems, interval)


@pytest.mark.law
def test_a_spread_that_changes_between_levels_is_not_alike(rng, lazily, monkeypatch):
    column, quantiles, runs = COLUMNS["one group"], [0.45, 0.5, 0.55], []
    for on, kind in ((False, LazySpread), (True, LazySpread), (True, Fresh)):
        lazily(on)
        monkeypatch.setattr(treated_ladders, "LazySpread", kind)
        many = ApproximateQuantiles().release_many(column, quantiles, PureDP(6.0), rng, FEWER)
        runs.append(many)
    eager, lazy, fresh = runs
    assert alike(lazy, eager, 2)
    assert not alike(fresh, eager, 2)


CENTRE = 30  # midpoints a dimension


def spreads(c, low):
    """All spreads of c ties over (low, low + 1) on a midpoint grid, equally likely: (k, c)."""
    points = low + (np.arange(CENTRE) + 0.5) / CENTRE
    return np.sort(np.array(list(itertools.product(points, repeat=c))), axis=1)


def bin_masses(records, bounds, q, eta, cuts):
    """Exact law (k, bins) of one exponential mechanism given each of k spreads."""
    edges = np.pad(records, ((0, 0), (1, 1)))
    edges[:, 0], edges[:, -1] = bounds
    n = records.shape[1]
    masses = np.diff(edges, axis=1) * np.exp(-eta * np.abs(np.arange(n + 1) - q * n))
    density = masses / masses.sum(axis=1, keepdims=True) / np.diff(edges, axis=1).clip(1e-300)
    inside = np.clip(cuts[None, None, :], edges[:, :-1, None], edges[:, 1:, None])
    return np.einsum("kj,kjb->kb", density, np.diff(inside, axis=2))


CUTS = np.array([-0.5, 0.6, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4, 2.5])


@pytest.mark.law
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_one_quantile_of_one_group_follows_the_exact_law(rng, lazily, mechanism):
    column, runs = ages([1, 1, 1], (0, 2)), 16_000

    def law(epsilon):
        return bin_masses(spreads(3, 0.5), (-0.5, 2.5), 0.5, epsilon, CUTS).mean(axis=0)

    values = mechanism.release_many(column, [0.5], PureDP(3.0), rng, runs)[:, 0]
    counts = np.histogram(values, CUTS)[0]
    assert fits_probabilities(counts, law(3.0), comparisons=2)
    for factor in (0.8, 1.25):
        assert can_tell_probabilities(runs, law(3.0 * factor), law(3.0), comparisons=2)
        assert not fits_probabilities(counts, law(3.0 * factor), comparisons=2)


def joint_law(once):
    """Cells (i ≤ j) of two sorted outputs, given what each does on every spread: (k, bins)."""
    both = np.einsum("ki,kj->ij", once, once) / len(once)
    return np.triu(both + both.T - np.diag(np.diag(both)))


@pytest.mark.law
def test_the_quantiles_of_a_run_share_one_spread(rng, lazily):
    column, runs = ages([1, 1], (0, 2)), 20_000
    cuts = np.concatenate(([-0.5], np.linspace(0.4, 1.6, 25), [2.5]))  # ends: what is clipped
    quantiles = [0.5 - 1e-9, 0.5]
    eta = IndependentExp().each_epsilon(PureDP(12.0), 2)
    once = bin_masses(spreads(2, 0.5), (-0.5, 2.5), 0.5, eta, cuts)
    right = joint_law(once)
    apart = joint_law(once.mean(axis=0, keepdims=True))  # a spread for each quantile
    values = IndependentExp().release_many(column, quantiles, PureDP(12.0), rng, runs)
    cells = np.digitize(values, cuts) - 1
    counts = np.bincount(cells[:, 0] * 26 + cells[:, 1], minlength=26**2)
    possible = np.triu(np.ones((26, 26), dtype=bool)).ravel()
    assert counts[~possible].sum() == 0
    right, apart, counts = right.ravel()[possible], apart.ravel()[possible], counts[possible]
    assert fits_probabilities(counts, right)
    assert can_tell_probabilities(runs, apart, right)
    assert not fits_probabilities(counts, apart)


@pytest.mark.law
def test_every_path_of_the_sampler_gives_the_law(rng, lazily, monkeypatch):
    column, runs = ages([1, 1, 1], (0, 2)), 20_000
    law = bin_masses(spreads(3, 0.5), (-0.5, 2.5), 0.5, 1.0, CUTS).mean(axis=0)

    def holds():
        values = ApproximateQuantiles().release_many(column, [0.5], PureDP(1.0), rng, runs)[:, 0]
        return fits_probabilities(np.histogram(values, CUTS)[0], law, comparisons=3)

    monkeypatch.setattr(treated_ladders, "PROBLEMS_AT_ONCE", 100)
    assert holds()
    monkeypatch.setattr(exponential, "_blocks_needed", lambda ladder, problems: 1)
    assert holds()
    monkeypatch.setattr(exponential, "ROUNDS", 0)  # every row by enumeration
    runs = 2_000
    assert holds()


@pytest.mark.law
@grid(
    mechanism=MECHANISMS,
    name=COLUMNS,
    epsilon=[1e-4, 1.0, 1e3],
    quantiles=[[0.5], [1e-9, 1 - 1e-9], uniform_quantiles(120)],
)
def test_outputs_are_ordered_inside_the_bounds_and_repeatable(
    lazily, mechanism, name, epsilon, quantiles
):
    column = COLUMNS[name]
    one, again = (
        mechanism.release_many(column, quantiles, PureDP(epsilon), np.random.default_rng(1), 20)
        for _ in range(2)
    )
    assert one.shape == (20, len(quantiles))
    assert (np.diff(one, axis=1) >= 0).all()
    assert ((one >= column.bounds.low) & (one <= column.bounds.high)).all()
    np.testing.assert_array_equal(one, again)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_with_a_huge_budget_every_output_lies_in_its_group(rng, lazily, mechanism):
    column = ages(np.round(rng.normal(50, 12, 100_000)), (0, 120))
    quantiles = uniform_quantiles(19)
    values = mechanism.release_many(column, quantiles, PureDP(1e7), rng, 20)
    assert gaps(column, quantiles, values).max() == 0
    groups = column.values[(quantiles * column.n).astype(int)]
    assert (np.abs(values - groups) <= 0.5).all()
    twice = mechanism.release_many(column, [0.999999], PureDP(1e7), rng, 2)[:, 0]
    assert twice[0] != twice[1]  # no run repeats the spread of another


@pytest.mark.law
def test_a_spread_is_lazy_only_where_that_is_exact_and_pays():
    def kind(column, ties=Ties.SPREAD, runs=50, m=9):
        climbs = next(run_ladders(column, ties, np.random.default_rng(0), runs, m))
        ladder, starts = climbs.ladder, climbs.first
        assert starts.size <= runs
        return type(ladder)

    many = np.arange(100_000) % 90
    assert kind(ages(many)) is LazySpread
    assert kind(ages(many), runs=2) is LazySpread
    assert kind(ages(many), runs=1) is Ladder  # a single release is one run of this
    assert kind(ages(many), m=99) is Ladder
    assert kind(ages(many[:1000])) is Ladder
    assert kind(ages(many), ties=Ties.KEEP) is Ladder
    assert kind(ages(many), ties=Ties.JITTER) is Ladder
    assert kind(ages(many * 0.5)) is Ladder  # ranges overlap
    assert kind(Column.from_values(many, Bounds(0, 100))) is Ladder


def test_the_pieces_of_many_runs_hold_them_all(monkeypatch):
    monkeypatch.setattr(treated_ladders, "PROBLEMS_AT_ONCE", 64)
    column = ages(np.arange(100_000) % 90)
    pieces = run_ladders(column, Ties.SPREAD, np.random.default_rng(0), 50, 9)
    sizes = [climbs.first.size for climbs in pieces]
    assert sizes == [7] * 7 + [1]
    monkeypatch.setattr(treated_ladders, "RECORDS_AT_ONCE", 300_000)
    pieces = run_ladders(column, Ties.SPREAD, np.random.default_rng(0), 50, 9)
    assert {climbs.first.size for climbs in pieces} == {3, 2}
