"""Which row of the head holds the column names, and what is wrong when no row can."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.core.errors import UnreadableFile
from dpviz.intake.first_row import holds_names, is_value, reads_as_value
from dpviz.intake.head import LONGEST_FIELD, LONGEST_LINE, Rows, is_missing

# fixed words: they stand on screen whatever the file holds
NAMES = "The first row holds the names of the columns."
SOME_NAMES = (
    "The first row holds the names of the columns; what looks like a value among them is replaced."
)
RECORD = "The first row counts as a record, so the columns are numbered."


@dataclass(frozen=True, slots=True)
class Header:
    """start is the index of the first row of data; is_named says whether names stand above it.

    names has one entry a column, empty for a column that is numbered. how says in fixed words
    what became of the first row; notes may count lines.
    """

    start: int
    names: tuple[str, ...]
    is_named: bool
    how: str
    notes: tuple[str, ...] = ()


def find_header(rows: Rows, name: str, declared: bool | None = None) -> Header:
    """The names of the columns; declared says whether the first row holds them, None finds out.

    A name that reads as a number or a date, or has the form of the cells below it, is never one.
    Raises: UnreadableFile when the first row has more fields than the others.
    """
    first, width = rows.cells[0], rows.width
    if len(first) == width - 1 and (found := _one_name_short(rows, declared)) is not None:
        return found
    if len(first) > width and any(cell.strip() for cell in first[width:]):
        raise UnreadableFile(
            f"'{name}' starts with {len(first):,} fields, but most of its rows have {width:,}. "
            "Check the separator, and write missing values as empty fields."
        )
    if len(first) > width:
        return _judged(rows, 0, first[:width], declared)
    at = next(index for index, row in enumerate(rows.cells) if len(row) == width)
    notes = (f"{at} line(s) above the table were skipped.",) if at else ()
    return _judged(rows, at, rows.cells[at], declared, notes)


def _one_name_short(rows: Rows, declared: bool | None) -> Header | None:
    """Names above all columns but the first, or but an empty last one; None for a short record."""
    first = rows.cells[0]
    second = rows.cells[1] if len(rows.cells) > 1 else ()
    if len(second) != rows.width or not any(reads_as_value(cell.strip()) for cell in second):
        return None
    if all(is_missing(row[-1]) for row in rows.regular):
        found = _judged(rows, 0, (*first, ""), declared)
    else:
        note = "The header has one name fewer than there are columns; the first was called 'row'."
        found = _judged(rows, 0, ("row", *first), declared, (note,))
    return found if found.is_named else None


def _judged(
    rows: Rows,
    at: int,
    cells: Sequence[str],
    declared: bool | None,
    notes: tuple[str, ...] = (),
) -> Header:
    # where files were appended to each other their names stand among the records
    below = [row for row in rows.cells[at + 1 :] if len(row) == rows.width and row != cells]
    columns = list(zip(*below, strict=True)) or [()] * rows.width
    is_named = holds_names(cells, columns) if declared is None else declared
    if not is_named:
        return Header(at, ("",) * rows.width, False, RECORD, notes)
    values = [is_value(cell, column) for cell, column in zip(cells, columns, strict=True)]
    names = tuple("" if odd else cell for odd, cell in zip(values, cells, strict=True))
    return Header(at + 1, names, True, SOME_NAMES if any(values) else NAMES, notes)


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
