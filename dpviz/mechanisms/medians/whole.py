"""The points of nodes as whole coordinates, so that their medians can be drawn exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.point_grid import crowded
from dpviz.core.randomness.bits import Bits
from dpviz.mechanisms.exponential.point_columns import checked_records, put_in_order, spread_inside
from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems
from dpviz.mechanisms.medians.protocol import Groups

SHIFT = 8  # a cell is cut into 2^8 places, and each point draws its own
KEY_BITS = 62


@confidential()
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
        offset = _offsets(low, high, groups.cells)
        records = _own_cells(groups, low, high)
        records <<= SHIFT
        spread_inside(records, SHIFT, bits)
        if (low >= high).any():  # a node without width has one place
            records[np.repeat(low >= high, groups.sizes)] &= -1 << SHIFT
        if offset.any():
            records += np.repeat(offset, groups.sizes)
        if groups.ordered:
            put_in_order(records, crowded(records, SHIFT))
        else:
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


def _own_cells(groups: Groups, low: IntArray, high: IntArray) -> IntArray:
    """The cell of each point, inside its node's range, (n,)."""
    place = groups.values - groups.axis.low
    place /= groups.axis.width
    place *= groups.cells
    cell = place.astype(np.int64)  # rounds down, for no value lies below the axis
    if low.size == 1:
        return np.clip(cell, low[0], max(high[0] - 1, low[0]), out=cell)
    np.maximum(cell, np.repeat(low, groups.sizes), out=cell)
    last = np.repeat(np.maximum(high - 1, low), groups.sizes)
    np.minimum(cell, last, out=cell)
    return cell


def _cells(groups: Groups, ends: FloatArray) -> IntArray:
    axis = groups.axis
    cells: IntArray = np.rint((ends - axis.low) / axis.width * groups.cells).astype(np.int64)
    return cells


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
