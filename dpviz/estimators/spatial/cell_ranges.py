"""Range counts on released cells that are not a complete tree, with exact variances."""

from __future__ import annotations

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
