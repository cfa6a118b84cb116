"""A column of a file as it was declared: no record decides how another one is read.

The app looks at all cells of a file to find out how its numbers are written, which is kind to a
person and lets one cell decide for others. For a release that is made once nothing is found out:
separator and decimal mark are declared, a line is a record, and what is no number is missing.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import UnreadableColumn, UnreadableFile
from dpviz.intake.source import buffer_of, format_of

MARK = "\ufeff"  # that some programs put before a text
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Writing:
    """How the lines of a text are written: declared, never found out."""

    separator: str = ","
    decimal: str = "."


def declared_columns(path: Path, names: Sequence[str], writing: Writing) -> list[FloatArray]:
    """The values of columns (n,), n records, NaN where a cell holds no finite number.

    Numbers have no marks between thousands. A line with too few or too many cells is a record
    without numbers. Of a Parquet file the types that it declares are taken.
    Raises: UnreadableFile for no such text; UnreadableColumn for a name that its first line has not
    or twice, or a Parquet column that is none of numbers. Neither depends on a record.
    """
    buffer = buffer_of(path, path.name)
    if (kind := format_of(buffer, path.name)) == "workbook":
        raise UnreadableFile("A workbook does not say how its cells are meant. Save it as CSV.")
    if kind == "Parquet":
        return _parquet(path, names)
    head, *lines = _lines(path)
    places = _places(next(csv.reader([head], delimiter=writing.separator), []), names)
    return _texts(lines, places, writing)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the asked columns stand among all of a line."""

    at: tuple[int, ...]
    width: int


def _lines(path: Path) -> list[str]:
    """Lines end with a line feed and nothing else; bytes that are no UTF-8 become marks."""
    text = path.read_bytes().decode("utf-8", errors="replace").removeprefix(MARK)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise UnreadableFile("The file has no line. Its first one must name the columns.")
    return lines


def _places(head: Sequence[str], names: Sequence[str]) -> _Places:
    known = [name.strip() for name in head]
    for name in names:
        if known.count(name) != 1:
            found = "no column" if name not in known else "several columns"
            raise UnreadableColumn(f"The file has {found} '{name}'.")
    return _Places(tuple(known.index(name) for name in names), len(known))


def _texts(lines: list[str], places: _Places, writing: Writing) -> list[FloatArray]:
    """The cells of each line, then the numbers in them."""
    texts = pa.array(lines, pa.large_string())
    cells = pc.split_pattern(texts, writing.separator)
    whole = pc.equal(pc.list_value_length(cells), places.width)
    quoted = pc.match_substring(texts, '"')
    plain = pc.and_(whole, pc.invert(quoted))
    found = [np.full(len(lines), NAN) for _ in places.at]
    kept = cells.filter(plain)
    at = np.flatnonzero(plain.to_numpy(zero_copy_only=False))
    for values, place in zip(found, places.at, strict=True):
        values[at] = _numbers(pc.list_element(kept, place), writing.decimal)
    at = np.flatnonzero(quoted.to_numpy(zero_copy_only=False))
    rows = [_unquoted(lines[line], writing.separator) for line in at]  # each line by itself
    for values, place in zip(found, places.at, strict=True):
        column = [row[place] if len(row) == places.width else "" for row in rows]
        values[at] = _numbers(pa.array(column, pa.large_string()), writing.decimal)
    return found


def _unquoted(line: str, separator: str) -> list[str]:
    """The cells of a line with quotes; a quote that is not closed ends with its line."""
    try:
        return next(csv.reader([line.rstrip("\r")], delimiter=separator), [])
    except csv.Error:
        return []


def _numbers(cells: pa.Array, decimal: str) -> FloatArray:
    """Each cell by itself: a finite number, or NaN."""
    cells = pc.utf8_trim_whitespace(cells)
    if decimal != ".":
        point = pc.match_substring(cells, ".")  # is none of this writing's numbers
        cells = pc.if_else(point, "", pc.replace_substring(cells, decimal, "."))
    known = pc.match_substring_regex(cells, NUMBER)
    numbers = pc.cast(pc.if_else(known, cells, "nan"), pa.float64()).to_numpy()
    return np.where(np.isfinite(numbers), numbers, NAN)


def _parquet(path: Path, names: Sequence[str]) -> list[FloatArray]:
    schema = pq.read_schema(path)
    for name in names:
        at = schema.get_all_field_indices(name)
        if len(at) != 1:
            raise UnreadableColumn(f"The file has no or several columns '{name}'.")
        kind = schema.field(at[0]).type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise UnreadableColumn(f"The file declares '{name}' as {kind}, which is no number.")
    table = pq.read_table(path, columns=list(dict.fromkeys(names)))
    return [_finite(table.column(name)) for name in names]


def _finite(column: pa.ChunkedArray) -> FloatArray:
    numbers = pc.fill_null(pc.cast(column, pa.float64(), safe=False), NAN).to_numpy()
    return np.where(np.isfinite(numbers), numbers, NAN)
