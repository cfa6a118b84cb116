"""What is refused is decided by what was declared, never by the records or their number."""

from inspect import signature

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.person_rows import PersonRows
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.counting.running_counts import RunningCounts
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.sums.noisy_sum import NoisySum
from dpviz.mechanisms.unbounded import stops
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.people.data import person_column, person_points
from tests.rows import by_rows

BUDGETS = [PureDP(1.0), PureDP(1e-6), ApproxDP(0.5, 1e-6), ZCDP(0.1)]
MANY = pytest.param(1_000_000, marks=pytest.mark.law)
FEW_CELLS = {KdCell: {"cells": (32, 32)}}  # of its usual ones each takes its time
MAPS = [AdaptiveGrid, HilbertTree, KdCell, KdTree, PrivTree, Quadtree, UniformGrid]


def said(act):
    """What a call refuses, in words, or nothing."""
    try:
        act()
    except DpvizError as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("kind", [*catalogue.QUANTILES, CountTree, PrefixSums, *MAPS])
def test_a_check_is_given_no_data(kind):
    asked = set(signature(kind.check).parameters) - {"self"}
    assert asked <= {"budget", "quantiles"}


@pytest.mark.law
@pytest.mark.parametrize("n", [0, 1, 40, MANY])
@by_rows("kind", catalogue.QUANTILES)
def test_quantiles_refuse_what_their_check_does(kind, n, rng):
    column = Column.from_values(rng.integers(0, 9, n), Bounds(0, 9), 1.0)
    for relation in Neighbours:
        for budget in BUDGETS[: 1 if n > 40 else None]:
            for quantiles in ([0.5], [0.1, 0.9], np.linspace(0.01, 0.99, 60)):
                one = kind(neighbours=relation)
                expected = said(lambda: one.check(budget, quantiles))  # noqa: B023
                found = said(lambda: one.release(column, quantiles, budget, rng))  # noqa: B023
                assert found == expected


@pytest.mark.few(7)
@pytest.mark.parametrize(
    "n", [1, *(pytest.param(n, marks=pytest.mark.law) for n in (0, 40, 60_000))]
)
@pytest.mark.parametrize("kind", MAPS)
def test_maps_refuse_what_their_check_does(kind, n, rng):
    points = Points.from_xy(*rng.random((2, n)), Box(Bounds(0, 1), Bounds(0, 1)))
    for relation in Neighbours:
        for budget in BUDGETS[:: 3 if n > 40 else 1]:
            one = kind(neighbours=relation, **FEW_CELLS.get(kind, {}))
            expected = said(lambda: one.check(budget))  # noqa: B023
            assert said(lambda: one.release(points, budget, rng)) == expected  # noqa: B023


@pytest.mark.parametrize("n", [0, 1, 40, MANY])
def test_trees_refuse_what_their_check_does(n, rng):
    column = Column.from_values(rng.random(n), Bounds(0, 1))
    for relation in Neighbours:
        for budget in BUDGETS:
            for one in (CountTree(height=3, neighbours=relation), PrefixSums(8, relation)):
                expected = said(lambda: one.check(budget))  # noqa: B023
                assert said(lambda: one.release(column, budget, rng)) == expected  # noqa: B023


COUNTS = [0, 1, 5_000, 2**24 + 1, 2**27 + 1, 2**31, 2**53]
ENDS = [(0, 100), (-8e307, 8e307), (0, 1e300), (0, 1e290)]


@by_rows("ends", ENDS)
@by_rows("kind", [NoisySum(), NoisyMean(100)])
@by_rows("budget", [PureDP(1), PureDP(1e-20), ZCDP(0.5), ApproxDP(1, 1e-6)])
def test_a_sum_that_could_overflow_is_refused_whatever_the_records(kind, ends, budget):
    bounds, words = Bounds(*ends), set()
    for n in COUNTS:
        column = Column.from_counts([ends[0], ends[1]], [0, n], bounds)
        rng = np.random.default_rng(1)
        words.add(said(lambda: kind.release(column, budget, rng)))  # noqa: B023
    assert len(words) == 1
    assert bool(words.pop()) == (ends[1] > 1e290 or (ends[1] == 1e290 and budget.size < 1e-9))


@pytest.mark.parametrize("ties", [Ties.KEEP, Ties.SPREAD])
def test_joint_exp_takes_counts_as_they_are_where_nothing_is_spread(ties):
    """No column of counts is written out record by record where ties are kept or not declared."""
    for n in COUNTS:
        column = Column.from_counts([1.0, 7.0, 9.0], [n // 3, n // 3, n // 3], Bounds(0, 9))
        assert said(lambda: draw_jointly(column, ties)) == ""  # noqa: B023


def draw_jointly(column, ties):
    rng = np.random.default_rng(1)
    return JointExp(ties=ties).release(column, [0.1, 0.5], PureDP(1), rng)


@pytest.mark.parametrize("size", [41, 4_321])
def test_words_about_data_hold_no_number_found_in_them(size, monkeypatch):
    """The lengths and values of what was given differ; what is said of them does not."""
    many, bounds, rows = np.full(size, 31337.5), Bounds(0, 9), PersonRows.at_most(2)
    fewer, box, rng = many[1:], Box(Bounds(0, 9), Bounds(0, 9)), np.random.default_rng(1)
    monkeypatch.setattr(stops, "MOST_WORK", 1)
    stream = RunningCounts(3, PureDP(1), rng)
    calls = [
        lambda: Points.from_xy(many, fewer, box),
        lambda: Column.from_counts(many, np.ones(size - 1), bounds),
        lambda: person_column(fewer, many, bounds, 1, rows, rng),
        lambda: person_points(many, many, fewer, box, rows, rng),
        lambda: stream.add(-float(size)),
        lambda: UnboundedQuantile(guesses=57).law(np.arange(size), 0.5, PureDP(1)),
    ]
    for call in calls:
        words = said(call)
        assert words
        assert not any(
            text in words.replace(",", "") for text in ("31337", str(size), str(size - 1))
        )
