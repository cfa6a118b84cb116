"""Few rows of a grid in which every two values of different columns meet: all the pairs."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any


def pairwise(*columns: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Rows with one value of each column; any value of one meets any value of another in some row.

    The same columns give the same rows. The two longest columns meet in full first; then each other
    column is filled in with whatever meets most that it has not met.
    """
    values = [list(column) for column in columns]
    return [
        tuple(column[at] for column, at in zip(values, row, strict=True))
        for row in _rows([len(column) for column in values])
    ]


def _rows(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    order = sorted(range(len(sizes)), key=lambda column: -sizes[column])
    first, rest = order[:2], order[2:]
    rows = [dict(zip(first, row, strict=True)) for row in _product(sizes, first)]
    for column in rest:
        rows = _with_column(rows, column, sizes)
    return sorted(tuple(row[column] for column in range(len(sizes))) for row in rows)


def _product(sizes: Sequence[int], columns: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return itertools.product(*(range(sizes[column]) for column in columns))


def _with_column(
    rows: list[dict[int, int]], column: int, sizes: Sequence[int]
) -> list[dict[int, int]]:
    """The rows with a value for one more column, and rows for the pairs that are still missing."""
    done = list(rows[0])
    missing = {
        (other, at, value)
        for other in done
        for at in range(sizes[other])
        for value in range(sizes[column])
    }
    times = [0] * sizes[column]

    def met(row: dict[int, int], value: int) -> set[tuple[int, int, int]]:
        return {(other, at, value) for other, at in row.items()} & missing

    for row in rows:
        value = max(range(sizes[column]), key=lambda one: (len(met(row, one)), -times[one]))
        missing -= met(row, value)
        times[value] += 1
        row[column] = value
    while missing:
        more: dict[int, int] = {}
        for other, at, value in sorted(missing):
            if other not in more and more.get(column, value) == value:
                more |= {other: at, column: value}
        missing -= met({other: at for other, at in more.items() if other != column}, more[column])
        rows.append({other: more.get(other, 0) for other in (*done, column)})
    return rows
