"""The one door for files: bytes and a name in, a table out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from dpviz.core.checks import wanted
from dpviz.core.errors import UnreadableFile
from dpviz.intake.delimited import read_delimited
from dpviz.intake.names import clean_file_name, shown
from dpviz.intake.parquet import read_parquet
from dpviz.intake.source import Format, buffer_of, format_of
from dpviz.intake.table import Table, give_back
from dpviz.intake.workbooks.process import first_sheet

ERRORS = "Cells whose formula ended in an error count as missing."


def read_table(source: BinaryIO | bytes | Path, name: str) -> Table:
    """Read CSV, TSV, Parquet, or the first sheet of an Excel or OpenDocument workbook.

    The content decides which of them it is, the name only helps with messages.
    Limits: 500 MB, 5,000 columns, 20 million rows; of Parquet 1 GB unpacked, 400 MB of text; of a
    workbook 100 MB, 1 GB unpacked, 10 million cells.
    In-memory files are read without a copy.
    Raises: UnreadableFile (an InvalidData) that says what was wrong, what was found and what to do.
    """
    cleaned = clean_file_name(wanted(str, name, "name", UnreadableFile))
    buffer = buffer_of(source, cleaned)
    read = READERS[format_of(buffer, cleaned)]
    try:
        return read(buffer, cleaned)
    finally:
        give_back()


def _read_workbook(buffer: pa.Buffer, name: str) -> Table:
    """The first sheet that is not hidden; formulas count as the values they were saved with."""
    sheet = first_sheet(buffer, name)
    table = read_delimited(sheet.text, name, separator=",")
    which = f"The sheet {shown(sheet.name)}"
    if sheet.sheets > 1:
        which = f"The first of {sheet.sheets:,} sheets, {shown(sheet.name)}"
    above = (f"{sheet.skipped} line(s) above the table were skipped.",) if sheet.skipped else ()
    return replace(table, how=f"{which}, of a workbook.", notes=(*above, ERRORS, *table.notes))


READERS: dict[Format, Callable[[pa.Buffer, str], Table]] = {
    "text": read_delimited,
    "Parquet": read_parquet,
    "workbook": _read_workbook,
}
