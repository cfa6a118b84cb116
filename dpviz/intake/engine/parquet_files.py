"""Parquet files as one table of DuckDB, in which a name means what it says.

DuckDB takes columns for one whose names differ only in capital letters, and numbers the later ones:
`A` and `a` are `A` and `a_1`, in another order in another file. It takes brackets in a file's name
for a pattern, and a folder called `pay=1` for a column that hides the file's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from glob import escape, glob
from typing import TYPE_CHECKING, Any

from dpviz.core.errors import InvalidData
from dpviz.intake.engine.tables import alike, check_apart
from dpviz.intake.names import shown

if TYPE_CHECKING:
    import ibis.expr.types as ir

MOST_DIGITS = 38  # of a decimal in DuckDB; longer ones become doubles there
FIELDS = "SELECT name, coalesce(num_children, 0), coalesce(precision, 0) FROM parquet_schema(?)"


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
    """The files as one table, without the columns that DuckDB mixes up or rounds by itself.

    hive: folders called year=2025 are a column year, which goes before one of the file.
    Raises: InvalidData if an asked column is one of those; FileNotFoundError if there is no file.
    """
    found = files_meant(pattern)
    if not found:
        raise FileNotFoundError(f"there is no file {pattern}")
    # DuckDB reads every name as a pattern
    paths = [one if is_remote(one) else escape(one) for one in found]
    table = connection.read_parquet(paths, hive_partitioning=hive)
    files = _columns(connection.con.execute(FIELDS, [paths]).fetchall())
    twins = {twin for file in files for twin in alike(name for name, _ in file)}
    long = {name for file in files for name, digits in file if digits > MOST_DIGITS}
    check_apart(asked, twins)
    _check_short(asked, long)
    return table.select(
        *(name for name in table.columns if not (name in long or _numbered(name, twins)))
    )


def _check_short(asked: Iterable[str], long: set[str]) -> None:
    for name in asked:
        if name in long:
            raise InvalidData(
                f"Column {shown(name)} holds decimals of more than {MOST_DIGITS} digits, which "
                "DuckDB rounds in another way than files are read. Store it as doubles."
            )


def _numbered(name: str, twins: Iterable[str]) -> bool:
    """Whether a name is that of twins, or one that DuckDB may have given to one of them."""
    folded = name.casefold()
    return any(folded == twin or folded.startswith(f"{twin}_") for twin in twins)


def _columns(fields: Iterable[tuple[str, int, int]]) -> list[list[tuple[str, int]]]:
    """Names and digits of each file's columns, without the fields inside nested ones.

    fields lists each file's root, then its fields from the top, every one before its own fields.
    """
    files: list[list[tuple[str, int]]] = []
    left: list[int] = []  # how many fields are still to come, from the root down
    for name, children, digits in fields:
        if not left:
            files.append([])
        elif len(left) == 1:
            files[-1].append((name, digits))
        if left:
            left[-1] -= 1
        left.append(children)
        while left and not left[-1]:
            left.pop()
    return files
