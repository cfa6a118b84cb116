"""Cells as matrices, against plain loops: rasters, grids, borders."""

import numpy as np

from dpviz.answers.spatial.colours import Grid
from dpviz.core.bounds import Bounds, Box
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.figures.spatial.raster import outline, rasterised

BOX = Box(Bounds(-2, 6), Bounds(10, 14))


def slow_raster(boxes, values, rows, columns):
    grid = np.full((rows, columns), np.nan)
    for row in range(rows):
        for column in range(columns):
            x = BOX.x.low + (column + 0.5) * BOX.x.width / columns
            y = BOX.y.low + (row + 0.5) * BOX.y.width / rows
            over = [
                value
                for (x0, x1, y0, y1), value in zip(boxes, values, strict=True)
                if x0 <= x < x1 and y0 <= y < y1 and np.isfinite(value)
            ]
            grid[row, column] = np.mean(over) if over else np.nan
    return grid


def test_the_raster_is_that_of_a_plain_loop(rng):
    boxes = midpoint_boxes(BOX, 2)
    values = rng.normal(size=16)
    values[3] = np.nan
    more = np.array([[-2.0, 2.0, 10.0, 12.0]])  # overlaps some: a pixel shows the mean
    boxes, values = np.concatenate((boxes, more)), np.append(values, 5.0)
    found = rasterised(BOX, boxes, values, columns=120)
    np.testing.assert_allclose(found, slow_raster(boxes, values, *found.shape))


def test_the_cells_of_a_grid_are_its_matrix(rng):
    boxes, values = midpoint_boxes(BOX, 3), rng.normal(size=64)
    order = rng.permutation(64)
    grid = Grid.of(boxes[order])
    assert grid is not None
    found = grid.filled(values[order])
    np.testing.assert_array_equal(found, slow_raster(boxes, values, 8, 8))


def test_cells_of_two_sizes_are_no_grid():
    boxes = midpoint_boxes(BOX, 1)
    boxes[0, 1] -= 0.5
    assert Grid.of(boxes) is None
    assert Grid.of(midpoint_boxes(BOX, 1)[:3]) is None  # a cell is missing
    assert Grid.of(boxes[:0]) is None


def test_an_outline_goes_round_each_cell_and_lifts_the_pen():
    x, y = outline(np.array([[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]))
    np.testing.assert_array_equal(x, [0, 1, 1, 0, 0, np.nan, 4, 5, 5, 4, 4, np.nan])
    np.testing.assert_array_equal(y, [2, 2, 3, 3, 2, np.nan, 6, 6, 7, 7, 6, np.nan])
