"""The points of nodes as whole coordinates, so that their medians can be drawn exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.point_grid import crowded
from dpviz.core.ragged import offsets, ragged
from dpviz.core.randomness.bits import Bits
from dpviz.mechanisms.exponential.lazy_points import LazyPoints, Records
from dpviz.mechanisms.exponential.occupied_cells import KnownCells
from dpviz.mechanisms.exponential.point_columns import put_in_order, spread_inside
from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems
from dpviz.mechanisms.medians.protocol import Groups

SHIFT = 8  # a cell is cut into 2^8 places, and each point draws its own
KEY_BITS = 62
FEW = 4  # points of a place that draw one by one: many nodes look at each a few times


@confidential()
@dataclass(frozen=True, eq=False)
class WholeGroups:
    """Records and problems of all nodes on the points of one axis: confidential but for low, high.

    Shapes: low and high (p,), the cells of each node's public range; records (n,) ascend with the
    problems' offsets; starts (p + 1,), the records in front of each node.
    """

    groups: Groups
    low: IntArray
    high: IntArray
    records: Records
    offset: IntArray
    starts: IntArray

    @classmethod
    def of(cls, groups: Groups, bits: Bits) -> WholeGroups:
        """Every point in the cell of its coordinate, and at a place of its own inside.

        The map looks at one point alone and at public ranges, so the cost of a median is unchanged.
        Nodes that do not lie one above the other are told apart by an offset each.
        """
        low, high = _cells(groups, groups.low), _cells(groups, groups.high)
        offset = _offsets(low, high, groups.cells)
        records = _own_cells(groups, low, high)
        if groups.weights is not None:
            records += np.repeat(offset >> SHIFT, groups.held)
            return cls._lazily(groups, low, high, records, bits)
        records <<= SHIFT
        spread_inside(records, SHIFT, bits)
        narrow = np.flatnonzero(low >= high)
        if narrow.size:  # a node without width has one place
            node, at = ragged(groups.held[narrow])
            records[groups.starts[narrow][node] + at] &= -1 << SHIFT
        if offset.any():
            records += np.repeat(offset, groups.held)
        if groups.ordered:
            put_in_order(records, crowded(records, SHIFT))
        else:
            records.sort()
        return cls(groups, low, high, records, offset, groups.starts)

    @classmethod
    def _lazily(
        cls, groups: Groups, low: IntArray, high: IntArray, cells: IntArray, bits: Bits
    ) -> WholeGroups:
        """The same where values stand for many points, whose places are drawn when looked at.

        The points of a node without width are left out: it has one place to draw, and it may lie
        in the first cell of the next node.
        """
        assert groups.weights is not None
        weights = np.where(np.repeat(low < high, groups.held), groups.weights, 0)
        starts = offsets(weights)[groups.starts]
        if not groups.ordered:
            order = np.argsort(cells, kind="stable")
            cells, weights = cells[order], weights[order]
        cells, weights = cells[weights > 0], weights[weights > 0]
        records: Records = cells
        if cells.size:
            first = np.flatnonzero(np.diff(cells, prepend=-1))
            counts = np.add.reduceat(weights, first)
            records = LazyPoints(KnownCells(cells[first], counts), SHIFT, bits, FEW)
        return cls(groups, low, high, records, _offsets(low, high, groups.cells), starts)

    def medians(self, eta: float) -> PointProblems:
        """The medians of all nodes as problems."""
        half = np.full(self.low.size, UNITS // 2)
        return PointProblems(
            self.starts[:-1],
            self.starts[1:],
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
    axis, last = groups.axis, np.maximum(high - 1, low)
    if axis.low == 0 and axis.width == groups.cells == 1 << (groups.cells.bit_length() - 1):
        cell = groups.values.astype(np.int64)  # what the doubles below would give exactly
    else:
        place = groups.values - axis.low
        place /= axis.width
        place *= groups.cells
        cell = place.astype(np.int64)  # rounds down, for no value lies below the axis
    if low.size == 1:
        return np.clip(cell, low[0], last[0], out=cell)
    if groups.ordered:  # then all are inside where the first and the last of each node are
        filled = np.flatnonzero(groups.held)
        first, final = cell[groups.starts[filled]], cell[groups.starts[filled + 1] - 1]
        outside = filled[(first < low[filled]) | (final > last[filled])]
    else:
        outside = np.arange(low.size)
    node, at = ragged(groups.held[outside])
    node = outside[node]
    at += groups.starts[node]
    cell[at] = np.clip(cell[at], low[node], last[node])
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
