"""Which cells of a grid hold records, and how many: known, or found where somebody asks."""

from typing import Protocol

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column

_BESIDE, _BEYOND = np.array([[-1], [0], [1]]), 1 << 62  # cells are fewer


class OccupiedCells(Protocol):
    """Records in ascending cells, by rank and by cell; all answers are confidential."""

    @property
    def size(self) -> int:
        """Number of records."""

    def of_rank(self, rank: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The cells of records 0 .. size − 1, the records before each cell and in it, (q,)."""

    def records_of(self, cell: IntArray) -> tuple[IntArray, IntArray]:
        """The records before each cell and in it, (q,)."""

    def every(self) -> tuple[IntArray, IntArray]:
        """All cells that hold records (c,), ascending, and how many each holds (c,)."""


@confidential()
class KnownCells:
    """Cells (c,), ascending, that were found beforehand, and counts (c,), the records of each."""

    def __init__(self, cells: IntArray, counts: IntArray) -> None:
        self._cells, self._counts = cells, counts
        self._before = np.concatenate(([0], np.cumsum(counts)))

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self._before[-1])

    def of_rank(self, rank: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The cells of records, the records before each cell and in it, (q,)."""
        group = np.searchsorted(self._before, rank, side="right") - 1
        return self._cells[group], self._before[group], self._counts[group]

    def records_of(self, cell: IntArray) -> tuple[IntArray, IntArray]:
        """The records before each cell and in it, (q,)."""
        group = np.searchsorted(self._cells, cell, side="left")
        near = np.minimum(group, self._cells.size - 1)
        return self._before[group], np.where(self._cells[near] == cell, self._counts[near], 0)

    def every(self) -> tuple[IntArray, IntArray]:
        """All cells that hold records (c,), and how many each holds (c,)."""
        return self._cells, self._counts


@confidential()
class HeldCells:
    """The cells of a column's records, found where somebody looks: most values stay unseen.

    Values ascend and a value's cell never falls where values rise, so that a cell's records are one
    stretch of them; its ends are guessed from the cell's place and moved until they are right.
    """

    def __init__(self, column: Column) -> None:
        self._column, self._values = column, column.held
        self._cell = column.grid.cell
        self._before = None if column.counts is None else np.append(0, np.cumsum(column.counts))

    @property
    def size(self) -> int:
        """Number of records."""
        return self._column.n

    def of_rank(self, rank: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The cells of records, the records before each cell and in it, (q,)."""
        place = rank
        if self._before is not None:
            place = np.searchsorted(self._before, rank, side="right") - 1
        below, cell, above = self._around(place)
        first = place.copy()
        if (more := below == cell).any():
            first[more] = self._first_from(cell[more])[0]
        return cell, *self._records(first, self._stop(place, cell, above))

    def records_of(self, cell: IntArray) -> tuple[IntArray, IntArray]:
        """The records before each cell and in it, (q,)."""
        first, at, above = self._first_from(cell)
        stop = np.where(at == cell, self._stop(first, cell, above), first)
        return self._records(first, stop)

    def every(self) -> tuple[IntArray, IntArray]:
        """All cells that hold records (c,), and how many each holds (c,)."""
        return self._column.cell_counts

    def _records(self, first: IntArray, stop: IntArray) -> tuple[IntArray, IntArray]:
        """The records before values first .. stop − 1 and of these values, (q,)."""
        if self._before is None:
            return first, stop - first
        return self._before[first], self._before[stop] - self._before[first]

    def _around(self, place: IntArray) -> IntArray:
        """The cells of the values before, at and behind places 0 .. d, (3, q)."""
        near = place + _BESIDE
        cells = self._cell(self._values.take(near, mode="clip"))
        cells[near < 0] = -1
        cells[near >= self._values.size] = _BEYOND
        return cells

    def _stop(self, place: IntArray, cell: IntArray, above: IntArray) -> IntArray:
        """Where the values of the cells at places end, (q,); most hold one value alone."""
        stop = place + 1
        if (more := above == cell).any():
            stop[more] = self._first_from(cell[more] + 1)[0]
        return stop

    def _first_from(self, cell: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The first value whose cell is at least so high, or how many values there are, (q,).

        And the cells of this value and of the next one.
        """
        guess = np.searchsorted(self._values, self._column.grid.lower_end(cell), side="left")
        below, at, above = self._around(guess)
        if not (fits := (below < cell) & (at >= cell)).all():
            guess[~fits] = self._searched(cell[~fits])
            _, at, above = self._around(guess)
        return guess, at, above

    def _searched(self, cell: IntArray) -> IntArray:
        """The same by halving, whatever rounding does to a guess."""
        low, high = np.zeros_like(cell), np.full_like(cell, self._values.size)
        while (low < high).any():
            middle = (low + high) // 2
            right = (self._around(middle)[1] < cell) & (low < high)
            low, high = np.where(right, middle + 1, low), np.where(right, high, middle)
        return low
