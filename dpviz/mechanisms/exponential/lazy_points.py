"""The spread of tied records over the points of their cells, drawn only where a draw looks at it.

All that a spread says of a cell is how many of its records lie in the left half of its points, how
many of those in the left half of that, and so on; each is the number of heads among as many fair
coins. Where few records are left they draw their points themselves. Nothing is ever forgotten, so
that all looks see one and the same spread; whole random bits alone decide, so it is exact.
"""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.bits import Bits

FEW = 256  # records that draw their points themselves
WORDS_AT_ONCE = 1 << 17  # of 64 coins each


@confidential()
class LazyPoints:
    """Records as points in ascending order, each uniform in its cell. Confidential.

    Shapes: cells (c,), ascending, and counts (c,), the records of each; a cell has 2^shift points.
    A half of a cell, of that half and so on is a node: its first point and the level, 2^level
    points. Guarantee: the joint law of all answers is that of spreading every record by itself.
    """

    def __init__(self, cells: IntArray, counts: IntArray, shift: int, bits: Bits) -> None:
        self._cells, self._counts = cells, counts
        self._before = np.concatenate(([0], np.cumsum(counts)))
        self._shift, self._bits = shift, bits
        nothing = np.empty(0, dtype=np.int64)
        # by level: the nodes that were halved, and the records in the left half of each
        self._halved = [nothing] * (shift + 1)
        self._left = [nothing] * (shift + 1)
        self._drawn = nothing  # first points of nodes whose records have drawn theirs
        self._points = nothing  # the points that were drawn, ascending
        self._all = False  # whether these are all

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self._before[-1])

    def of_rank(self, rank: IntArray) -> IntArray:
        """The point of the record that `rank` others precede, 0 .. size − 1; any shape."""
        if self._all:
            return self._points[rank]
        flat = rank.ravel()
        group = np.searchsorted(self._before, flat, side="right") - 1
        node, count, level, before = self._descend(group, rank=flat)
        found = node.copy()  # of a single point
        inner = np.flatnonzero(level > 0)
        place = self._draw(node[inner], count[inner], level[inner])
        found[inner] = self._points[place + flat[inner] - before[inner]]
        return found.reshape(rank.shape)

    def below(self, point: IntArray) -> IntArray:
        """How many records lie below each point; any shape."""
        if self._all:
            return np.searchsorted(self._points, point, side="left")
        flat = point.ravel()
        cell = flat >> self._shift
        group = np.searchsorted(self._cells, cell, side="left")
        found = self._before[group]
        inside = np.flatnonzero(self._cells[np.minimum(group, self._cells.size - 1)] == cell)
        asked = flat[inside]
        node, count, level, before = self._descend(group[inside], point=asked)
        inner = level > 0
        place = self._draw(node[inner], count[inner], level[inner])
        under = np.where(asked > node, count, 0)  # at a single point
        under[inner] = np.searchsorted(self._points, asked[inner], side="left") - place
        found[inside] = before + under
        return found.reshape(point.shape)

    def spread(self) -> IntArray:
        """The points of all records (n,), ascending; they agree with every answer so far."""
        if self._all:
            return self._points
        node, count = self._cells << self._shift, self._counts
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
        self._all = True
        return self._points

    def _descend(
        self, group: IntArray, rank: IntArray | None = None, point: IntArray | None = None
    ) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """From cells down to nodes with few records, (q,) each: first point, records, level, rank.

        The way leads to a record of a rank or to a point; rank is that of a node's first record.
        """
        node, count = self._cells[group] << self._shift, self._counts[group]
        before, level = self._before[group], np.full(group.size, self._shift)
        rows = np.flatnonzero(count > FEW)
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
            rows = rows[count[rows] > FEW]
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
            low = np.repeat(node[new], count[new])
            width = np.repeat(level[new], count[new])
            self._keep(low | uniform(width, self._shift, self._bits))
        return np.searchsorted(self._points, node, side="left")

    def _keep(self, points: IntArray) -> None:
        self._points = np.concatenate((self._points, points))
        self._points.sort(kind="stable")  # two runs nearly in order


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


def heads(coins: IntArray, bits: Bits) -> IntArray:
    """The number of heads among fair coins, (q,): binomial with 1/2, exactly; coins ≥ 1."""
    found = np.zeros(coins.size, dtype=np.int64)
    size = (coins + 63) >> 6
    end = np.cumsum(size)
    start = 0
    while start < coins.size:
        taken = end[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(end, taken + WORDS_AT_ONCE, side="right")))
        if stop == start + 1:
            found[start] = _heads_of_one(int(coins[start]), bits)
        else:
            words = bits.words(int(end[stop - 1] - taken), np.uint64)
            last = end[start:stop] - taken - 1
            words[last] >>= (-coins[start:stop] & 63).astype(np.uint64)
            ones = np.bitwise_count(words).astype(np.int64)
            found[start:stop] = np.add.reduceat(ones, last + 1 - size[start:stop])
        start = stop
    return found


def _heads_of_one(coins: int, bits: Bits) -> int:
    """The same for as many coins as one likes, in pieces that stay in fast memory."""
    found = 0
    while coins > 0:
        now = min(coins, 64 * WORDS_AT_ONCE)
        words = bits.words((now + 63) >> 6, np.uint64)
        words[-1] >>= np.uint64(-now & 63)
        found += int(np.bitwise_count(words).sum(dtype=np.int64))
        coins -= now
    return found
