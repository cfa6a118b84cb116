"""Two columns of a table in an engine as counts on a grid, found there in one pass."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import wanted
from dpviz.core.data.grid_counts import GridCounts, checked_side
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows
from dpviz.intake.engine.expressions import (
    absent,
    cell_edge,
    clamped,
    double,
    equal_part,
    inside,
    whole,
)
from dpviz.intake.engine.people import person_named, person_sizes
from dpviz.intake.engine.tables import checked_table, numbers, staged

if TYPE_CHECKING:
    import ibis.expr.types as ir

MISSING = -1  # the key of a point without a place; that of a moved one is -2 - cell
LEAST_SPACINGS = 8  # doubles in a cell at the ends of its side


def count_points(
    table: ir.Table,
    x: str,
    y: str,
    box: Box,
    side: int,
    person: str | None = None,
    rows: PersonRows | None = None,
) -> GridCounts:
    """The GridCounts of two columns of an Ibis table, which its engine counts in one pass.

    Exact: points are counted in the cells [edge, next edge) that Points.from_xy of the records
    puts them into, those on an edge and next to one, too. Points outside the box, ±inf too, are
    moved to its border and counted as clipped; those with NULL or NaN for a coordinate are dropped.
    Whole, decimal and floating columns are taken. side is a power of two up to 4,096.
    person and rows are for people with several rows, as in count_column.

    >>> table = ibis.duckdb.connect().sql('SELECT range % 8 AS x, range AS y FROM range(9)')
    >>> dp.count_points(table, 'x', 'y', box, side=8).side
    8

    Raises: InvalidData for no Ibis table, a column that it has not or that holds no numbers, a box
    so narrow that hardly any doubles lie in a cell, a side that is no power of two up to 4,096,
    an engine that stopped, or without the extra dpviz[engine].
    """
    checked_table(table)
    wanted(Box, box, "box", InvalidData)
    side = checked_side(side)
    for bounds in (box.x, box.y):
        _check_apart(bounds, side)
    xs, ys = numbers(table, x, "x"), numbers(table, y, "y")
    named = person_named(table, person, rows)
    placed = staged(table, x=xs, y=ys, place=_place(xs, ys, box, side), **named)
    keys, counts = person_sizes(placed, _key(placed, box, side), MISSING, rows)
    found = keys != MISSING
    moved = found & (keys < 0)
    cells = np.where(moved, -2 - keys, keys)[found]
    places = np.minimum(np.divmod(cells, 2 * side), side - 1)
    grid = np.zeros((side, side), dtype=np.int64)
    np.add.at(grid, tuple(places), counts[found])
    return GridCounts(box, side, grid, int(counts[moved].sum()), int(counts[~found].sum()))


def _key(placed: ir.Table, box: Box, side: int) -> ir.IntegerValue:
    """One whole number a cell; the inside comes first, so that few points are clipped at all.

    Where the staged place is asked for nowhere else, Spark finds it for points inside alone: the
    floor of what is far outside would end its query.
    """
    import ibis  # noqa: PLC0415  an extra, and slow to import

    x, y = placed.x, placed.y
    moved = _place(clamped(x, box.x), clamped(y, box.y), box, side)
    return ibis.cases(
        (inside(x, box.x) & inside(y, box.y), placed.place.cast("int64")),
        (absent(x) | absent(y), whole(MISSING)),
        else_=whole(-2) - moved.cast("int64"),
    )


def _place(x: ir.FloatingValue, y: ir.FloatingValue, box: Box, side: int) -> ir.FloatingValue:
    """The number of a cell; the upper bound of y is a part of its own as yet."""
    sides = ((x, box.x), (y, box.y))
    across, up = (
        equal_part(values, bounds, side, partial(cell_edge, bounds=bounds, parts=side))
        for values, bounds in sides
    )
    return across * double(2 * side) + up


def _check_apart(bounds: Bounds, side: int) -> None:
    spacing = float(np.spacing(max(abs(bounds.low), abs(bounds.high))))
    if bounds.width / side < LEAST_SPACINGS * spacing:
        raise InvalidData(
            f"Bounds ({bounds.low:g}, {bounds.high:g}) are so narrow that few doubles lie in "
            f"each of {side:,} cells. Choose a smaller side, or subtract a constant first."
        )
