"""The process that reads one workbook: bytes in, one line about them and a text of commas out.

It runs apart because the reader sets up the whole rectangle between the first and the last cell: a
sheet with two cells in opposite corners asks for half a terabyte and ends the process it is in.
"""

import csv
import io
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from dpviz.intake.workbooks.archive import (
    MAX_CELLS,
    MAX_TEXT,
    MEMORY,
    SAVE,
    SECONDS,
    Refused,
    check_archive,
)

HEAD = 100  # rows among which the column names are looked for
_PIECE = 4_096  # rows written at a time
WHOLE = 1 << 53  # below it floats hold every whole number

Row = list[Any]


def serve(source: BinaryIO, answers: BinaryIO) -> None:
    """Read one workbook to the end of source; answer with a line of JSON, then with its text."""
    file = io.BytesIO(source.read())
    try:
        check_archive(file)
        file.seek(0)
        sheet, about = _first_sheet(file)
        skipped, rows = _table(sheet)
    except Refused as reason:
        _say(answers, {"refused": str(reason)})
    else:
        _say(answers, about | {"skipped": skipped})
        _write(rows, answers)


def _say(answers: BinaryIO, found: dict[str, Any]) -> None:
    answers.write(json.dumps(found).encode() + b"\n")


def _first_sheet(file: BinaryIO) -> tuple[CalamineSheet, dict[str, Any]]:
    """The first sheet of cells that is not hidden, and what is said about it."""
    try:
        book = CalamineWorkbook.from_filelike(file)
        shown = [
            one.name
            for one in book.sheets_metadata
            if one.typ is SheetTypeEnum.WorkSheet and one.visible is SheetVisibleEnum.Visible
        ]
        if not shown:
            raise Refused(f"has no sheet of cells that is not hidden. {SAVE}")
        sheet = book.get_sheet_by_name(shown[0])
    except PasswordError:
        raise Refused(
            f"is protected by a password. Save it without the password, or as CSV. {SAVE}"
        ) from None
    except (CalamineError, OSError, ValueError):
        raise Refused(
            "is no workbook that can be read: it is damaged, or a document of another kind. "
            f"Open it in the program that wrote it. {SAVE}"
        ) from None
    if sheet.height * sheet.width > MAX_CELLS:
        raise Refused(
            f"has {sheet.height:,} rows of {sheet.width:,} cells on its first sheet; at most "
            f"{MAX_CELLS:,} cells can be read. {SAVE}"
        )
    return sheet, {"sheet": sheet.name, "sheets": len(shown)}


def _table(sheet: CalamineSheet) -> tuple[int, Iterator[Row]]:
    """(rows skipped above the column names, the names and all rows below that hold something).

    Titles fill few cells of their rows: names begin where more than half of the fullest row is.
    """
    rows = _filled(sheet)
    head = list(itertools.islice(rows, HEAD))
    if not head:
        raise Refused("has no cells with values on its first sheet. Choose a file with data in it.")
    filled = [len(row) - row.count("") for row in head]
    at = next(index for index, count in enumerate(filled) if 2 * count > max(filled))
    return at, itertools.chain(head[at:], rows)


def _filled(sheet: CalamineSheet) -> Iterator[Row]:
    """Rows without those that are empty; in a single column an empty cell is a missing value."""
    rows: Iterator[Row] = iter(sheet.iter_rows()) if sheet.height else iter(())
    if sheet.width < 2:
        return rows
    return (row for row in rows if row.count("") < len(row))


def _write(rows: Iterable[Row], answers: BinaryIO) -> None:
    """Rows as comma-separated text in UTF-8; it breaks off above the limit."""
    written = 0
    source = iter(rows)
    while piece := list(itertools.islice(source, _PIECE)):
        text = _as_text(piece)
        written += len(text)
        if written > MAX_TEXT:
            sys.exit("too much text")
        answers.write(text)


def _as_text(rows: Sequence[Row]) -> bytes:
    sink = io.StringIO(newline="")
    shown = [[_shown(cell) for cell in row] for row in rows]
    csv.writer(sink, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(shown)
    return sink.getvalue().encode("utf-8", "replace")


def _shown(cell: Any) -> Any:
    """A cell as it is seen: every number is held as a float, and 17 is not written 17.0."""
    whole = isinstance(cell, float) and cell.is_integer() and abs(cell) < WHOLE
    return int(cell) if whole else cell


def limit_this_process() -> None:
    """Bound memory and time of this process, where the system can."""
    try:
        import resource  # noqa: PLC0415  there is none on Windows
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most, hard))


if __name__ == "__main__":
    limit_this_process()
    serve(sys.stdin.buffer, sys.stdout.buffer)
