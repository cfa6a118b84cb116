"""What a zipped workbook would unpack to, by its directory, before anything is unpacked.

Cells of a workbook take many times the room of a file of text, so that their limits are smaller.
"""

import zipfile
from collections.abc import Collection
from typing import BinaryIO

SAVE = "Save the table as CSV or Parquet."
MAX_FILE = 100_000_000  # bytes as they are stored
MAX_UNPACKED = 1_000_000_000  # bytes of all parts of the archive, by its directory
MAX_PARTS = 10_000
MAX_CELLS = 10_000_000
MAX_TEXT = 500_000_000  # bytes of the first sheet as text
MEMORY = 3_000_000_000  # bytes of address space that the process may take
SECONDS = 120


class Refused(Exception):
    """Why a workbook is not read: words that follow the file's name."""


def check_archive(file: BinaryIO) -> None:
    """Look at the directory of a zip archive; other files pass.

    Raises: Refused for an archive that is damaged, no workbook, or too large when unpacked.
    """
    if file.read(4) != b"PK\x03\x04":
        return
    try:
        parts = zipfile.ZipFile(file).infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Refused(
            "starts as a workbook or a ZIP archive, but its end is missing or damaged. It was "
            "probably cut off on the way: copy or upload it again."
        ) from None
    if not _is_workbook({part.filename for part in parts}):
        raise Refused("is a ZIP archive, not a table. Unpack it and choose a file inside.")
    size = sum(part.file_size for part in parts)
    if size > MAX_UNPACKED or len(parts) > MAX_PARTS:
        raise Refused(
            f"unpacks to {size / 1e6:,.0f} MB in {len(parts):,} parts; at most "
            f"{MAX_UNPACKED / 1e6:,.0f} MB in {MAX_PARTS:,} parts can be read. {SAVE}"
        )


def _is_workbook(names: Collection[str]) -> bool:
    """Excel keeps its sheets below xl/, OpenDocument in content.xml beside a mimetype."""
    excel = any(name.lower().startswith("xl/workbook.") for name in names)
    return excel or {"content.xml", "mimetype"} <= set(names)
