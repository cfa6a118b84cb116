"""Running counts at edges: found either way they are those of a plain count."""

from __future__ import annotations

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.trees.shape import TreeShape
from dpviz.counts.levels import count_below_edges, count_levels
from tests.rows import by_rows

EDGES = np.linspace(-3, 9, 9)  # of 8 leaves, so that many values lie on an edge


@by_rows("leaves", [2, 8, 16, 500])
@by_rows("resolution", [0.0, 1.5])
@by_rows("number", [0, 1, 5, 40, 400])
def test_whichever_are_searched_for_the_counts_are_the_same(rng, leaves, resolution, number):
    values = np.concatenate((rng.choice(EDGES, number), rng.uniform(-4, 10, number // 2)))
    shape, bounds = TreeShape(leaves, 1), Bounds(-3, 9)
    column = Column.from_values(values, bounds, resolution)
    edges = shape.edges(bounds)
    plain = [(column.values < edge).sum() for edge in edges[:-1]] + [column.n]
    np.testing.assert_array_equal(count_below_edges(column, shape), plain)
    np.testing.assert_array_equal(count_levels(column, shape)[1], np.diff(plain))


def test_bounds_with_fewer_doubles_than_leaves():
    bounds = Bounds(1.0, np.nextafter(np.nextafter(1.0, 2), 2))
    column = Column.from_values([1.0, 1.0, bounds.high, np.nextafter(1.0, 2)], bounds)
    below = count_below_edges(column, TreeShape(16, 1))
    edges = TreeShape(16, 1).edges(bounds)
    assert below.tolist() == [(column.values < edge).sum() for edge in edges[:-1]] + [4]
