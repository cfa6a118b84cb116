"""Which row of the head holds the column names, and what is wrong when no row can."""

from __future__ import annotations

import csv

from dpviz.core.errors import UnreadableFile
from dpviz.intake.head import (
    LONGEST_FIELD,
    LONGEST_LINE,
    Rows,
    is_comma_number,
    is_missing,
    is_number,
)

Header = tuple[int, tuple[str, ...], tuple[str, ...]]


def find_header(rows: Rows, name: str) -> Header:
    """(index of the first data row, column names, notes).

    Raises: UnreadableFile when the first row has more fields than the others.
    """
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


def _named(rows: Rows, at: int) -> Header:
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


def check_first_line(lines: list[str], name: str) -> None:
    """Refuse a first line that is too long for column names, before it is cut into fields."""
    if lines and len(lines[0]) > LONGEST_LINE:
        raise UnreadableFile(
            f"The first line of '{name}' has more than {LONGEST_LINE:,} characters, too many for "
            "column names. Check that its rows end with line ends."
        )


def check_quotes(lines: list[str], delimiter: str, name: str) -> None:
    """Refuse a row that runs over several lines because a quote of its names is never closed."""
    written = [line for line in lines if line.strip()]
    if len(written) < 2:
        return
    try:
        for _ in csv.reader(written, delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        raise UnreadableFile(
            f"The column names of '{name}' open a quote that is not closed in their line: "
            f"{len(written):,} lines were taken as names. Close the quote, or save the table again."
        ) from None


def refuse_first_row(lines: list[str], name: str) -> UnreadableFile:
    """Why not even the first row could be cut into fields."""
    if not lines or not "".join(lines).strip():
        return UnreadableFile(f"'{name}' has no rows. Choose a file with data in it.")
    if len(lines[0]) > LONGEST_FIELD:
        return UnreadableFile(
            f"The first line of '{name}' has a field of more than {LONGEST_FIELD:,} characters, "
            "too long for a column name. Check the separator, and that its rows end with line ends."
        )
    return UnreadableFile(
        f"The column names of '{name}' open a quote that is never closed: more than "
        f"{LONGEST_FIELD:,} characters follow it. Close the quote, or save the table again."
    )
