"""People as grains: where they stand over an axis or in a box. Confidential wherever it is used."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import GridCounts

CELL = 2.1  # px that one grain takes
TREMBLE = 0.5  # px by which a grain may stand off its place
WIDE = 1_000  # px of a large axis
LEAST = 1e-3  # height of a column that holds anybody
ON_A_MAP = 2_600


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Grains:
    """Places in px, x to the right and y down from the top: two arrays of one length."""

    x: FloatArray
    y: FloatArray


def trembling(count: int) -> FloatArray:
    """Shape (2, count), values in [-1, 1) without a pattern that is seen; nothing is drawn."""
    steps = np.outer((0.7548776662, 0.5698402910), np.arange(count))
    return np.asarray(2 * (steps % 1) - 1, dtype=np.float64)


def columns_of(seen: Bounds, resolution: float, width: float) -> tuple[int, float]:
    """(how many columns, their width in the data's unit): whole steps, each wide enough to see."""
    least = seen.width * CELL / width
    if resolution <= 0:
        return max(1, int(width // CELL)), seen.width / max(1, int(width // CELL))
    steps = max(1, int(np.ceil(least / resolution - 1e-9)))
    return int(seen.width / resolution / steps + 1e-9) + 1, steps * resolution


def heights(counts: IntArray, most: float) -> FloatArray:
    """Heights of columns; the tallest is capped at the second, which reaches most."""
    ordered = np.sort(counts)[::-1]
    second = ordered[1] if ordered.size > 1 and ordered[1] > 0 else max(ordered[0], 1)
    return np.asarray(np.minimum(counts / second, 1.0) * most, dtype=np.float64)


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """People over an axis: edges (k + 1,) in the data's unit, heights (k,) as shares of the room.

    The tallest column is capped at the second, which fills the room.
    """

    edges: FloatArray
    heights: FloatArray


def columns_over(
    values: FloatArray,
    seen: Bounds,
    resolution: float,
    width: float = WIDE,
    counts: IntArray | None = None,
) -> Columns:
    """The columns of a stretch of an axis that is about width px long; one stands at its value.

    counts say how many people have each value, one if there are none.
    """
    count, wide = columns_of(seen, resolution, width)
    low = seen.low
    if resolution > 0:  # columns stand around the steps, which are multiples of the resolution
        low = (np.ceil(seen.low / resolution - 1e-9) - 0.5) * resolution
    edges = low + wide * np.arange(count + 1)
    finite = np.isfinite(values)
    people = np.histogram(values[finite], edges, weights=None if counts is None else counts[finite])
    standing = people[0].astype(np.int64)
    tall = heights(standing, 1.0)
    tall = np.asarray(np.where(standing > 0, np.maximum(tall, LEAST), 0.0), dtype=np.float64)
    return Columns(edges.astype(np.float64), tall)


def over_an_axis(
    values: FloatArray,
    seen: Bounds,
    resolution: float,
    width: float,
    height: float,
    cell: float = CELL,
) -> Grains:
    """Grains over a stretch of an axis that is width px long.

    A grain stands for as many people as give the second column its full height.
    """
    found = columns_over(values, seen, resolution, width)
    px = (found.edges - seen.low) / seen.width * width
    abreast = max(1, int(np.ceil((px[1] - px[0]) / cell - 0.3)))
    rows = np.ceil(found.heights * height / cell - 0.5).astype(np.int64)
    rows[(found.heights > 0) & (rows == 0)] = 1
    full = rows * abreast
    column = np.repeat(np.arange(full.size), full)
    nth = np.arange(column.size) - np.repeat(np.cumsum(full) - full, full)
    across, up = TREMBLE * trembling(column.size)
    x = px[column] + (nth % abreast + 0.5) * (px[1] - px[0]) / abreast + across
    y = height - (nth // abreast + 0.5) * cell + up
    return Grains(np.clip(x, 0, width), np.clip(y, 0, height))


def in_a_box(x: FloatArray, y: FloatArray, seen: Box, width: float, height: float) -> Grains:
    """At most 2,600 of the points, at their places in a box of width × height px."""
    kept = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if kept.size > ON_A_MAP:
        kept = kept[np.linspace(0, kept.size - 1, ON_A_MAP).astype(np.int64)]
    across = (x[kept] - seen.x.low) / seen.x.width * width
    up = height - (y[kept] - seen.y.low) / seen.y.width * height
    inside = (across >= 0) & (across <= width) & (up >= 0) & (up <= height)
    return Grains(across[inside], up[inside])


def each_person(
    values: FloatArray, seen: Bounds, width: float, height: float, size: float
) -> tuple[FloatArray, FloatArray]:
    """Places of few people in px, one dot of a size each, stacked where they would overlap."""
    inside = np.sort(values.clip(seen.low, seen.high))
    column = np.floor((inside - seen.low) / seen.width * (width - size) / size).astype(np.int64)
    first = np.searchsorted(column, column)
    level = np.minimum(np.arange(inside.size) - first, int(height / size) - 1)
    up = np.asarray(height - (level + 0.5) * size, dtype=np.float64)
    return np.asarray((column + 0.5) * size, dtype=np.float64), up


def on_a_grid(counted: GridCounts, seen: Box, width: float, height: float) -> Grains:
    """At most 2,600 points of a grid, each about the middle of its cell."""
    total = np.cumsum(counted.counts, axis=None)
    if counted.n == 0:
        return Grains(np.empty(0), np.empty(0))
    # a hash of the number, for evenly spaced ranks would show a pattern
    hashed = 43758.5453 * np.sin(12.9898 * np.arange(min(ON_A_MAP, counted.n))) % 1
    ranks = (hashed * counted.n).astype(np.int64)
    place = np.searchsorted(total, ranks, side="right")
    column, row = np.divmod(place, counted.side)
    across, up = TREMBLE * trembling(place.size) / 2
    x = counted.box.x.low + counted.box.x.width * (column + 0.5 + across) / counted.side
    y = counted.box.y.low + counted.box.y.width * (row + 0.5 + up) / counted.side
    return in_a_box(x, y, seen, width, height)
