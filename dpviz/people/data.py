"""Columns, points and counts on a grid of people with several rows. Everything is confidential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import wanted
from dpviz.core.data.checks import one_dimensional
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, checked_side
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import Randomness, bits_of, or_secure
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.spatial import grid_cell
from dpviz.people.rows import counted_rows, kept_rows, labels, row_parts


@usual_floats
def person_column(
    persons: ArrayLike,
    values: ArrayLike,
    bounds: Bounds,
    resolution: float,
    rows: PersonRows,
    rng: Randomness | None = None,
) -> Column:
    """The column of the rows that count; persons and values (n,), a person's rows in any places.

    At most k rows a person: the Column of the rows that are kept. Weighted: a column made of
    counts, whose n and clipped are in parts; nothing is drawn. dropped are the rows without a
    value or a person; rows beyond k are in no count. persons are names: texts, bytes, whole
    numbers, booleans, floats, UUIDs, tuples of these, or an array of dates or times without a time
    zone; None, NaN and the empty text name nobody.

    >>> rows = dp.PersonRows.at_most(2)
    >>> dp.person_column(['a', 'a', 'b'], [5, 7, 6], dp.Bounds(0, 10), 1, rows)
    <Column of confidential data: bounds=Bounds(low=0.0, high=10.0), resolution=1.0>

    Raises: as Column.from_values; InvalidData for names of another kind, or if persons and values
    differ in length.
    """
    rng = or_secure(rng)
    given = one_dimensional(values)
    parts, dropped = _parts(persons, ~np.isnan(given), rows, rng)
    at = parts > 0
    if rows.shared:
        return Column.from_counts(given[at], parts[at], bounds, resolution, dropped)
    return replace(Column.from_values(given[at], bounds, resolution), dropped=dropped)


@usual_floats
def person_groups(
    persons: ArrayLike,
    values: ArrayLike,
    groups: Sequence[BoolArray],
    bounds: Bounds,
    resolution: float,
    rows: PersonRows,
    rng: Randomness | None = None,
) -> list[Column]:
    """The column of each group of rows; groups are masks (n,), of which a row is in one at most.

    What counts of a person is bounded once, over all groups together: at most k rows wherever they
    lie, or all with parts of one person. To bound it in each group apart would let a person with
    rows in all g groups count g times. Rows of no group are neither drawn from nor counted.
    Guarantee: adding or removing a person changes at most rows.most records of all columns.
    Raises: as person_column; InvalidData for a row that is in two groups.
    """
    rng = or_secure(rng)
    given = one_dimensional(values)
    inside = np.sum(groups, axis=0, dtype=np.int64)
    if inside.shape != given.shape or inside.max(initial=0) > 1:
        raise InvalidData("Groups are masks of all rows, and no row is in two of them.")
    parts, _ = _parts(persons, ~np.isnan(given) & (inside == 1), rows, rng)
    found = []
    for group in groups:
        at = group & (parts > 0)
        if rows.shared:
            found.append(Column.from_counts(given[at], parts[at], bounds, resolution))
        else:
            found.append(Column.from_values(given[at], bounds, resolution))
    return found


@usual_floats
def person_points(
    persons: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    box: Box,
    rows: PersonRows,
    rng: Randomness | None = None,
) -> Points:
    """The points that are kept, of at most k rows a person; dropped as for person_column.

    >>> rows = dp.PersonRows.at_most(1)
    >>> dp.person_points(['a', 'a', 'b'], [5, 7, 6], [1, 2, 3], box, rows).box == box
    True

    Raises: as Points.from_xy; InvalidParameter for weighted rows: a point counts whole.
    """
    rng = or_secure(rng)
    if wanted(PersonRows, rows, "rows").shared:
        raise InvalidParameter(
            "Points count whole, so weighted rows have no points. Count them on a grid with "
            "person_grid, or write PersonRows.at_most(k)."
        )
    xs, ys = _pairs(x, y)
    parts, dropped = _parts(persons, ~(np.isnan(xs) | np.isnan(ys)), rows, rng)
    kept = parts > 0
    return replace(Points.from_xy(xs[kept], ys[kept], box), dropped=dropped)


@usual_floats
def person_grid(
    persons: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    box: Box,
    side: int,
    rows: PersonRows,
    rng: Randomness | None = None,
) -> GridCounts:
    """The rows that count, counted on a grid; in parts where they are weighted.

    The cells are those of count_points and of trees. dropped as for person_column.

    >>> rows = dp.PersonRows.weighted()
    >>> dp.person_grid(['a', 'a', 'b'], [5, 7, 6], [1, 2, 3], box, 4, rows).side
    4

    Raises: as Points.from_xy; InvalidData for a side that is no power of two up to 4,096.
    """
    rng = or_secure(rng)
    side = checked_side(side)
    xs, ys = _pairs(x, y)
    parts, dropped = _parts(persons, ~(np.isnan(xs) | np.isnan(ys)), rows, rng)
    at = parts > 0
    points = Points.from_xy(xs[at], ys[at], box)
    cells = grid_cell(points.x, box.x, side) * side + grid_cell(points.y, box.y, side)
    counts = np.zeros(side * side, dtype=np.int64)
    np.add.at(counts, cells, parts[at])
    moved = (points.x != xs[at]) | (points.y != ys[at])
    return GridCounts.from_flat(box, side, counts, int(parts[at][moved].sum()), dropped)


def _parts(
    persons: ArrayLike, present: BoolArray, rows: PersonRows, rng: Randomness
) -> tuple[IntArray, int]:
    """As how many records each row counts, (n,), and how many rows lack a value or a person."""
    bits_of(rng)
    codes = labels(persons)
    counted = counted_rows(codes, present)
    if wanted(PersonRows, rows, "rows").shared:
        parts = row_parts(codes, rows, counted)
    else:
        parts = kept_rows(codes, rows, counted, rng).astype(np.int64)
    return parts, int(np.count_nonzero(~counted))


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    xs, ys = one_dimensional(x), one_dimensional(y)
    if xs.shape != ys.shape:
        raise InvalidData("Both coordinates need one length: each row has an x and a y.")
    return xs, ys
