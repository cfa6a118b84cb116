"""Range counts on a quadtree and their exact variances, in closed form: no descent is needed.

A rectangle's leaf weights are a product of one vector in x and one in y, so every sum over nodes is
a product of two, and every level takes one step for all rectangles together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.spatial.quadtree_sums import rectangle_sums
from dpviz.estimators.trees.quantiles import released_levels
from dpviz.estimators.trees.ranges import leaf_units
from dpviz.estimators.trees.workload import energies_variance

Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Spans:
    """Rectangles in units of the leaves of a quadtree: [x0, x1) × [y0, y1), each end (q,)."""

    height: int
    x: Ends
    y: Ends

    @classmethod
    def of(cls, box: Box, height: int, boxes: FloatArray) -> Spans:
        """Rectangles (q, 4) in the box's units, cut to the box."""
        sides = TreeShape(2, height)
        x = leaf_units(boxes[:, 0], boxes[:, 1], box.x, sides)
        return cls(height, x, leaf_units(boxes[:, 2], boxes[:, 3], box.y, sides))

    def whole(self, level: int) -> Spans:
        """The nodes of a level inside each rectangle, in units of that level; empty ones 0 wide."""
        width = float(1 << (self.height - level))
        (x0, x1), (y0, y1) = ((np.ceil(a / width), np.floor(b / width)) for a, b in self._sides)
        some = (x1 > x0) & (y1 > y0)
        return Spans(level, (x0, np.where(some, x1, x0)), (y0, np.where(some, y1, y0)))

    def finer(self, height: int) -> Spans:
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
