"""How a text file is written, told from its head: separator, decimal mark, header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from dpviz.core.errors import UnreadableFile
from dpviz.intake.head import (
    Rows,
    is_clear_comma_number,
    is_clear_point_number,
    is_comma_number,
    is_missing,
    is_number,
    read_head,
)

NO_SEPARATOR = "\x1f"  # never found in text, so every line is one field
_SEPARATORS = "\t;|,"  # the rarer in prose come first and win ties


@dataclass(frozen=True, slots=True)
class Dialect:
    """start is the byte at which the first row of data begins; names has one entry a column."""

    delimiter: str
    decimal: str
    names: tuple[str, ...]
    start: int
    notes: tuple[str, ...] = ()


def sniff(body: pa.Buffer, name: str) -> Dialect:
    """Judge the first 64 kB (more only when two lines do not fit).

    Raises: UnreadableFile when there is no row at all, or fewer fields than names.
    """
    lines = read_head(body)
    declared = re.fullmatch(r"sep=(.)\s*", lines[0]) if lines else None
    first = 1 if declared else 0
    delimiter = declared[1] if declared else _separator(lines)
    rows = Rows.cut(lines[first:], delimiter)
    if not rows.cells:
        raise UnreadableFile(f"'{name}' has no rows. Choose a file with data in it.")
    at, names, notes = _header(rows, name)
    used = lines[: first + (rows.lines[at - 1] if at else 0)]
    start = sum(len(line.encode("utf-8", "surrogateescape")) for line in used)
    return Dialect(delimiter, _decimal(rows.cells[at:], delimiter), names, start, notes)


def _separator(lines: list[str]) -> str:
    """The separator under which rows are most alike and cells read most often as numbers."""
    guesses = {sep: Rows.cut(lines, sep) for sep in _SEPARATORS}
    scores = {sep: _score(rows, sep) for sep, rows in guesses.items()}
    best = max(scores, key=lambda sep: scores[sep])
    if scores[best] == 0 or (best == "," and _is_one_decimal_column(guesses[","])):
        return NO_SEPARATOR
    return best


def _score(rows: Rows, delimiter: str) -> float:
    regular = rows.regular
    if rows.width < 2 or 2 * len(regular) < len(rows.cells):
        return 0.0
    cells = [cell for row in regular[:100] for cell in row]
    numbers = sum(is_number(cell) or (delimiter != "," and is_comma_number(cell)) for cell in cells)
    return len(regular) / len(rows.cells) * (1 + numbers / len(cells))


def _is_one_decimal_column(rows: Rows) -> bool:
    """A name without a comma above lines such as 3,5: decimal commas, not two columns."""
    return (
        rows.width == 2
        and len(rows.cells[0]) == 1
        and all(is_comma_number(",".join(row)) or len(row) == 1 for row in rows.cells[1:])
    )


def _header(rows: Rows, name: str) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """(index of the first data row, column names, notes)."""
    first, width = rows.cells[0], rows.width
    if len(first) == width - 1 and _names_short_by_one(rows):
        if all(is_missing(row[-1]) for row in rows.regular):
            return 1, (*first, ""), ()
        note = "The header has one name fewer than there are columns; the first was called 'row'."
        return 1, ("row", *first), (note,)
    if len(first) > width and not any(cell.strip() for cell in first[width:]):
        return 1, tuple(first[:width]), ()
    if len(first) > width:
        raise UnreadableFile(
            f"'{name}' starts with {len(first):,} fields, but most of its rows have {width:,}. "
            "Check the separator, and write missing values as empty fields."
        )
    at = next(index for index, row in enumerate(rows.cells) if len(row) == width)
    return _named(rows, at)


def _names_short_by_one(rows: Rows) -> bool:
    return (
        len(rows.cells) > 1
        and len(rows.cells[1]) == rows.width
        and not any(map(_is_numeric, rows.cells[0]))
        and any(map(_is_numeric, rows.cells[1]))
    )


def _named(rows: Rows, at: int) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    row = rows.cells[at]
    notes = [f"{at} line(s) above the table were skipped."] if at else []
    numeric = [_is_numeric(cell) for cell in row]
    if any(numeric) and all(n or is_missing(c) for n, c in zip(numeric, row, strict=True)):
        notes.append("No column names were found, so the columns are numbered.")
        return at, tuple(f"column_{k}" for k in range(1, len(row) + 1)), tuple(notes)
    if any(numeric):
        notes.append("The first row was taken as column names, though some of them are numbers.")
    return at + 1, tuple(row), tuple(notes)


def _is_numeric(cell: str) -> bool:
    return is_number(cell) or is_comma_number(cell)


def _decimal(data: Sequence[Sequence[str]], delimiter: str) -> str:
    """A decimal comma needs more clear witnesses than the point has."""
    if delimiter == ",":
        return "."
    cells = [cell for row in data for cell in row if "," in cell or "." in cell]
    commas = sum(map(is_clear_comma_number, cells))
    return "," if commas > sum(map(is_clear_point_number, cells)) else "."


def unquoted(dialect: Dialect) -> Dialect:
    """The same dialect with the note that quotes are taken as plain characters."""
    note = "A quote is opened and never closed; quotes were read as plain characters."
    return replace(dialect, notes=(*dialect.notes, note))
