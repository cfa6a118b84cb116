"""Range counts on a quadtree and their exact variances, in closed form: no descent is needed.

A rectangle's leaf weights are a product of one vector in x and one in y, so every sum over nodes is
a product of two, and every level takes one step for all rectangles together.

The leaves lie in the tree's own order, so 64 in a row are a block of 8 × 8. One product with a
constant matrix gives every block's column and row sums; running sums of those answer a rectangle
up to a corner's own block, of which at most 64 leaves are read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.spatial.boxes import FANOUT, grid_places
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.quantiles import released_levels
from dpviz.estimators.trees.ranges import leaf_units
from dpviz.estimators.trees.workload import energies_variance

Ends = tuple[FloatArray, FloatArray]
BLOCK_LEVELS = 3


@dataclass(frozen=True, eq=False)
class Spans:
    """Rectangles in units of the leaves of a quadtree: [x0, x1) × [y0, y1), each end (q,)."""

    height: int
    x: Ends
    y: Ends

    @classmethod
    def of(cls, box: Box, height: int, boxes: FloatArray) -> "Spans":
        """Rectangles (q, 4) in the box's units, cut to the box."""
        sides = TreeShape(2, height)
        x = leaf_units(boxes[:, 0], boxes[:, 1], box.x, sides)
        return cls(height, x, leaf_units(boxes[:, 2], boxes[:, 3], box.y, sides))

    def whole(self, level: int) -> "Spans":
        """The nodes of a level inside each rectangle, in units of that level; empty ones 0 wide."""
        width = float(1 << (self.height - level))
        (x0, x1), (y0, y1) = ((np.ceil(a / width), np.floor(b / width)) for a, b in self._sides)
        some = (x1 > x0) & (y1 > y0)
        return Spans(level, (x0, np.where(some, x1, x0)), (y0, np.where(some, y1, y0)))

    def finer(self, height: int) -> "Spans":
        """The same rectangles in units of a deeper level."""
        factor = float(1 << (height - self.height))
        (x0, x1), (y0, y1) = self._sides
        return Spans(height, (x0 * factor, x1 * factor), (y0 * factor, y1 * factor))

    @property
    def _sides(self) -> tuple[Ends, Ends]:
        return self.x, self.y

    @property
    def area(self) -> FloatArray:
        """Leaves covered, (q,)."""
        return np.asarray((self.x[1] - self.x[0]) * (self.y[1] - self.y[0]))

    def sums(self, values: FloatArray) -> FloatArray:
        """Σ of the level's values over each rectangle, borders by their fraction; (q,)."""
        return rectangle_sums(values, self.height, self.x, self.y)


def consistent_counts(leaves: FloatArray, spans: Spans) -> FloatArray:
    """Counts (q,) from consistent leaves (4**h,): every way to add up nodes gives the same."""
    return spans.sums(leaves)


def span_energies(spans: Spans) -> FloatArray:
    """‖P_k c‖² of every rectangle, shape (q, h + 1); see workload.py for what they say."""
    smoothed = [_squares(spans.x, w) * _squares(spans.y, w) for w in _widths(spans.height)]
    energies = np.diff(np.stack(smoothed, axis=-1), axis=-1, prepend=0.0)
    return np.asarray(np.maximum(energies, 0.0))


def consistent_variances(
    spans: Spans, variances: Sequence[ArrayLike], *, public_total: bool
) -> FloatArray:
    """Exact variance (q,) after the efficient estimator, from each level's noise variance."""
    return energies_variance(span_energies(spans), FANOUT, variances, public_total=public_total)


def canonical_counts(noisy: Levels, spans: Spans) -> tuple[FloatArray, FloatArray]:
    """Counts and variances (q,) from the fewest noisy nodes, border leaves by their fraction.

    Source: Cormode et al. 2012, §4.1 and eq. (1); a border leaf adds its squared fraction.
    """
    counts, variances = np.zeros(spans.area.shape), np.zeros(spans.area.shape)
    for level, here, above in _layers(noisy, spans):
        values, variance = noisy.counts[level], float(noisy.variances[level])
        counts += here.sums(values)
        squares = _squares(here.x, 1.0) * _squares(here.y, 1.0)
        if above is not None:
            counts -= above.sums(values)
            squares = squares - above.area
        variances += variance * squares
    return counts, np.maximum(variances, 0.0)


def _layers(noisy: Levels, spans: Spans) -> Iterator[tuple[int, Spans, Spans | None]]:
    """By released level: what it covers (fractions at the leaves), and what of it is covered."""
    above = None
    for level in released_levels(noisy):
        here = spans if level == spans.height else spans.whole(level)
        yield level, here, None if above is None else above.finer(level)
        above = here


def _widths(height: int) -> list[float]:
    return [float(1 << (height - level)) for level in range(height + 1)]


def _squares(ends: Ends, width: float) -> FloatArray:
    """Σ over cells of this width of (overlap with [s, e))²/width, which is ‖c averaged‖²; (q,)."""
    low, high = ends[0] / width, ends[1] / width
    first, last = np.ceil(low), np.floor(high)
    apart = (first - low) ** 2 + (last - first) + (high - last) ** 2
    return np.asarray(width * np.where(first > last, (high - low) ** 2, apart))


def rectangle_sums(
    leaves: FloatArray, height: int, x: tuple[FloatArray, FloatArray], y: tuple[FloatArray, ...]
) -> FloatArray:
    """Σ of leaves (4**height,) over rectangles [x0, x1) × [y0, y1) in leaf units, shape (q,).

    Leaves on a border count by the fraction inside. Cost: one pass over the leaves, then 256 of
    them a rectangle.
    """
    blocks = _Blocks(leaves, height)
    (x0, x1), (y0, y1) = x, y
    corners = blocks.below(np.concatenate([x1, x0, x1, x0]), np.concatenate([y1, y1, y0, y0]))
    upper_right, upper_left, lower_right, lower_left = corners.reshape(4, -1)
    return np.asarray((upper_right - upper_left) - (lower_right - lower_left))


class _Blocks:
    """Running sums of leaves, complete up to the edges of blocks."""

    def __init__(self, leaves: FloatArray, height: int) -> None:
        inner = min(BLOCK_LEVELS, height)
        self.side, self.across = 1 << inner, 1 << (height - inner)
        self.column, self.row = grid_places(inner)
        self.leaves = leaves.reshape(-1, 4**inner)
        self.place = _places(height - inner, self.across)
        sums = self.leaves @ np.concatenate(
            [np.eye(self.side)[self.column], np.eye(self.side)[self.row]], axis=1
        )
        grid = sums[self.place].reshape(self.across, self.across, 2, self.side)
        # [x, Y]: all columns before x, in block rows before Y; and the other way round
        self.columns = _running(grid[:, :, 0].transpose(0, 2, 1).reshape(-1, self.across))
        self.rows = _running(grid[:, :, 1].reshape(self.across, -1))

    def below(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Σ of the leaves in [0, x) × [0, y), shape (c,)."""
        across, x_in = self._split(x)
        up, y_in = self._split(y)
        strip = _interpolated(self.columns, across * self.side + x_in, up)
        strip += _interpolated(self.rows.T, up * self.side + y_in, across)
        strip -= self.columns[across * self.side, up]
        block = self.leaves[self.place[across, up]]
        steps = np.arange(self.side)
        in_x = np.clip(x_in[:, None] - steps, 0.0, 1.0)[:, self.column]
        in_y = np.clip(y_in[:, None] - steps, 0.0, 1.0)[:, self.row]
        return np.asarray(strip + np.einsum("cl,cl,cl->c", block, in_x, in_y))

    def _split(self, at: FloatArray) -> tuple[IntArray, FloatArray]:
        """The block of a position and the place in it; the far end belongs to the last block."""
        block = np.minimum((at / self.side).astype(np.int64), self.across - 1)
        return block, at - block * self.side


def _places(level: int, across: int) -> IntArray:
    """Tree index of the node at (column, row), shape (across, across)."""
    column, row = grid_places(level)
    places = np.empty((across, across), dtype=np.int64)
    places[column, row] = np.arange(column.size)
    return places


def _running(grid: FloatArray) -> FloatArray:
    running = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1))
    np.cumsum(grid, axis=0, out=running[1:, 1:])
    np.cumsum(running[1:, 1:], axis=1, out=running[1:, 1:])
    return running


def _interpolated(running: FloatArray, at: FloatArray, other: IntArray) -> FloatArray:
    whole = np.minimum(at.astype(np.int64), running.shape[0] - 2)
    part = at - whole
    return np.asarray((1 - part) * running[whole, other] + part * running[whole + 1, other])
