"""A column of a file as it was declared: no record decides how another one is read.

The app looks at all cells of a file to find out how its numbers are written, which is kind to a
person and lets one cell decide for others. For a release that is made once nothing is found out:
separator and decimal mark are declared, a line is a record, and what is no number is missing.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

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
BLOCK, LONGEST = 1 << 22, 1 << 24  # bytes of text at once, and of a line
ROWS = 1 << 18  # of a Parquet file at once


@dataclass(frozen=True, slots=True)
class Writing:
    """How the lines of a text are written: declared, never found out."""

    separator: str = ","
    decimal: str = "."


def declared_batches(
    path: Path, names: Sequence[str], writing: Writing
) -> Iterator[list[FloatArray]]:
    """The values of columns (n,), NaN where a cell holds no finite number, some records at a time.

    Numbers have no marks between thousands. A line with too few or too many cells, or of more than
    16 MB, is a record without numbers. Of a Parquet file the types that it declares are taken.
    Raises: UnreadableFile for no such text; UnreadableColumn for a name that its first line has not
    or twice, or a Parquet column that is none of numbers. Neither depends on a record.
    """
    buffer = buffer_of(path, path.name)
    if (kind := format_of(buffer, path.name)) == "workbook":
        raise UnreadableFile("A workbook does not say how its cells are meant. Save it as CSV.")
    if kind == "Parquet":
        yield from _parquet(path, names)
        return
    with path.open("rb") as file:
        head = _head(file)
        places = _places(next(csv.reader([head], delimiter=writing.separator), []), names)
        for block in _blocks(file):
            yield _cells(_lines(block), places, writing)


def _head(file: BinaryIO) -> str:
    line = file.readline(LONGEST + 1)
    if b"\r" in line.removesuffix(b"\n").removesuffix(b"\r") or line.endswith(b"\r"):
        raise UnreadableFile("Lines end with a line feed. Save the file with other line ends.")
    if not line.removeprefix(MARK.encode()) or len(line) > LONGEST:
        raise UnreadableFile("The file has no first line of at most 16 MB that names the columns.")
    return line.decode("utf-8", errors="replace").removeprefix(MARK).removesuffix("\n")


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the asked columns stand among all of a line."""

    at: tuple[int, ...]
    width: int


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time, without the last line feed; too long ones are cut."""
    rest = b""
    while block := file.read(BLOCK):
        lines, feed, rest = (rest + block).rpartition(b"\n")
        if feed:
            yield lines
        rest = rest[: LONGEST + 1]
    if rest:
        yield rest


def _lines(block: bytes) -> pa.Array:
    """Lines end with a line feed and nothing else; bytes that are no UTF-8 become marks."""
    text = pa.array([block.decode("utf-8", errors="replace")], pa.large_string())
    lines = pc.split_pattern(text, "\n").flatten()
    return pc.if_else(pc.greater(pc.binary_length(lines), LONGEST), "", lines)


def _places(head: Sequence[str], names: Sequence[str]) -> _Places:
    known = [name.strip() for name in head]
    for name in names:
        if known.count(name) != 1:
            found = "no column" if name not in known else "several columns"
            raise UnreadableColumn(f"The file has {found} '{name}'.")
    return _Places(tuple(known.index(name) for name in names), len(known))


def _cells(lines: pa.Array, places: _Places, writing: Writing) -> list[FloatArray]:
    """The cells of each line, then the numbers in them."""
    cells = pc.split_pattern(lines, writing.separator)
    whole = pc.equal(pc.list_value_length(cells), places.width)
    quoted = pc.match_substring(lines, '"')
    plain = pc.and_(whole, pc.invert(quoted))
    found = [np.full(len(lines), NAN) for _ in places.at]
    kept = cells.filter(plain)
    at = np.flatnonzero(plain.to_numpy(zero_copy_only=False))
    for values, place in zip(found, places.at, strict=True):
        values[at] = _numbers(pc.list_element(kept, place), writing.decimal)
    at = np.flatnonzero(quoted.to_numpy(zero_copy_only=False))
    # each line by itself
    rows = [_unquoted(line, writing.separator) for line in lines.filter(quoted).to_pylist()]
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


def _parquet(path: Path, names: Sequence[str]) -> Iterator[list[FloatArray]]:
    with pq.ParquetFile(path) as file:
        schema = file.schema_arrow
        for name in names:
            at = schema.get_all_field_indices(name)
            if len(at) != 1:
                raise UnreadableColumn(f"The file has no or several columns '{name}'.")
            kind = schema.field(at[0]).type
            if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
                raise UnreadableColumn(f"The file declares '{name}' as {kind}, which is no number.")
        for batch in file.iter_batches(ROWS, columns=list(dict.fromkeys(names)), use_threads=False):
            yield [_finite(batch.column(name)) for name in names]


def _finite(column: pa.Array) -> FloatArray:
    numbers = pc.fill_null(pc.cast(column, pa.float64(), safe=False), NAN).to_numpy()
    return np.where(np.isfinite(numbers), numbers, NAN)
