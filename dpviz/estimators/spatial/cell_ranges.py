"""Range counts on released cells that are not a complete tree, with exact variances."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.spatial.boxes import checked_boxes
from dpviz.core.spatial.cells import Cells

ELEMENTS = 1 << 23  # fractions worked on at once


def cell_counts(cells: Cells, boxes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Counts and variances (q,) of rectangles (q, 4): each cell by the fraction of it inside.

    Shapes: as named. Units: records, records². Guarantee: post-processing.
    """
    counts, variances = np.empty(boxes.shape[0]), np.empty(boxes.shape[0])
    for rows, parts in _fractions(cells, boxes):
        counts[rows] = parts @ cells.counts
        variances[rows] = _variances(cells, parts)
    return counts, variances


def exact_cell_counts(cells: Cells, counts: FloatArray, boxes: ArrayLike) -> FloatArray:
    """The answers (q,) of the same cells with other counts (k,)."""
    rows = checked_boxes(boxes)
    answers = [parts @ counts for _, parts in _fractions(cells, rows)]
    return np.concatenate([np.empty(0), *answers])


def gridded_counts(cells: Cells, grid: tuple[int, int], boxes: ArrayLike) -> FloatArray:
    """Counts alone (q,), as cell_counts, of cells whose sides are lines of a grid.

    grid = (columns, rows) over the cells' box. Each cell is spread over its part of the grid, and
    running sums, bilinear between the lines, answer all rectangles: as exact, up to rounding, and
    as fast for a million cells as for a few. Guarantee: post-processing.
    """
    rows = checked_boxes(boxes)
    low, width = _corner_and_size(cells)
    blocks = np.rint((cells.boxes - low) / width * np.array(grid)[[0, 0, 1, 1]]).astype(np.int64)
    left, right, bottom, top = blocks.T
    share = cells.counts / ((right - left) * (top - bottom))
    steps = np.zeros((grid[0] + 1, grid[1] + 1))
    for x, y, sign in ((left, bottom, 1), (right, bottom, -1), (left, top, -1), (right, top, 1)):
        np.add.at(steps, (x, y), sign * share)
    density = steps.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
    running = np.zeros_like(steps)
    running[1:, 1:] = density.cumsum(axis=0).cumsum(axis=1)
    at = np.clip((rows - low) / width, 0.0, 1.0) * np.array(grid)[[0, 0, 1, 1]]
    x_low, x_high, y_low, y_high = at.T
    return np.asarray(
        _between(running, x_high, y_high)
        - _between(running, x_low, y_high)
        - _between(running, x_high, y_low)
        + _between(running, x_low, y_low)
    )


def _corner_and_size(cells: Cells) -> tuple[FloatArray, FloatArray]:
    x, y = cells.box.x, cells.box.y
    return np.array([x.low, x.low, y.low, y.low]), np.array([x.width, x.width, y.width, y.width])


def _between(running: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Running sums at places (q,) in units of grid lines, bilinear between them."""
    i = np.minimum(x.astype(np.int64), running.shape[0] - 2)
    j = np.minimum(y.astype(np.int64), running.shape[1] - 2)
    u, v = x - i, y - j
    lower = (1 - u) * running[i, j] + u * running[i + 1, j]
    return np.asarray(
        (1 - v) * lower + v * ((1 - u) * running[i, j + 1] + u * running[i + 1, j + 1])
    )


def _fractions(cells: Cells, boxes: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Fractions (queries, k) of every cell, a piece of the queries at a time."""
    x, at_x = _distinct(cells.boxes[:, :2])
    y, at_y = _distinct(cells.boxes[:, 2:])
    step = max(1, ELEMENTS // max(cells.counts.size, 1))
    for start in range(0, boxes.shape[0], step):
        rows = slice(start, start + step)
        parts = _inside(x, boxes[rows, 0:2])[:, at_x]
        parts *= _inside(y, boxes[rows, 2:4])[:, at_y]
        yield rows, parts


def _distinct(sides: FloatArray) -> tuple[FloatArray, IntArray]:
    """Different intervals (d, 2), and which of them each cell has: grids have few."""
    pairs = np.ascontiguousarray(sides).view(np.complex128)[:, 0]
    found, which = np.unique(pairs, return_inverse=True)
    return found.view(np.float64).reshape(-1, 2), which


def _inside(sides: FloatArray, queries: FloatArray) -> FloatArray:
    low, high = sides[:, 0], sides[:, 1]
    start, end = queries[:, :1], queries[:, 1:]
    whole = (start <= low) & (high <= end)
    overlap = np.maximum(np.minimum(high, end) - np.maximum(low, start), 0.0)
    width = np.broadcast_to(high - low, overlap.shape)
    return np.asarray(np.divide(overlap, width, out=whole.astype(np.float64), where=width > 0))


def _variances(cells: Cells, parts: FloatArray) -> FloatArray:
    """Σ part² σ², or, for cells fitted to their group's sum, the same with the sums replaced.

    In a group of m equal variances σ² fitted to a sum of variance v: what a query weighs beyond its
    mean over the group keeps σ², the mean has v: σ²(Σ c² − (Σ c)²/m) + (Σ c)² v/m².
    """
    squares = parts**2
    if cells.groups is None or cells.group_variances is None:
        return np.asarray(squares @ cells.variances)
    from scipy.sparse import csr_array  # noqa: PLC0415  # slow to import, for adaptive grids alone

    sizes = np.maximum(np.bincount(cells.groups, minlength=cells.group_variances.size), 1)
    noise = np.bincount(cells.groups, cells.variances, minlength=sizes.size) / sizes
    # one sparse product sums the parts of all queries by group
    rows = np.arange(cells.groups.size + 1)
    members = csr_array(
        (np.ones(cells.groups.size), cells.groups, rows), (rows.size - 1, sizes.size)
    )
    sums = parts @ members
    replaced = (cells.group_variances / sizes - noise) / sizes
    return np.asarray(squares @ cells.variances + sums**2 @ replaced)
