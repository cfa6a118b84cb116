"""The lazy spread on its own: whatever is asked, the records that come out are spread uniformly.

Completing a spread after some questions gives every record. If the completed records have the law
of an eager spread, and every earlier answer agrees with them, the answers have the right joint law.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from tests.statistics import can_tell, can_tell_probabilities, fits, fits_probabilities

RUNS = 20_000
C = 6
CELLS = 4


def groups_of(values, bounds=(0, 1), resolution=1.0):
    return SpreadGroups.of(Column.from_values(values, Bounds(*bounds), resolution))


UNIT = groups_of([0.5] * C)  # one group, spread over (0, 1)


class Questions:
    """A spread under questions that are the same in every run, and what it answered."""

    def __init__(self, groups, rng, runs=RUNS, kind=LazySpread):
        self.spread, self.runs = kind(groups, runs, rng), runs
        self.first = np.arange(runs) * self.spread.stride
        self.n = self.spread.stride - 1
        self.told, self.counted = [], []

    def records(self, *index):
        """Values (runs, q) of records, drawn in one call."""
        asked = self.first[:, None] + np.array(index)
        values = self.spread.records(asked.ravel()).reshape(asked.shape)
        self.told += zip(index, values.T, strict=True)
        return values

    def counts(self, *points):
        """Records (runs, q) below values or arrays of values (runs,), drawn in one call."""
        at = np.stack([np.broadcast_to(x, self.runs) for x in points], axis=1).astype(float)
        first = np.repeat(self.first, at.shape[1])
        found = self.spread.holding(at.ravel(), first, first + self.n).reshape(at.shape)
        found -= self.first[:, None]
        self.counted += zip(at.T, found.T, strict=True)
        return found

    def completed(self):
        """All records (runs, n), and whether every answer so far agrees with them."""
        told, counted = list(self.told), list(self.counted)
        values = self.records(*range(self.n))
        agrees = bool((values[:, 1:] >= values[:, :-1]).all())
        agrees &= all((values[:, i] == value).all() for i, value in told)
        agrees &= all(((values < x[:, None]).sum(axis=1) == k).all() for x, k in counted)
        return values, agrees


def independent_parts(values, low=0.0, high=1.0):
    """Rosenblatt's map (runs, c): order statistics become independent uniforms."""
    share = (np.column_stack((values, np.full(len(values), high))) - low) / (high - low)
    return (share[:, :-1] / share[:, 1:]) ** np.arange(1, values.shape[1] + 1)


def grid_counts(a, b):
    cells = [np.minimum((x * CELLS).astype(int), CELLS - 1) for x in (a, b)]
    return np.bincount(cells[0] * CELLS + cells[1], minlength=CELLS**2)


def spread_uniformly(values, comparisons, low=0.0, high=1.0, outside=None):
    """Whether rows are order statistics of uniforms, and independent of outside, (runs,) in 0–1."""
    parts = [*independent_parts(values, low, high).T]
    alone = all(fits(part, stats.uniform(), comparisons=20 * comparisons) for part in parts)
    pairs = itertools.combinations(parts + ([] if outside is None else [outside]), 2)
    flat = np.full(CELLS**2, CELLS**-2.0)
    return alone and all(
        fits_probabilities(grid_counts(*pair), flat, comparisons=60 * comparisons) for pair in pairs
    )


def nothing(ask):
    return None


def records_at_once(ask):
    ask.records(4, 1, 1, 3)


def records_one_by_one(ask):
    for index in (3, 0, 5, 2):
        ask.records(index)


def one_probe(ask):
    ask.counts(0.3)


def probes_at_once(ask):
    ask.counts(0.7, 0.2, 0.5, 0.45, 0.5, 0.9, 0.05)


def probes_one_by_one(ask):
    for x in (0.5, 0.4, 0.45, 0.9, 0.42):
        ask.counts(x)


def mixed(ask):
    ask.records(2, 4)
    ask.counts(0.35, 0.6)
    ask.records(1, 3)
    ask.counts(0.5)


def led_by_answers(ask):
    """As the sampler does: a probe between two known records, then the records beside it."""
    edges = ask.records(1, 4)
    inner = edges[:, 0] + 0.3 * (edges[:, 1] - edges[:, 0])
    ask.counts(inner)
    ask.counts(inner + 1e-3, 0.5 * (inner + edges[:, 1]))
    ask.records(2)


def probes_at_records(ask):
    values = ask.records(2, 3)
    ask.counts(values[:, 0], values[:, 1], np.nextafter(values[:, 0], 2))


def probes_beyond(ask):
    ask.counts(-1.0, 0.0, 1.0, 2.0)


SCRIPTS = [
    nothing,
    records_at_once,
    records_one_by_one,
    one_probe,
    probes_at_once,
    probes_one_by_one,
    mixed,
    led_by_answers,
    probes_at_records,
    probes_beyond,
]


@pytest.mark.law
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_completed_spread_is_uniform_and_agrees_with_every_answer(rng, script):
    ask = Questions(UNIT, rng)
    script(ask)
    values, agrees = ask.completed()
    assert agrees
    assert spread_uniformly(values, len(SCRIPTS))


def test_the_spread_does_not_lean_on_where_probes_fall(rng):
    ask, at = Questions(UNIT, rng), rng.random(RUNS)
    ask.counts(at)
    ask.counts(at / 2, (at + 1) / 2)
    values, agrees = ask.completed()
    assert agrees
    assert spread_uniformly(values, 1, outside=at)


class Forgetful(LazySpread):
    """Wrong: rejected probes are not kept."""

    def _insert(self, at, value, place):
        kept = place % 2 == 1
        super()._insert(at[kept], value[kept], place[kept])


class CountsForgotten(LazySpread):
    """Wrong: earlier answers split the range of a group, but not its records."""

    def _segment(self, at, run, group):
        low, _, high, _ = super()._segment(at, run, group)
        first = run * self.stride + self.groups.ranks[group]
        return low, first, high, first + np.diff(self.groups.ranks)[group]


class ValuesForgotten(LazySpread):
    """Wrong: earlier answers split the records of a group, but not its range."""

    def _segment(self, at, run, group):
        _, first, _, last = super()._segment(at, run, group)
        return self.groups.low[group], first, self.groups.high[group], last


class ShortTotal:
    """Wrong: gamma steps over a total of c instead of c + 1 exponentials."""

    def __init__(self, rng):
        self.rng, self.binomial, self.rest = rng, rng.binomial, False

    def standard_gamma(self, shape):
        drawn = self.rng.standard_gamma(shape - 1 if self.rest else shape)
        self.rest = not self.rest
        return drawn


@pytest.mark.law
@pytest.mark.parametrize("script", [mixed, led_by_answers, probes_one_by_one])
@pytest.mark.parametrize("wrong", [Forgetful, CountsForgotten, ValuesForgotten])
def test_a_spread_that_forgets_is_caught(rng, wrong, script):
    ask = Questions(UNIT, rng, kind=wrong)
    script(ask)
    values, agrees = ask.completed()
    assert not (agrees and spread_uniformly(np.sort(values, axis=1), 1))


def test_a_total_of_c_steps_is_caught(rng):
    values, agrees = Questions(UNIT, ShortTotal(rng)).completed()
    assert agrees
    assert not spread_uniformly(values, 1)


@pytest.mark.law
@pytest.mark.parametrize("index", [0, 7, 18])
def test_one_order_statistic_is_beta(rng, index):
    found = Questions(groups_of([0.5] * 20), rng, 200_000).records(index)[:, 0]
    right, wrong = stats.beta(index + 1, 20 - index), stats.beta(index + 1, 19 - index)
    assert fits(found, right, comparisons=3)
    assert can_tell(found.size, wrong, right, comparisons=3)
    assert not fits(found, wrong, comparisons=3)


@pytest.mark.parametrize("x", [0.02, 0.4])
def test_one_count_is_binomial(rng, x):
    found = Questions(groups_of([0.5] * 30), rng, 200_000).counts(x)[:, 0]
    k = np.arange(31)
    right = stats.binom(30, x).pmf(k)
    wrong = stats.binom(30, 1.1 * x).pmf(k)
    assert fits_probabilities(np.bincount(found, minlength=31), right, comparisons=2)
    assert can_tell_probabilities(found.size, wrong, right, comparisons=2)
    assert not fits_probabilities(np.bincount(found, minlength=31), wrong, comparisons=2)


def test_two_counts_in_one_segment_are_multinomial_and_not_independent(rng):
    c, x, y = 5, 0.3, 0.55
    found = Questions(groups_of([0.5] * c), rng).counts(y, x)
    pairs = [(i, j) for i in range(c + 1) for j in range(i, c + 1)]
    counts = [int((found == (j, i)).all(axis=1).sum()) for i, j in pairs]
    law = stats.multinomial(c, [x, y - x, 1 - y])
    right = np.array([law.pmf([i, j - i, c - j]) for i, j in pairs])
    assert sum(counts) == RUNS
    assert fits_probabilities(counts, right)
    apart = np.array([stats.binom.pmf(i, c, x) * stats.binom.pmf(j, c, y) for i, j in pairs])
    assert can_tell_probabilities(RUNS, apart / apart.sum(), right)
    assert not fits_probabilities(counts, apart / apart.sum())


def test_groups_are_spread_each_over_its_own_range(rng):
    groups = groups_of([1] * 3 + [2] * 4 + [5] * 2, (1, 7))  # two that touch, and a gap
    ask = Questions(groups, rng)
    ask.records(2, 3, 7)
    assert (ask.counts(0.0, 1.5, 2.5, 3.0, 4.5, 9.0) == [0, 3, 7, 7, 7, 9]).all()
    ask.counts(1.2, 1.4, 1.8, 2.0, 5.1, 3.5)
    ask.records(0, 5)
    values, agrees = ask.completed()
    assert agrees
    for columns, low in ((slice(0, 3), 0.5), (slice(3, 7), 1.5), (slice(7, 9), 4.5)):
        assert spread_uniformly(values[:, columns], 3, low, low + 1)
    halves = [values[:, i] - low for i, low in ((1, 0.5), (4, 1.5), (7, 4.5))]
    ranked = [stats.rankdata(half) / (RUNS + 1) for half in halves]
    flat = np.full(CELLS**2, CELLS**-2.0)
    for pair in itertools.combinations(ranked, 2):
        assert fits_probabilities(grid_counts(*pair), flat, comparisons=3)


def test_a_million_ties_keep_their_order_and_their_scale(rng):
    ask = Questions(groups_of(np.full(10**6, 0.5)), rng, 200)
    values = ask.records(*range(400_000, 400_300), 0, 999_999)
    assert (np.diff(values[:, :300], axis=1) > 0).all()
    widths = np.diff(values[:, :300], axis=1).ravel() * 1e6
    assert fits(widths, stats.expon(), comparisons=3)
    assert fits(values[:, 300] * 1e6, stats.expon(), comparisons=3)
    assert fits((1 - values[:, 301]) * 1e6, stats.expon(), comparisons=3)


def test_ranges_that_overlap_are_refused_and_those_that_touch_are_not():
    assert groups_of([1, 2, 4], (0, 9)) is not None
    assert groups_of([1, 1.9, 4], (0, 9)) is None
    assert groups_of([1, 2, 4], (0, 9), resolution=1.001) is None
    cents = np.arange(5000) / 100  # neighbours are not .01 apart to the last bit
    found = groups_of(cents, (0, 100), 0.01)
    assert (np.diff(cents) < 0.01).any()
    assert (found.high > found.low).all()
    assert (found.low[1:] >= found.high[:-1]).all()
    np.testing.assert_allclose(found.low, cents - 0.005, atol=1e-14)
    np.testing.assert_allclose(found.high, cents + 0.005, atol=1e-14)
    assert groups_of(cents, (0, 1e13), 0.01) is not None
    assert groups_of([*cents, 1e10], (0, 1e13), 0.01) is None  # the last bits of 1e10 are 2e-6
    assert groups_of([-1e10, 0], (-1e13, 0), 0.01) is None
    assert groups_of([5.0], (0, 9)).ranks.tolist() == [0, 1]
    assert groups_of([], (0, 9)) is None
