"""The one door for files: bytes and a name in, a table out."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from dpviz.core.checks import wanted
from dpviz.core.errors import UnreadableFile
from dpviz.intake.delimited import read_delimited
from dpviz.intake.names import clean_file_name
from dpviz.intake.parquet import read_parquet
from dpviz.intake.source import buffer_of, is_parquet
from dpviz.intake.table import Table, give_back


def read_table(source: BinaryIO | bytes | Path, name: str) -> Table:
    """Read CSV, TSV or Parquet; the content decides which, the name only helps with messages.

    Limits: 500 MB, 5,000 columns, 20 million rows, and of Parquet 1 GB unpacked, 400 MB of text.
    In-memory files are read without a copy.
    Raises: UnreadableFile (an InvalidData) that says what was wrong, what was found and what to do.
    """
    cleaned = clean_file_name(wanted(str, name, "name", UnreadableFile))
    buffer = buffer_of(source, cleaned)
    read = read_parquet if is_parquet(buffer, cleaned) else read_delimited
    try:
        return read(buffer, cleaned)
    finally:
        give_back()
