"""People as grains: where they stand over an axis or in a box. Confidential wherever it is used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds, Box

CELL = 2.05  # px that one grain takes
TREMBLE = 0.5  # px by which a grain may stand off its place
SEED = 7  # of how grains stand; no data and no privacy hang on it
ON_A_MAP = 2_600


@dataclass(frozen=True, slots=True, eq=False)
class Grains:
    """Places in px, x to the right and y down from the top: two arrays of one length."""

    x: FloatArray
    y: FloatArray


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
    return np.minimum(counts / second, 1.0) * most


def over_an_axis(
    values: FloatArray, seen: Bounds, resolution: float, width: float, height: float
) -> Grains:
    """Grains over a stretch of an axis that is width px long; a value's column begins at it.

    A grain stands for as many people as give the second column its full height.
    """
    count, wide = columns_of(seen, resolution, width)
    edges = seen.low - (resolution / 2 if resolution > 0 else 0) + wide * np.arange(count + 1)
    counts = np.histogram(values[np.isfinite(values)], edges)[0]
    tall = heights(counts, height)
    abreast = max(1, int(width * wide / seen.width // CELL))
    rows = np.rint(tall / CELL).astype(np.int64)
    rows[(counts > 0) & (rows == 0)] = 1
    full = rows * abreast
    # low columns are thinned: one row of a wide column would be more people than there are
    full = np.where(rows == 1, np.minimum(full, counts), full)
    return _stacked(edges, full, abreast, seen, (width, height))


def _stacked(
    edges: FloatArray, full: IntArray, abreast: int, seen: Bounds, size: tuple[float, float]
) -> Grains:
    """So many grains in each column, row by row from the floor."""
    width, height = size
    column = np.repeat(np.arange(full.size), full)
    nth = np.arange(column.size) - np.repeat(np.cumsum(full) - full, full)
    rng = np.random.default_rng(SEED)
    across, up = rng.uniform(-TREMBLE, TREMBLE, (2, column.size))
    px = (edges - seen.low) / seen.width * width
    step = (px[1] - px[0]) / abreast
    x = px[column] + (nth % abreast + 0.5) * step + across
    y = height - (nth // abreast + 0.5) * CELL + up
    inside = (x >= 0) & (x <= width)
    return Grains(x[inside], np.clip(y[inside], 0, height))


def in_a_box(x: FloatArray, y: FloatArray, seen: Box, width: float, height: float) -> Grains:
    """At most 2,600 of the points, at their places in a box of width × height px."""
    kept = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if kept.size > ON_A_MAP:
        kept = np.random.default_rng(SEED).choice(kept, ON_A_MAP, replace=False)
    across = (x[kept] - seen.x.low) / seen.x.width * width
    up = height - (y[kept] - seen.y.low) / seen.y.width * height
    inside = (across >= 0) & (across <= width) & (up >= 0) & (up <= height)
    return Grains(across[inside], up[inside])
