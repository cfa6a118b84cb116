"""Columns of an Ibis table as numbers, and how many records share a key, found in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.checks import found, short, wanted
from dpviz.core.errors import InvalidData
from dpviz.core.point_grid import EXACT_TENS
from dpviz.intake.names import shown

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir

SHOWN = 8  # columns that a message names
DIGITS = 15  # of whole numbers that doubles hold exactly
INSTALL = (
    "Counting in an engine needs Ibis and DuckDB, which are not installed. "
    "Run pip install 'dpviz[engine]'."
)


def check_installed() -> None:
    """Whether there is Ibis.

    Raises: InvalidData that says what to install.
    """
    try:
        import ibis  # noqa: F401, PLC0415  an extra, and slow to import
    except ImportError:
        raise InvalidData(INSTALL) from None


def checked_table(table: ir.Table) -> ir.Table:
    """The table itself.

    Raises: InvalidData for anything but an Ibis table, or where Ibis is not installed.
    """
    check_installed()
    import ibis.expr.types as ir  # noqa: PLC0415

    if isinstance(table, ir.Table):
        return table
    raise InvalidData(
        f"table must be an Ibis table, got {found(table)}. Make one with "
        "ibis.duckdb.connect().read_parquet('file.parquet') or ibis.memtable(...)."
    )


def named_column(table: ir.Table, name: str, role: str) -> ir.Value:
    """A column by its name; role is the argument that named it.

    Raises: InvalidData for a name that the table has not, or has in other capital letters, too.
    """
    wanted(str, name, role, InvalidData)
    names = tuple(table.columns)
    if name not in names:
        more = ", …" if len(names) > SHOWN else ""
        listed = ", ".join(shown(one) for one in names[:SHOWN])
        raise InvalidData(f"The table has no column {shown(name)}. It has {listed}{more}.")
    check_apart((name,), alike(names))
    return table[name]


def alike(names: Iterable[str]) -> set[str]:
    """What is left of names without their capitals, where several leave the same."""
    counted = Counter(name.casefold() for name in names)
    return {folded for folded, times in counted.items() if times > 1}


def check_apart(asked: Iterable[str], twins: Iterable[str]) -> None:
    """Refuse an asked name that is one of twins, as alike finds them: engines mix them up.

    Raises: InvalidData.
    """
    for name in asked:
        if name.casefold() in twins:
            raise InvalidData(
                f"Several columns are called {shown(name)}, up to capital letters, which engines "
                "do not tell apart. Give each a name of its own."
            )


def numbers(table: ir.Table, name: str, role: str) -> ir.FloatingValue:
    """A column of numbers as the doubles nearest to them, booleans as 0 and 1.

    role is the argument that named it.
    Raises: InvalidData for a name that the table has not, or a column of another type.
    """
    import ibis  # noqa: PLC0415  an extra, and slow to import

    column = named_column(table, name, role)
    kind = column.type()
    if kind.is_boolean():  # as files are read; not every engine makes a number of it by a cast
        return ibis.cases((column, 1.0), (~column, 0.0))
    if not (kind.is_integer() or kind.is_floating() or kind.is_decimal() or kind.is_null()):
        raise InvalidData(
            f"Column {shown(name)} is of type {short(kind)[:80]}; only whole, decimal and floating "
            "numbers and booleans are counted. Choose another column, or cast it in the engine."
        )
    if kind.is_decimal() and not _is_short(kind):
        column = column.cast("string")  # an engine's own cast may miss the nearest double
    return column if kind.is_float64() else column.cast("float64")


def _is_short(kind: dt.Decimal) -> bool:
    """Whether each of its decimals is a quotient of exact doubles, as engines compute it."""
    return (kind.precision or DIGITS + 1) <= DIGITS and 0 <= (kind.scale or 0) <= EXACT_TENS


def staged(table: ir.Table, **columns: ir.Value) -> ir.Table:
    """The columns as a query below the next one: what they share is then computed once."""
    return table.select(**columns).view()


def group_sizes(
    table: ir.Table, key: ir.IntegerValue, weight: ir.IntegerValue | None = None
) -> tuple[IntArray, IntArray]:
    """The distinct keys (k,), in any order, and how many records have each (k,): one query.

    With a weight each row counts as so many records.

    Raises: InvalidData if the engine stopped. Its own words may quote data and are left out.
    """
    grouped = table.select(key=key).group_by("key").aggregate(count=lambda one: one.count())
    if weight is not None:
        weighted = table.select(key=key, weight=weight).group_by("key")
        grouped = weighted.aggregate(count=lambda one: one.weight.sum().cast("int64"))
    try:
        counted = grouped.to_pyarrow()
    except Exception as error:  # what an engine raises is its own, and may quote a cell
        stopped = type(error).__name__
    else:
        return _whole(counted["key"]), _whole(counted["count"])
    raise InvalidData(
        f"The engine stopped while it counted ({stopped}). Try table.count().execute() to see "
        "whether it can read the table at all."
    )


def _whole(column: object) -> IntArray:
    return np.asarray(column).astype(np.int64, copy=False)
