"""Rectangles as rows of numbers, and the rectangles of a quadtree.

A row is x_low, x_high, y_low, y_high. The children of node i are 4i .. 4i + 3 in the order
(low x, low y), (low x, high y), (high x, low y), (high x, high y): x is split first.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape

FANOUT = 4
SIDES = ("x_low", "x_high", "y_low", "y_high")


def box_row(box: Box) -> FloatArray:
    """A box as one row, shape (4,)."""
    return np.array([box.x.low, box.x.high, box.y.low, box.y.high])


def sides_of(boxes: FloatArray) -> dict[str, FloatArray]:
    """The columns of rectangles (k, 4) by name, each (k,)."""
    return dict(zip(SIDES, boxes.T, strict=True))


def box_from_row(row: Sequence[float]) -> Box:
    """The box of one row of four numbers.

    Raises: ValueError for another length, InvalidBounds unless low < high in x and in y.
    """
    x_low, x_high, y_low, y_high = row
    return Box(Bounds(x_low, x_high), Bounds(y_low, y_high))


def checked_boxes(boxes: ArrayLike) -> FloatArray:
    """Rectangles as a read-only copy (k, 4); one alone may be given as (4,).

    Raises: InvalidParameter unless all are finite with low ≤ high in x and in y.
    """
    try:
        given = np.asarray(boxes)
        if given.dtype.kind not in "fiuO":  # else dates become day counts, imaginary parts vanish
            raise TypeError(f"sides of type {given.dtype} are not real numbers")
        rows = np.array(given, dtype=np.float64, ndmin=2)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(
            f"boxes must be rectangles, rows of x_low, x_high, y_low, y_high, got {found(boxes)}."
        ) from None
    if rows.ndim != 2 or rows.shape[1] != 4:
        raise InvalidParameter(
            f"Rectangles need four columns x_low, x_high, y_low, y_high, got shape {rows.shape}."
        )
    if not np.isfinite(rows).all():
        raise InvalidParameter("Rectangles must have finite sides.")
    if not ((rows[:, 0] <= rows[:, 1]) & (rows[:, 2] <= rows[:, 3])).all():
        raise InvalidParameter("Rectangles must have low ≤ high in x and in y.")
    return frozen(rows)


def grid_edges(bounds: Bounds, cells: int) -> FloatArray:
    """Edges of equal cells, (cells + 1,), ascending, the ends exactly those of bounds."""
    return edges_at(bounds, np.arange(cells + 1), cells)


def edges_at(bounds: Bounds, at: IntArray, cells: int | FloatArray) -> FloatArray:
    """Some of the edges of equal cells, by number, in any shape."""
    edges = np.minimum(bounds.low + bounds.width * (at / cells), bounds.high)
    return np.where(at == cells, bounds.high, edges)


def midpoint_boxes(box: Box, level: int) -> FloatArray:
    """The nodes of a quadtree's level in the tree's order, shape (4**level, 4)."""
    return midpoint_rows(box, level, *grid_places(level))


def midpoint_rows(box: Box, level: int, column: IntArray, row: IntArray) -> FloatArray:
    """Rectangles of the cells of a quadtree's level at some columns and rows, (m, 4)."""
    x, y = grid_edges(box.x, 1 << level), grid_edges(box.y, 1 << level)
    return np.stack([x[column], x[column + 1], y[row], y[row + 1]], axis=1)


def places_of(nodes: IntArray, level: int) -> tuple[IntArray, IntArray]:
    """Column and row of some quadtree nodes of a level, each in the shape of nodes."""
    column, row = np.zeros_like(nodes), np.zeros_like(nodes)
    for bit in range(level):
        column |= ((nodes >> 2 * bit + 1) & 1) << bit
        row |= ((nodes >> 2 * bit) & 1) << bit
    return column, row


def grid_places(level: int) -> tuple[IntArray, IntArray]:
    """Column and row of every quadtree node of a level in the tree's order, each (4**level,)."""
    column, row = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for _ in range(level):
        column = (2 * column[:, None] + np.array([0, 0, 1, 1])).ravel()
        row = (2 * row[:, None] + np.array([0, 1, 0, 1])).ravel()
    return column, row


def checked_levels(boxes: tuple[FloatArray, ...], box: Box) -> tuple[FloatArray, ...]:
    """Rectangles of all levels, root first, as read-only copies.

    Raises: InvalidParameter unless level l is (4**l, 4), the root is box and every node lies in its
    parent. Siblings may overlap (those of a Hilbert R-tree do).
    """
    levels = tuple(checked_boxes(level) for level in boxes)
    shape = TreeShape(FANOUT, len(levels) - 1)
    for depth, level in enumerate(levels):
        if level.shape != (shape.nodes(depth), 4):
            raise InvalidParameter(
                f"Level {depth} needs {shape.nodes(depth)} rectangles, got {level.shape[0]}."
            )
    if not np.array_equal(levels[0][0], box_row(box)):
        raise InvalidParameter("The root's rectangle must be the declared box.")
    for parents, children in pairwise(levels):
        inside = np.repeat(parents, FANOUT, axis=0)
        low, high = [0, 2], [1, 3]
        fits = (children[:, low] >= inside[:, low]) & (children[:, high] <= inside[:, high])
        if not fits.all():
            raise InvalidParameter("Every node's rectangle must lie in its parent's.")
    return levels


def areas(boxes: FloatArray) -> FloatArray:
    """Areas (k,) in the product of the coordinates' units."""
    return np.asarray((boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2]))
