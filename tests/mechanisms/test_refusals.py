"""What is refused is decided by what was declared, never by the records or their number."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.neighbours import Neighbours
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid

BUDGETS = [PureDP(1.0), PureDP(1e-6), ApproxDP(0.5, 1e-6), ZCDP(0.1)]
MANY = pytest.param(1_000_000, marks=pytest.mark.law)
SLOW = pytest.param(KdCell, marks=pytest.mark.law)
MAPS = [AdaptiveGrid, HilbertTree, SLOW, KdTree, PrivTree, Quadtree, UniformGrid]


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


@pytest.mark.parametrize("n", [0, 1, 40, MANY])
@pytest.mark.parametrize("kind", catalogue.QUANTILES)
def test_quantiles_refuse_what_their_check_does(kind, n, rng):
    column = Column.from_values(rng.integers(0, 9, n), Bounds(0, 9), 1.0)
    for relation in Neighbours:
        for budget in BUDGETS[: 1 if n > 40 else None]:
            for quantiles in ([0.5], [0.1, 0.9], np.linspace(0.01, 0.99, 60)):
                one = kind(neighbours=relation)
                expected = said(lambda: one.check(budget, quantiles))  # noqa: B023
                found = said(lambda: one.release(column, quantiles, budget, rng))  # noqa: B023
                assert found == expected


@pytest.mark.parametrize("n", [1, *(pytest.param(n, marks=pytest.mark.law) for n in (0, 40)), MANY])
@pytest.mark.parametrize("kind", MAPS)
def test_maps_refuse_what_their_check_does(kind, n, rng):
    points = Points.from_xy(*rng.random((2, n)), Box(Bounds(0, 1), Bounds(0, 1)))
    for relation in Neighbours:
        for budget in BUDGETS:
            one = kind(neighbours=relation)
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
