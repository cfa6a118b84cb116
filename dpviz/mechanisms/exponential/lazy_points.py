"""The spread of tied records over the points of their cells, drawn only where a draw looks at it.

All that a spread says of a cell is how many of its records lie in the left half of its points, how
many of those in the left half of that, and so on; each is the number of heads among as many fair
coins. Where few records are left they draw their points themselves. Nothing is ever forgotten, so
that all looks see one and the same spread; whole random bits alone decide, so it is exact.
"""

import numpy as np

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import MOST_APART
from dpviz.core.ragged import offsets
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.fair_coins import heads
from dpviz.mechanisms.exponential.ladder import first_not_below
from dpviz.mechanisms.exponential.occupied_cells import OccupiedCells

FEW = 256  # records that draw their points themselves
MOST_PARTS = 1 << 14  # of cells in an outline; more cells are one part each


@confidential()
class LazyPoints:
    """Records as points in ascending order, each uniform in its cell. Confidential.

    cells say which record lies in which cell; a cell has 2^shift points.
    A half of a cell, of that half and so on is a node: its first point and the level, 2^level
    points; the records of a node draw their points one by one where they are at most few.
    Guarantee: the joint law of all answers is that of spreading every record by itself.
    """

    def __init__(
        self, cells: OccupiedCells, shift: int, bits: Bits, few: int | None = None
    ) -> None:
        self._cells, self._few = cells, few or FEW
        self._shift, self._bits = shift, bits
        nothing = np.empty(0, dtype=np.int64)
        # by level: the nodes that were halved, and the records in the left half of each
        self._halved = [nothing] * (shift + 1)
        self._left = [nothing] * (shift + 1)
        # nodes whose records have drawn their points: first points, and where theirs are held
        self._drawn, self._place = nothing, nothing
        self._points, self._held = nothing, 0  # the points, ascending in a node, and their number
        self._all = False  # whether these are all, in ascending order

    @property
    def size(self) -> int:
        """Number of records."""
        return self._cells.size

    def of_rank(self, rank: IntArray) -> IntArray:
        """The point of the record that `rank` others precede, 0 .. size − 1; any shape."""
        if self._all:
            return self._points[rank]
        flat = rank.ravel()
        return self._of_rank(flat, *self._cells.of_rank(flat)).reshape(rank.shape)

    def near_rank(self, rank: IntArray) -> tuple[IntArray, IntArray]:
        """Points low .. high − 1 that hold the record of a rank and no other one; any shape.

        A record that is alone in its cell has all of the cell, and need not draw its point.
        """
        if self._all:
            return self._points[rank], self._points[rank] + 1
        flat = rank.ravel()
        cell, first, held = self._cells.of_rank(flat)
        low, high = cell << self._shift, (cell + 1) << self._shift
        if (shared := held > 1).any():
            of_cell = (cell[shared], first[shared], held[shared])
            low[shared] = self._of_rank(flat[shared], *of_cell)
            high[shared] = low[shared] + 1
        return low.reshape(rank.shape), high.reshape(rank.shape)

    def _of_rank(self, rank: IntArray, cell: IntArray, first: IntArray, held: IntArray) -> IntArray:
        node, count, level, before = self._descend(cell, first, held, rank=rank)
        found = node.copy()  # of a single point
        inner = np.flatnonzero(level > 0)
        place = self._draw(node[inner], count[inner], level[inner])
        found[inner] = self._points[place + rank[inner] - before[inner]]
        return found

    def below(self, point: IntArray) -> IntArray:
        """How many records lie below each point; any shape."""
        if self._all:
            return np.searchsorted(self._points, point, side="left")
        flat = point.ravel()
        cell = flat >> self._shift
        found, held = self._cells.records_of(cell)
        inside = np.flatnonzero(held)
        if not inside.size:
            return found.reshape(point.shape)
        asked = flat[inside]
        first, held = found[inside], held[inside]
        node, count, level, before = self._descend(cell[inside], first, held, point=asked)
        inner = level > 0
        place = self._draw(node[inner], count[inner], level[inner])
        under = np.where(asked > node, count, 0)  # at a single point
        ends = place + count[inner]
        under[inner] = first_not_below(self._points, asked[inner], place, ends) - place
        found[inside] = before + under
        return found.reshape(point.shape)

    def spread(self) -> IntArray:
        """The points of all records (n,), ascending; they agree with every answer so far."""
        if self._all:
            return self._points
        cells, count = self._cells.every()
        node = cells << self._shift
        for level in range(self._shift, -1, -1):
            at, known = _found(self._halved[level], node)
            if level > 0:
                rest = ~known
                self._draw(node[rest], count[rest], np.full(int(rest.sum()), level))
            else:  # single points
                self._keep(np.repeat(node, count))
                break
            left, parent, total = self._left[level][at[known]], node[known], count[known]
            node = np.stack((parent, parent + (1 << (level - 1))), axis=1).ravel()
            count = np.stack((left, total - left), axis=1).ravel()
            node, count = node[count > 0], count[count > 0]
        self._points = np.sort(self._points[: self._held])
        self._all = True
        return self._points

    def evenly(self) -> tuple[IntArray, IntArray]:
        """The ends of even parts of every cell (d,), and the records in front of each (d + 1,).

        About where the records lie; it looks at none of them.
        """
        cells, counts = self._cells.every()
        before = np.cumsum(counts) - counts
        parts = min(1 << self._shift, max(1, MOST_PARTS // cells.size))
        part = np.arange(1, parts + 1)
        ends = (cells << self._shift)[:, None] + (part << self._shift) // parts - 1
        up_to = before[:, None] + counts[:, None] // parts * part
        up_to[:, -1] = before + counts
        return ends.ravel(), np.concatenate(([0], up_to.ravel()))

    def _descend(
        self,
        cell: IntArray,
        first: IntArray,
        held: IntArray,
        rank: IntArray | None = None,
        point: IntArray | None = None,
    ) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """From cells down to nodes with few records, (q,) each: first point, records, level, rank.

        first and held are the rank of a cell's first record and how many it holds. The way leads to
        a record of a rank or to a point; rank is that of a node's first record.
        """
        node, count = cell << self._shift, held.copy()
        before, level = first.copy(), np.full(cell.size, self._shift)
        rows = np.flatnonzero(count > self._few)
        for now in range(self._shift, 0, -1):
            if rows.size == 0:
                break
            left = self._left_of(now, node[rows], count[rows])
            if rank is not None:
                goes_right = rank[rows] - before[rows] >= left
            else:
                assert point is not None
                goes_right = point[rows] >= node[rows] + (1 << (now - 1))
            right = rows[goes_right]
            count[rows] = np.where(goes_right, count[rows] - left, left)
            before[right] += left[goes_right]
            node[right] += 1 << (now - 1)
            level[rows] = now - 1
            rows = rows[count[rows] > self._few]
        return node, count, level, before

    def _left_of(self, level: int, node: IntArray, count: IntArray) -> IntArray:
        """The records in the left halves of nodes of one level, (q,), drawn where not yet known."""
        asked, first, where = np.unique(node, return_index=True, return_inverse=True)
        at, known = _found(self._halved[level], asked)
        if not known.all():
            new = ~known
            left = heads(count[first[new]], self._bits)
            self._halved[level] = np.insert(self._halved[level], at[new], asked[new])
            self._left[level] = np.insert(self._left[level], at[new], left)
            at = np.searchsorted(self._halved[level], asked)
        return self._left[level][at[where]]

    def _draw(self, node: IntArray, count: IntArray, level: IntArray) -> IntArray:
        """Where the records of nodes begin among the points, (q,); they draw them if need be."""
        asked, first = np.unique(node, return_index=True)
        at, known = _found(self._drawn, asked)
        if not known.all():
            new = first[~known]
            self._drawn = np.insert(self._drawn, at[~known], node[new])
            place = self._held + offsets(count[new])[:-1]
            self._place = np.insert(self._place, at[~known], place)
            low = np.repeat(node[new], count[new])
            width = np.repeat(level[new], count[new])
            # nodes ascend, so that sorting all points sorts those of each
            self._keep(np.sort(low | uniform(width, self._shift, self._bits)))
        return self._place[np.searchsorted(self._drawn, node)]

    def _keep(self, points: IntArray) -> None:
        end = self._held + points.size
        if end > self._points.size:
            longer = np.empty(max(end, 2 * self._points.size), dtype=np.int64)
            longer[: self._held] = self._points[: self._held]
            self._points = longer
        self._points[self._held : end] = points
        self._held = end


Records = IntArray | LazyPoints  # as points (n,), ascending: in an array, or drawn lazily


def near_rank(records: Records, rank: IntArray) -> tuple[IntArray, IntArray]:
    """Points low .. high − 1 around the record that `rank` others precede, with no other between.

    The record's own point alone, or more where it was not drawn yet. Ranks beyond the ends mean
    the ends; there must be a record.
    """
    if isinstance(records, LazyPoints):
        return records.near_rank(np.clip(rank, 0, records.size - 1))
    point = records.take(rank, mode="clip")
    return point, point + 1


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


def _found(ascending: IntArray, asked: IntArray) -> tuple[IntArray, BoolArray]:
    """Where asked numbers stand or would stand, (q,), and whether they are there."""
    at = np.searchsorted(ascending, asked)
    if ascending.size == 0:
        return at, np.zeros(asked.size, dtype=np.bool_)
    return at, ascending[np.minimum(at, ascending.size - 1)] == asked


def uniform(width: IntArray, most: int, bits: Bits) -> IntArray:
    """Whole numbers uniform over 0 .. 2^width − 1, elementwise; no width is above most ≤ 62."""
    if most <= 16:
        words = bits.words(width.size, np.uint16).astype(np.int64)
    elif most <= 32:
        words = bits.words(width.size, np.uint32).astype(np.int64)
    else:
        words = (bits.words(width.size, np.uint64) >> np.uint64(1)).view(np.int64)
    return words & ((np.int64(1) << width) - 1)
