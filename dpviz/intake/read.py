"""The one door for files: bytes and a name in, a table out."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

from dpviz.core.checks import checked_flag, wanted
from dpviz.core.errors import UnreadableFile
from dpviz.intake.delimited import read_text
from dpviz.intake.encoding import to_utf8
from dpviz.intake.names import clean_file_name, shown
from dpviz.intake.parquet import read_parquet
from dpviz.intake.source import buffer_of, format_of
from dpviz.intake.table import Table, give_back
from dpviz.intake.workbooks.process import Sheet, first_sheet

ERRORS = "Cells whose formula ended in an error count as missing."


def read_table(
    source: BinaryIO | bytes | Path | str, name: str | None = None, header: bool | None = None
) -> Table:
    r"""Read CSV, TSV, Parquet, or the first sheet of an Excel or OpenDocument workbook.

    source is a path, a file opened with 'rb', or its bytes. The content decides which of them it
    is; the name, of a path or an open file its own, only helps with messages. header says whether
    the first row of a text or a sheet holds the names of the columns; None finds it out.
    Names that look like values (a number, a date, the form of the cells below) are replaced by
    "column 1" and so on, so that no record is taken for a name; Parquet declares its names.

    >>> table = dp.read_table(b'age,pay\n31,4\n45,5\n', 'pay.csv')
    >>> [info.name for info in table.columns]
    ['age', 'pay']

    Limits: 500 MB, 5,000 columns, 20 million rows; of Parquet 1 GB unpacked, 400 MB of text; of a
    workbook 100 MB, 1 GB unpacked, 10 million cells.
    In-memory files are read without a copy, and texts are kept as long as their table.
    Raises: UnreadableFile (an InvalidData) that says what was wrong, what was found and what to do;
    InvalidParameter for a header that is neither True nor False.
    """
    cleaned = clean_file_name(_name_of(source, name))
    if header is not None:
        checked_flag(header, "header")
    buffer = buffer_of(source, cleaned)
    kind = format_of(buffer, cleaned)
    try:
        if kind == "Parquet":
            return read_parquet(buffer, cleaned)
        if kind == "workbook":
            return _read_sheet(first_sheet(buffer, cleaned), cleaned, header)
        return read_text(to_utf8(buffer, cleaned), cleaned, None, header)
    finally:
        give_back()


def _name_of(source: BinaryIO | bytes | Path | str, name: str | None) -> str:
    """The name that was given, or that the source has."""
    if isinstance(source, str) and len(source.splitlines()) > 1:  # to be quoted nowhere
        raise UnreadableFile(
            "source must be a path, a file opened with 'rb' or bytes, got a text of several lines. "
            "For the content of a file write read_table(text.encode(), 'ages.csv')."
        )
    own = source if isinstance(source, str) else getattr(source, "name", None)
    if name is None and not isinstance(source, bytes | io.BytesIO):
        return own if isinstance(own, str) else ""
    return wanted(str, cast("str", name), "name", UnreadableFile)


def _read_sheet(sheet: Sheet, name: str, header: bool | None) -> Table:
    """The first sheet that is not hidden; formulas count as the values they were saved with."""
    which = f"The sheet {shown(sheet.name)}"
    if sheet.sheets > 1:
        which = f"The first of {sheet.sheets:,} sheets, {shown(sheet.name)}"
    above = (f"{sheet.skipped} line(s) above the table were skipped.",) if sheet.skipped else ()
    text = to_utf8(sheet.text, name)
    return read_text(
        replace(text, notes=(*above, ERRORS, *text.notes), how=f"{which}, of a workbook."),
        name,
        ",",
        header,
    )
