"""The rows of an icicle: the levels that are drawn, each by no more nodes than a screen shows.

Everything that grows with the number of nodes happens here, so that the picture of a tree with
four million leaves is made as fast as that of a small one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.trees.shape import Levels

MOST_ROWS = 9
MOST_CELLS = 256  # of a row: beyond, they are thinner than 2 px and evenly spaced ones are drawn
POINTS = 1024  # of a curve below the leaves
SURE = 4  # standard errors above 0


@confidential("level")
@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One level of a tree, drawn by the nodes `at`, each standing for an equal stretch.

    counts and truth are (k,) as at; error is the standard error of every node of the level, ∞
    where nothing tells its counts, 0 where they are public. truth is confidential.
    """

    level: int
    nodes: int
    at: IntArray
    counts: FloatArray
    error: float
    truth: FloatArray | None = None

    @property
    def heights(self) -> FloatArray:
        """Noisy counts a unit of width, the whole axis being 1: comparable between levels."""
        return self.counts * self.nodes

    @property
    def true_heights(self) -> FloatArray:
        """True counts a unit of width. Confidential."""
        assert self.truth is not None
        return self.truth * self.nodes

    @property
    def whole(self) -> bool:
        """Whether every node of the level is drawn."""
        return self.nodes == self.at.size


def drawn_levels(height: int) -> list[int]:
    """At most nine levels, root, middle and leaves among them, the others evenly in between."""
    if height < MOST_ROWS:
        return list(range(height + 1))
    half, each = height // 2, MOST_ROWS // 2
    upper = np.linspace(0, half, each + 1).round()
    lower = np.linspace(half, height, each + 1).round()
    return [int(level) for level in np.unique(np.concatenate((upper, lower)))]


def rows_of(levels: Levels, truth: Sequence[FloatArray] | None = None) -> tuple[Row, ...]:
    """The drawn levels of a reading, with the truth where it is shown."""
    found, errors = [], errors_by_level(levels)
    for level in drawn_levels(levels.height):
        counts = levels.counts[level]
        at = spread(counts.size, MOST_CELLS)
        exact = None if truth is None else truth[level][at]
        found.append(Row(level, counts.size, at, counts[at], errors[level], exact))
    return tuple(found)


def errors_by_level(levels: Levels) -> tuple[float, ...]:
    """The largest standard error of a node of each level, root first."""
    return tuple(float(np.sqrt(np.max(variances))) for variances in levels.variances)


def spread(size: int, most: int) -> IntArray:
    """All positions 0 … size − 1, or `most` of them: each the middle of an equal stretch."""
    if size <= most:
        return np.arange(size)
    return (2 * np.arange(most) + 1) * size // (2 * most)


def strongest(values: FloatArray, most: int) -> IntArray:
    """All positions, or one of each of `most` equal stretches: the one farthest from 0."""
    if values.size <= most:
        return np.arange(values.size)
    if values.size % most == 0:  # as in most tall trees: without an index of every position
        best = np.abs(values).reshape(most, -1).argmax(axis=1)
        return np.asarray(best + np.arange(most) * (values.size // most))
    starts = np.linspace(0, values.size, most + 1).astype(np.int64)
    wide = int(np.diff(starts).max())
    inside = np.minimum(starts[:-1, None] + np.arange(wide), starts[1:, None] - 1)
    best = np.abs(values)[inside].argmax(axis=1)
    return np.asarray(inside[np.arange(most), best])


def extremes(values: FloatArray, most: int = POINTS) -> IntArray:
    """Positions that keep a long curve in shape: the strongest of each stretch and the ends."""
    inner = strongest(values[1:], most) + 1
    return np.unique(np.concatenate(([0], inner, [values.size - 1])))


def tallest(rows: Sequence[Row]) -> float:
    """The height that fills a row, the whole axis being 1: set by counts that stand out of noise.

    Between twice and six times an even spread, so that one heap flattens nothing else; taller bars
    end at the edge of their row. Only noisy counts decide, so the truth changes no scale.
    """
    known = [row for row in rows if np.isfinite(row.error)]
    if not known:
        return 1.0
    even = max(float(known[0].heights.mean()), known[0].error) or 1.0
    sure = [row for row in known[:-1] if row.counts.max() > SURE * row.error]
    peak = max((float(row.heights.max()) for row in sure), default=0.0)
    return float(np.clip(1.02 * peak, 2 * even, 6 * even))


def largest_error(rows: Sequence[Row]) -> float:
    """The largest standard error of a level; 0 where nothing tells any count."""
    return max((row.error for row in rows if np.isfinite(row.error)), default=0.0)
