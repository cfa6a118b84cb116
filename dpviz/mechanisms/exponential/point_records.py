"""Records as points, in an array or drawn lazily: what the exponential mechanism asks of them."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.mechanisms.exponential.lazy_points import LazyPoints

Records = IntArray | LazyPoints  # (n,), ascending


def points_of_rank(records: Records, rank: IntArray) -> IntArray:
    """The point of the record that `rank` others precede; ranks beyond the ends mean the ends.

    There must be a record.
    """
    if isinstance(records, LazyPoints):
        return records.of_rank(np.clip(rank, 0, records.size - 1))
    return records.take(rank, mode="clip")


def records_below(records: Records, point: IntArray) -> IntArray:
    """How many records lie below each point; those up to a point lie below the next one."""
    if isinstance(records, LazyPoints):
        return records.below(point)
    return np.searchsorted(records, point, side="left")


def every_point(records: Records) -> IntArray:
    """All points (n,), ascending, for teaching views; those not drawn yet are drawn now."""
    return records.spread() if isinstance(records, LazyPoints) else records
