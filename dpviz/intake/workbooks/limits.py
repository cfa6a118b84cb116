"""What is too big for a workbook. Their cells take many times the room of a file of text."""

from __future__ import annotations

MAX_FILE = 100_000_000  # bytes as they are stored
MAX_UNPACKED = 1_000_000_000  # bytes of all parts of the archive, by its directory
MAX_PARTS = 10_000
MAX_CELLS = 10_000_000
MAX_TEXT = 500_000_000  # bytes of the first sheet as text
MEMORY = 3_000_000_000  # bytes of address space that the process may take
SECONDS = 120
