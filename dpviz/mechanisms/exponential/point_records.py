"""Records as points, in an array or drawn lazily: what the exponential mechanism asks of them."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.data.column import MOST_APART
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


def outline(records: Records) -> tuple[IntArray, IntArray | None]:
    """All points (n,), ascending, and None, for teaching views; those not drawn yet are drawn now.

    Of more than can be held apart: even steps in every cell (d,), and the records in front of each
    and behind the last (d + 1,).
    """
    if not isinstance(records, LazyPoints):
        return records, None
    return records.evenly() if records.size > MOST_APART else (records.spread(), None)
