"""Cells on a grid: running sums answer as the fractions of all cells do."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.estimators.spatial.cell_ranges import cell_counts, gridded_counts
from dpviz.mechanisms.spatial.kd_cell import KdCell

BOX = Box(Bounds(-2, 6), Bounds(10, 14))


@pytest.mark.parametrize("grid", [(1, 1), (7, 3), (64, 48)])
def test_answers_are_those_of_all_fractions(grid):
    rng = np.random.default_rng(7)
    points = Points.from_xy(rng.normal(1, 1, 900), rng.normal(12, 0.4, 900), BOX)
    cells = KdCell(4, grid, smallest=0.0).release(points, PureDP(0.5), rng)
    x, y = np.sort(rng.uniform(-3, 7, (200, 2))), np.sort(rng.uniform(9, 15, (200, 2)))
    whole = [[-2, 6, 10, 14], [-9, 9, 0, 99], [6, 6, 10, 14], [7, 8, 10, 14]]
    boxes = np.concatenate([np.hstack([x, y]), whole])
    wanted = cell_counts(cells, boxes)[0]
    np.testing.assert_allclose(gridded_counts(cells, grid, boxes), wanted, atol=1e-8)
    shifted = boxes + 0.01  # a twin that asks beside them is told apart
    assert not np.allclose(gridded_counts(cells, grid, shifted), wanted, atol=1e-8)
