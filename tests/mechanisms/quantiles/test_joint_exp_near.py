"""JointExp on a spread drawn near its targets alone, against the whole of the same spread."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.exponential.lazy_spread import LazySpread
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds
from dpviz.mechanisms.quantiles.joint_exp import mechanism as joint_exp
from dpviz.mechanisms.quantiles.joint_exp import near as joint_exp_near
from dpviz.mechanisms.quantiles.joint_exp.forward import forward
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.joint_exp.near import near_problem
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows, certified_radius
from tests.mechanisms.exponential.test_treated_ladders import alike

N, C = 6_000, 3.0


def ages(values, low=0.0, high=100.0):
    return Column.from_values(values, Bounds(low, high), resolution=1)


def columns(rng):
    return {
        "ages": ages(np.round(rng.normal(45, 15, N))),
        "one group": ages(np.full(N, 30)),
        "nearly all in one group": ages([*[1, 2, 3] * 20, *[40] * (N - 60)]),
        "groups on the bounds": ages(np.repeat([0, 7, 100], N // 3)),
        "bounds far out": ages(np.round(rng.normal(0, 40, N)), -1e7, 1e7),
        "cents": Column.from_values(np.round(rng.gamma(2, 40, N), 2), Bounds(0, 2000), 0.01),
    }


def crowded():
    """Several records on a double: as of a whole column, no interval lies between them."""
    ends, counts = [2**38 + 1000, 2**38 + 1002], [N // 2 + 40, N // 2 - 40]
    return Column.from_counts(ends, counts, Bounds(0, 2**38 + 2000), 1)


@pytest.fixture
def kept(monkeypatch):
    """The spread that near_problem draws, to be completed afterwards."""
    made = []

    class Kept(LazySpread):
        def __init__(self, *parts):
            super().__init__(*parts)
            made.append(self)

    monkeypatch.setattr(joint_exp_near, "LazySpread", Kept)
    return made


@pytest.mark.few(8)
@pytest.mark.parametrize("m", [1, 3, 4])
@pytest.mark.parametrize("name", [*columns(np.random.default_rng(0)), "crowded"])
def test_the_windows_are_those_of_the_whole_spread(rng, kept, name, m):
    column = crowded() if name == "crowded" else columns(rng)[name]
    bounds, quantiles = exponential_bounds(column, Ties.SPREAD), uniform_quantiles(m)
    near, windows = near_problem(SpreadGroups.of(column), bounds, quantiles, C, rng)
    values = kept[0].records(np.arange(column.n))
    assert (np.diff(values) >= 0).all()
    whole = JointProblem.of(values, bounds, quantiles, C)
    place = np.searchsorted(whole.rank, near.rank)
    for part in ("low", "width", "rank"):
        np.testing.assert_array_equal(getattr(near, part), getattr(whole, part)[place])
    for part in ("gaps", "targets", "c", "span"):
        np.testing.assert_array_equal(getattr(near, part), getattr(whole, part))
    needed = Windows.certified(whole)  # what the whole column certifies lies inside
    for j in range(m):
        inside = near.rank[windows.first[j] : windows.stop[j]]
        assert set(whole.rank[needed.first[j] : needed.stop[j]]) <= set(inside)
    assert forward(near, windows).log_mass == pytest.approx(
        forward(whole, Windows.certified(whole)).log_mass, abs=1e-12
    )


def test_a_first_look_that_is_too_short_is_made_longer(rng, kept, monkeypatch):
    monkeypatch.setattr(joint_exp_near, "CUT", 0.0)
    monkeypatch.setattr(joint_exp_near, "ROOM", 1)
    column = columns(rng)["ages"]
    bounds, quantiles = exponential_bounds(column, Ties.SPREAD), uniform_quantiles(3)
    near, windows = near_problem(SpreadGroups.of(column), bounds, quantiles, C, rng)
    values = kept[0].records(np.arange(column.n))
    whole = JointProblem.of(values, bounds, quantiles, C)
    assert (windows.stop - windows.first).min() > 2 * certified_radius(whole) - 2
    assert forward(near, windows).log_mass == pytest.approx(
        forward(whole, Windows.certified(whole)).log_mass, abs=1e-12
    )


@pytest.mark.parametrize(("n", "m", "c"), [(50, 1, C), (N, 60, C), (N, 3, 0.01), (1, 1, 50.0)])
def test_windows_that_are_not_short_are_left_to_the_whole(rng, n, m, c):
    groups = SpreadGroups.of(ages(np.full(n, 5)))
    assert near_problem(groups, Bounds(-0.5, 100.5), uniform_quantiles(m), c, rng) is None


@pytest.mark.law
def test_the_outputs_have_the_law_of_the_whole_spread(rng, monkeypatch):
    """Small columns taken near on purpose; the twin is given the windows of half the budget."""
    monkeypatch.setattr(joint_exp_near, "WORTH", 0.3)
    column = ages(np.repeat([17, 18, 20, 40], [15, 90, 20, 75]), 10, 60)
    budget, quantiles, runs = PureDP(14.0), uniform_quantiles(2), 400
    taken = []
    monkeypatch.setattr(
        joint_exp, "near_problem", lambda *parts: taken.append(near_problem(*parts)) or taken[-1]
    )
    near = JointExp().release_many(column, quantiles, budget, rng, runs)
    assert all(taken)
    monkeypatch.setattr(joint_exp, "near_problem", lambda *_: None)
    whole = JointExp().release_many(column, quantiles, budget, rng, runs)
    wrong = JointExp().release_many(column, quantiles, PureDP(0.5), rng, runs)
    assert alike(near, whole, comparisons=2)
    assert not alike(near, wrong, comparisons=2)


def test_ties_that_are_kept_or_overlap_are_not_spread_lazily(rng, monkeypatch):
    monkeypatch.setattr(joint_exp, "near_problem", lambda *_: pytest.fail("was taken near"))
    values = np.repeat([5.0, 5.4], N // 2)  # closer than the resolution
    JointExp().release(ages(values), [0.5], PureDP(9), rng)
    JointExp(ties=Ties.KEEP).release(ages(np.full(N, 5)), [0.5], PureDP(9), rng)
    JointExp(ties=Ties.JITTER).release(ages(np.full(N, 5)), [0.5], PureDP(9), rng)
