"""Parquet files as one table of DuckDB, in which a name means what it says.

DuckDB takes columns for one whose names differ only in capital letters, and numbers the later ones:
`A` and `a` are `A` and `a_1`, in another order in another file. It takes brackets in a file's name
for a pattern, and a folder called `pay=1` for a column that hides the file's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from glob import escape, glob
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dpviz.intake.engine.tables import alike, check_apart

if TYPE_CHECKING:
    import ibis.expr.types as ir


def is_remote(pattern: str) -> bool:
    """Whether it is an address, whose files DuckDB lists itself."""
    return "://" in pattern


def files_meant(pattern: str) -> list[str]:
    """The files of a path or pattern, in order; a remote address stays as it is.

    `*`, `?` and `**` are patterns, brackets are letters, and a path that is a file means that file.
    """
    if is_remote(pattern):
        return [pattern]
    place = os.path.expanduser(pattern)
    if os.path.exists(place):
        return [place]
    return sorted(glob(place.replace("[", "[[]"), recursive=True))


def parquet_table(
    connection: Any, pattern: str, asked: Sequence[str] = (), *, hive: bool = False
) -> ir.Table:
    """The files as one table, without the columns whose names DuckDB does not tell apart.

    hive: folders called year=2025 are a column year, which goes before one of the file.
    Raises: InvalidData if an asked column is one of those; FileNotFoundError if there is no file.
    """
    found = files_meant(pattern)
    if not found:
        raise FileNotFoundError("no file has such a name")
    # DuckDB reads every name as a pattern
    paths = [one if is_remote(one) else escape(one) for one in found]
    table = connection.read_parquet(paths, hive_partitioning=hive)
    query = connection.con.execute("SELECT name, num_children FROM parquet_schema(?)", [paths])
    twins = {twin for names in _columns(query.fetchall()) for twin in alike(names)}
    check_apart(asked, twins)
    return table.select(*(name for name in table.columns if not _numbered(name, twins)))


def _numbered(name: str, twins: Iterable[str]) -> bool:
    """Whether a name is that of twins, or one that DuckDB may have given to one of them."""
    folded = name.casefold()
    return any(folded == twin or folded.startswith(f"{twin}_") for twin in twins)


def _columns(fields: list[tuple[str, int | None]]) -> Iterator[list[str]]:
    """The names of each file's columns, without the fields inside nested ones.

    fields lists each file's root, then its fields from the top, every one before its own fields.
    """
    levels: list[int] = []  # how many fields are still to come, from the root down
    names: list[tuple[int, str]] = []
    file = -1
    for name, children in fields:
        if not levels:
            file += 1
        elif len(levels) == 1:
            names.append((file, name))
        if levels:
            levels[-1] -= 1
        levels.append(children or 0)
        while levels and not levels[-1]:
            levels.pop()
    for _, group in groupby(names, key=lambda one: one[0]):
        yield [name for _, name in group]
