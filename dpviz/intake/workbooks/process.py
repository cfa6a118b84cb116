"""Asks the reading process for the first sheet of a workbook, and says why there is none."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from dpviz.core.confidential import confidential
from dpviz.core.errors import UnreadableFile
from dpviz.intake.workbooks.archive import MAX_FILE, SAVE, SECONDS

ROOT = Path(__file__).resolve().parents[3]  # dpviz lies in it
COMMAND = (sys.executable, "-m", "dpviz.intake.workbooks.reader")


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The first sheet as comma-separated text whose first line holds the names of its columns.

    sheets counts those that are not hidden; skipped counts the rows above the names.
    """

    text: pa.Buffer
    name: str
    sheets: int
    skipped: int


def first_sheet(buffer: pa.Buffer, name: str) -> Sheet:
    """Read the first sheet of an Excel or OpenDocument workbook.

    Raises: UnreadableFile for what is no workbook, is damaged, protected or too large.
    """
    if buffer.size > MAX_FILE:
        raise UnreadableFile(
            f"'{name}' has {buffer.size / 1e6:,.0f} MB; of a workbook at most "
            f"{MAX_FILE / 1e6:,.0f} MB can be read. {SAVE}"
        )
    line, _, text = _answer(buffer, name).partition(b"\n")
    found = json.loads(line)
    if "refused" in found:
        raise UnreadableFile(f"'{name}' {found['refused']}")
    return Sheet(pa.py_buffer(text), found["sheet"], found["sheets"], found["skipped"])


def _answer(buffer: pa.Buffer, name: str) -> bytes:
    """All that the process writes. What it complains of may quote cells: nobody hears that."""
    try:
        done = subprocess.run(
            COMMAND,
            cwd=ROOT,
            input=memoryview(buffer),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise UnreadableFile(
            f"'{name}' takes more memory or time than a workbook may: it is damaged, or a cell far "
            f"away from the others makes its first sheet huge. Keep only the table. {SAVE}"
        ) from None
    return done.stdout
