"""The points of nodes as whole coordinates, so that their medians can be drawn exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Bits
from dpviz.mechanisms.exponential.point_columns import checked_records, spread
from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems
from dpviz.mechanisms.medians.protocol import Groups

SHIFT = 8  # a cell is cut into 2^8 places, and each point draws its own
KEY_BITS = 62


@dataclass(frozen=True, eq=False)
class WholeGroups:
    """Records and problems of all nodes on the points of one axis: confidential but for low, high.

    Shapes: low and high (p,), the cells of each node's public range; records (n,) ascend with the
    problems' offsets.
    """

    groups: Groups
    low: IntArray
    high: IntArray
    records: IntArray
    offset: IntArray

    @classmethod
    def of(cls, groups: Groups, bits: Bits) -> WholeGroups:
        """Every point in the cell of its coordinate, and at a place of its own inside.

        The map looks at one point alone and at public ranges, so the cost of a median is unchanged.
        Nodes that do not lie one above the other are told apart by an offset each.
        """
        checked_records(groups.values.size)
        low, high = _cells(groups, groups.low), _cells(groups, groups.high)
        owner = groups.owner
        last = np.maximum(high - 1, low)
        cell = np.floor(_places(groups, groups.values)).astype(np.int64)
        np.clip(cell, low[owner], last[owner], out=cell)
        records = spread(cell, SHIFT, bits)
        none = np.flatnonzero(low >= high)
        if none.size:  # a node without width has one place
            flat = (low >= high)[owner]
            records[flat] = cell[flat] << SHIFT
        offset = _offsets(low, high, groups.cells)
        records += offset[owner]
        if (records[1:] < records[:-1]).any():
            records.sort()
        return cls(groups, low, high, records, offset)

    def medians(self, eta: float) -> PointProblems:
        """The medians of all nodes as problems."""
        half = np.full(self.low.size, UNITS // 2)
        return PointProblems(
            self.groups.starts[:-1],
            self.groups.starts[1:],
            self.low << SHIFT,
            self.high << SHIFT,
            half,
            np.full(self.low.size, eta),
            self.offset,
        )

    @property
    def domain(self) -> int:
        """Points of the whole axis."""
        return self.groups.cells << SHIFT

    def printed(self, points: IntArray) -> FloatArray:
        """The lower ends of the points' cells, inside the nodes' ranges."""
        axis = self.groups.axis
        values = axis.low + axis.width * ((points >> SHIFT) / self.groups.cells)
        return np.clip(values, self.groups.low, self.groups.high)


def _places(groups: Groups, values: FloatArray) -> FloatArray:
    axis = groups.axis
    return np.asarray((values - axis.low) / axis.width * groups.cells)


def _cells(groups: Groups, ends: FloatArray) -> IntArray:
    return np.rint(_places(groups, ends)).astype(np.int64)


def _offsets(low: IntArray, high: IntArray, cells: int) -> IntArray:
    """What keeps the nodes' points apart; nothing where the ranges ascend already."""
    if (low[1:] >= high[:-1]).all():
        return np.zeros(low.size, dtype=np.int64)
    width = (cells << SHIFT).bit_length()
    if width + low.size.bit_length() > KEY_BITS:
        raise InvalidParameter(
            f"Medians of {low.size:,} nodes on {cells:,} cells need more than {KEY_BITS} bits. "
            "Choose a smaller height or a coarser order."
        )
    return np.arange(low.size, dtype=np.int64) << width
