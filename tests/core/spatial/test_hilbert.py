"""The Hilbert curve and the bounding boxes of its ranges, against one cell at a time."""

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.hilbert import hilbert_index
from dpviz.core.spatial.hilbert_boxes import range_corners
from tests.core.spatial.curve import hilbert_cell
from tests.rows import by_rows


def range_boxes(first, last, order):
    """Column and row of the lowest cell, then one past those of the highest."""
    corners = range_corners(first, last, order).astype(np.int64)
    corners[:, 2:] = 1 - corners[:, 2:]
    return corners


@pytest.mark.parametrize("order", range(1, 9))
def test_the_curve_visits_every_cell_once_and_never_jumps(order):
    column, row = hilbert_cell(np.arange(4**order), order)
    assert len(set(zip(column.tolist(), row.tolist(), strict=True))) == 4**order
    assert (np.abs(np.diff(column)) + np.abs(np.diff(row)) == 1).all()
    assert (column[0], row[0], column[-1], row[-1]) == (0, 0, 2**order - 1, 0)


@by_rows("order", range(1, 25))
def test_both_directions_undo_each_other(order, rng):
    column, row = rng.integers(0, 2**order, (2, 300))
    index = hilbert_index(column, row, order)
    assert ((index >= 0) & (index < 4**order)).all()
    for found, given in zip(hilbert_cell(index, order), (column, row), strict=True):
        np.testing.assert_array_equal(found, given)


@pytest.mark.parametrize("order", range(3, 12))
def test_a_coarser_curve_goes_the_same_way(order, rng):
    """Quarters of a fine curve lie where the coarse curve has its cells, up to a mirror image."""
    index = np.sort(rng.integers(0, 4**order, 200))
    fine = np.stack(hilbert_cell(index, order)) >> 1
    coarse = np.stack(hilbert_cell(index >> 2, order - 1))
    assert (fine == coarse).all() or (fine == coarse[::-1]).all()


@pytest.mark.few(2)
@pytest.mark.parametrize("order", [1, 2, 5, 6, 7, 8])
def test_boxes_of_ranges_are_those_of_their_cells(order, rng):
    first, last = np.sort(rng.integers(0, 4**order, (2, 400)), axis=0)
    for box, low, high in zip(range_boxes(first, last, order), first, last, strict=True):
        column, row = hilbert_cell(np.arange(low, high + 1), order)
        expected = [column.min(), row.min(), column.max() + 1, row.max() + 1]
        assert box.tolist() == expected


@pytest.mark.parametrize("order", [13, 18, 24])
def test_boxes_of_ranges_of_fine_curves(order, rng):
    first = rng.integers(0, 4**order - 3000, 60)
    last = first + rng.integers(0, 3000, 60)
    for box, low, high in zip(range_boxes(first, last, order), first, last, strict=True):
        column, row = hilbert_cell(np.arange(low, high + 1), order)
        expected = [column.min(), row.min(), column.max() + 1, row.max() + 1]
        assert box.tolist() == expected
    whole = range_boxes(np.array([0]), np.array([4**order - 1]), order)
    np.testing.assert_array_equal(whole, [[0, 0, 2**order, 2**order]])


@pytest.mark.parametrize("order", [0, 25, 1.5, True])
def test_other_orders_are_refused(order):
    with pytest.raises(InvalidParameter, match="order"):
        hilbert_index(np.zeros(1, dtype=int), np.zeros(1, dtype=int), order)
