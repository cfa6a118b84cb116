"""True counts and errors of trees and their CDFs (dpviz/metrics/tree.py, cdf.py)."""

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.counts.levels import count_levels
from dpviz.metrics.tree import (
    largest_error,
    mean_squared_errors,
    node_errors,
    points_outside,
    true_running_counts,
)

COLUMN = Column.from_values([0, 1, 1, 4, 7.5, 8], Bounds(0, 8))


def test_true_counts_add_up():
    truth = count_levels(COLUMN, TreeShape(2, 2))
    assert [level.tolist() for level in truth] == [[6], [3, 3], [3, 0, 1, 2]]


def test_errors_are_estimates_minus_truth():
    truth = count_levels(COLUMN, TreeShape(2, 1))
    counts = (np.array([[np.nan], [np.nan]]), np.array([[4.0, 2.0], [3.0, 6.0]]))
    levels = Levels(2, counts, (np.array(np.inf), np.array(1.0)))
    errors = node_errors(levels, truth)
    assert np.isnan(errors[0]).all()
    assert errors[1].tolist() == [[1, -1], [0, 3]]
    assert mean_squared_errors(levels, truth)[1].tolist() == [0.5, 5]


def test_running_counts_close_the_last_interval():
    edges = TreeShape(2, 2).edges(COLUMN.bounds)
    assert true_running_counts(COLUMN, edges).tolist() == [0, 3, 3, 4, 6]
    nobody = Column.from_values([], COLUMN.bounds)
    assert true_running_counts(nobody, edges).tolist() == [0, 0, 0, 0, 0]


def test_points_outside_are_counted_by_trial():
    truth = np.array([0.0, 3, 3, 6])
    counts = np.array([[0.0, 3, 5, 6], [0, 1, 1, 9], [0, 3, 3, 6]])
    assert points_outside(counts, truth, 1.5).tolist() == [1, 3, 0]
    assert points_outside(counts, truth, np.array([0, 2, 2, 2.5])).tolist() == [0, 1, 0]
    assert largest_error(counts, truth).tolist() == [2, 3, 0]
    assert points_outside(counts[0], truth, 2.0) == 0  # on the border is inside
