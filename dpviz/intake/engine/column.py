"""One column of a table in an engine, counted there in one pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import SHORTEST_SIDE, Bounds
from dpviz.core.checks import wanted
from dpviz.core.data.checks import checked_resolution
from dpviz.core.data.column import Column
from dpviz.core.edges import EqualParts
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows
from dpviz.core.point_grid import PointGrid
from dpviz.intake.engine.expressions import (
    absent,
    double,
    edge_numbered,
    equal_part,
    inside,
    nearest,
    whole,
)
from dpviz.intake.engine.people import person_named, person_sizes
from dpviz.intake.engine.tables import checked_table, numbers, staged

if TYPE_CHECKING:
    import ibis.expr.types as ir

# the keys of records without a cell of their own; cells count from 0 up
BELOW, ABOVE, MISSING = -1, -2, -3
MOST_CELLS = 1 << 22  # of a declared resolution
BINS = 1 << 20  # of a column without one
LEAST_SPACINGS = 8  # doubles in a bin at the bounds, so that its edges are told apart


def count_column(
    table: ir.Table,
    column: str,
    bounds: Bounds,
    resolution: float,
    person: str | None = None,
    rows: PersonRows | None = None,
) -> Column:
    """The Column of an Ibis table's column, from counts that its engine finds in one pass.

    Every record goes to the cell of low + j·resolution nearest to it, ⌊(x − low)/resolution + ½⌋
    in doubles, and is held as that number. Values outside bounds, ±inf too, are moved to them and
    counted as clipped; NULL and NaN are missing. Whole, decimal and floating columns are taken,
    and booleans as 0 and 1.
    Nothing is inferred: bounds and resolution are declared, and at most 2^22 cells are counted.

    Exact for a declared resolution. If the values lie on its grid, all that is drawn from the
    column has the law, and with the same bits the numbers, of Column.from_values of the records.
    If some lie off it, that still holds for quantiles drawn on the grid: those look at cells alone.
    All else, such as a tree whose leaf edges cut through a cell or a sum, is about the rounded
    column, each record moved by at most half a resolution; so is its privacy, which rounding a
    record at a time leaves as it was.
    Resolution 0 gives the release about the rounded column: bounds are cut into 2^20 equal bins
    (fewer where the bounds are few doubles wide), each record is moved down to the lower edge of
    its bin, and the column is declared with the width of a bin as its resolution. Trees whose
    leaves are whole bins (fanout 2, height up to 20) count exactly the records; a quantile is low
    by less than 10^-6 of the bounds' width.
    People with several rows: person names the column of each row's person, and rows says what of a
    person counts; release with release_for_people. Rows whose person is NULL, NaN or the empty
    text are missing; other texts are told apart as the engine compares them, DuckDB byte for byte.
    Which rows are kept is drawn by the engine, without a seed; n of weighted rows is in parts.

    >>> table = ibis.duckdb.connect().sql('SELECT range AS pay FROM range(500)')
    >>> dp.count_column(table, 'pay', dp.Bounds(0, 500), resolution=1)
    <Column of confidential data: bounds=Bounds(low=0.0, high=500.0), resolution=1.0>

    Raises: InvalidData for no Ibis table, a column that it has not or that holds no numbers, a
    resolution of more than 2^22 cells, an engine that stopped, or without the extra dpviz[engine].
    """
    cells = _cells(wanted(Bounds, bounds, "bounds", InvalidData), resolution)
    values = numbers(checked_table(table), column, "column")
    named = person_named(table, person, rows)
    placed = staged(table, value=values, place=cells.place(values), **named)
    keys, counts = person_sizes(placed, _key(placed, bounds), MISSING, rows)
    records = np.zeros(cells.last + 2, dtype=np.int64)  # one more for a bound that is rounded up
    records[keys[keys >= 0]] = counts[keys >= 0]
    held = np.flatnonzero(records)
    below, above, missing = (int(counts[keys == key].sum()) for key in (BELOW, ABOVE, MISSING))
    return Column.from_counts(
        np.concatenate(([-np.inf], cells.printed(np.minimum(held, cells.last)), [np.inf])),
        np.concatenate(([below], records[held], [above])),
        bounds,
        cells.resolution,
        missing,
    )


def check_declared(bounds: Bounds, resolution: float) -> None:
    """Refuse what count_column would refuse of its declarations, without a table.

    Raises: InvalidData.
    """
    _cells(wanted(Bounds, bounds, "bounds", InvalidData), resolution)


def _key(placed: ir.Table, bounds: Bounds) -> ir.IntegerValue:
    """The inside comes first: an engine that stops at the first case does little else."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    return ibis.cases(
        (inside(placed.value, bounds), placed.place.cast("int64")),
        (absent(placed.value), whole(MISSING)),
        (placed.value < double(bounds.low), whole(BELOW)),
        else_=whole(ABOVE),
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """Public cells: that of a value, the number that stands for each, and the last of them."""

    resolution: float
    last: int
    place: Callable[[ir.FloatingValue], ir.FloatingValue]
    printed: Callable[[IntArray], FloatArray]


def _cells(bounds: Bounds, resolution: float) -> _Cells:
    resolution = checked_resolution(resolution, bounds)
    if min(bounds.width, resolution or bounds.width) < SHORTEST_SIDE:
        raise InvalidData(
            f"Bounds ({bounds.low:g}, {bounds.high:g}) and steps are to be at least "
            f"{SHORTEST_SIDE:g} wide for a count in an engine. Change the units."
        )
    if not resolution:
        return _bins(bounds)
    grid = PointGrid.of(bounds, resolution)
    if grid.cells > MOST_CELLS:
        raise InvalidData(
            f"Resolution {resolution:g} cuts the bounds ({bounds.low:g}, {bounds.high:g}) into "
            f"{grid.cells:,} cells; at most {MOST_CELLS:,} are counted. Declare a coarser "
            f"resolution, narrower bounds, or 0 for {BINS:,} equal bins."
        )
    return _Cells(
        resolution,
        grid.cells - 1,
        lambda values: nearest(values, bounds.low, resolution),
        grid.printed,
    )


def _bins(bounds: Bounds) -> _Cells:
    """Equal bins for a column without a resolution; each stands for its lower edge."""
    spacing = float(np.spacing(max(abs(bounds.low), abs(bounds.high))))
    bins = BINS
    while bins > 1 and bounds.width / bins < LEAST_SPACINGS * spacing:
        bins //= 2
    step = bounds.width / bins
    if step < LEAST_SPACINGS * spacing:
        raise InvalidData(
            f"Bounds ({bounds.low:g}, {bounds.high:g}) are only a few doubles wide: values between "
            "them cannot be told apart. Declare wider bounds, or subtract a constant first."
        )
    equal = EqualParts.of(bounds, bins)
    return _Cells(
        step,
        bins - 1,
        lambda values: equal_part(values, bounds, bins, partial(edge_numbered, parts=equal)),
        equal.at,
    )
