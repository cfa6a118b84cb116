"""Range counts from a tree, with their variances: post-processing, costs no budget.

Ranges are given in leaf units: [s, e) with 0 ≤ s ≤ e ≤ leaves; a leaf on the border counts by the
fraction inside it, as if its records lay evenly.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.quantiles import released_levels
from dpviz.estimators.trees.readings import with_total

Ranges = tuple[FloatArray, FloatArray]


def leaf_units(low: ArrayLike, high: ArrayLike, bounds: Bounds, shape: TreeShape) -> Ranges:
    """Ranges in the column's units as starts and ends (q,) in leaf units, cut to the bounds.

    Positions within rounding of a leaf edge are put on it.
    Raises: InvalidParameter unless low ≤ high everywhere.
    """
    ends = []
    for values in (low, high):
        at = np.atleast_1d(np.asarray(values, dtype=np.float64))
        scaled = (np.clip(at, bounds.low, bounds.high) - bounds.low) / bounds.width * shape.leaves
        nearest = np.round(scaled)
        ends.append(np.where(np.abs(scaled - nearest) < 1e-8, nearest, scaled))
    return checked_ranges(shape.leaves, *ends)


def checked_ranges(leaves: int, starts: ArrayLike, ends: ArrayLike) -> Ranges:
    """Starts and ends as arrays (q,); InvalidParameter unless 0 ≤ s ≤ e ≤ leaves."""
    s, e = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (starts, ends))
    if s.shape != e.shape or s.ndim != 1:
        raise InvalidParameter(f"Ranges need as many starts as ends, got {s.shape} and {e.shape}.")
    if not ((s >= 0) & (s <= e) & (e <= leaves)).all():  # also rejects NaN
        raise InvalidParameter(f"Ranges must satisfy 0 ≤ start ≤ end ≤ {leaves} (leaves).")
    return s, e


def range_counts(running: FloatArray, starts: ArrayLike, ends: ArrayLike) -> FloatArray:
    """Counts of ranges as differences of running counts (..., leaves + 1); returns (..., q)."""
    s, e = checked_ranges(running.shape[-1] - 1, starts, ends)
    return _interpolated(running, e) - _interpolated(running, s)


def _interpolated(running: FloatArray, at: FloatArray) -> FloatArray:
    whole = np.minimum(np.floor(at).astype(np.int64), running.shape[-1] - 2)
    part = at - whole
    return np.asarray((1 - part) * running[..., whole] + part * running[..., whole + 1])


def canonical_ranges(
    levels: Levels, starts: ArrayLike, ends: ArrayLike, total: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Ranges from the fewest noisy nodes that make them up, as they are, without any estimator.

    Whole nodes as high up as possible, then fractions of the border leaves. Levels of infinite
    variance are left out; the root is total if N is public.
    Returns: counts (..., q) and variances (q,), Σ σ² over the nodes, fractions squared.
    Raises: InvalidParameter if the leaves, or only parts of a level, are not released.
    Source: Cormode et al. 2012, §4, eq. (1).
    """
    shape = levels.shape
    s, e = checked_ranges(shape.leaves, starts, ends)
    noisy = with_total(levels, total)
    counts = np.zeros((*levels.counts[0].shape[:-1], s.size))
    variances = np.zeros(s.size)
    for level, pieces in _whole_nodes(shape, released_levels(noisy), s, e):
        counts += _between(noisy.counts[level], pieces)
        spread = np.broadcast_to(noisy.variances[level], shape.nodes(level))
        variances += _between(spread, pieces)
    leaf_variance = np.broadcast_to(noisy.variances[-1], shape.leaves)
    for leaf, part in _border_leaves(shape, s, e):
        counts += part * noisy.counts[-1][..., leaf]
        variances += part**2 * leaf_variance[leaf]
    return counts, np.maximum(variances, 0.0)


Pieces = tuple[IntArray, IntArray, IntArray, IntArray]  # [first, hole) and [hole_end, last)


def _whole_nodes(
    shape: TreeShape, released: list[int], starts: FloatArray, ends: FloatArray
) -> Iterator[tuple[int, Pieces]]:
    """By level: the nodes inside each range that no shallower released node has covered."""
    covered = np.zeros(starts.shape, dtype=np.int64), np.zeros(starts.shape, dtype=np.int64)
    for level in released:
        width = shape.leaves // shape.nodes(level)
        first = np.ceil(starts / width).astype(np.int64)
        last = np.maximum(np.floor(ends / width).astype(np.int64), first)
        hole, hole_end = (edge // width for edge in covered)
        empty = hole == hole_end
        yield level, (first, np.where(empty, first, hole), np.where(empty, first, hole_end), last)
        # a range too narrow for a whole node here has none above either
        covered = first * width, last * width


def _between(values: FloatArray, pieces: Pieces) -> FloatArray:
    running = np.concatenate(
        [np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1
    )
    first, hole, hole_end, last = pieces
    left = running[..., hole] - running[..., first]
    return np.asarray(left + (running[..., last] - running[..., hole_end]))


def _border_leaves(
    shape: TreeShape, starts: FloatArray, ends: FloatArray
) -> Iterator[tuple[IntArray, FloatArray]]:
    first, last = np.ceil(starts), np.floor(ends)
    same = first > last  # the range lies inside one leaf
    for at, part in (
        (np.floor(starts), np.where(same, ends - starts, first - starts)),
        (last, np.where(same, 0.0, ends - last)),
    ):
        yield np.minimum(at, shape.leaves - 1).astype(np.int64), part
