"""What is too big to read, and the messages that say so."""

from dpviz.core.errors import UnreadableFile

MAX_BYTES = 500_000_000
MAX_COLUMNS = 5_000
MAX_ROWS = 20_000_000


def check_bytes(size: int, name: str) -> None:
    """Refuse an empty file and one above 500 MB."""
    if size == 0:
        raise UnreadableFile(f"'{name}' is empty (0 bytes). Choose a file with data in it.")
    if size > MAX_BYTES:
        raise UnreadableFile(
            f"'{name}' has {size / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:,.0f} MB can be read. "
            "Keep only the columns that you need, or save them as Parquet."
        )


def check_columns(count: int, name: str) -> None:
    """Refuse more than 5,000 columns."""
    if count > MAX_COLUMNS:
        raise UnreadableFile(
            f"'{name}' has {count:,} columns; at most {MAX_COLUMNS:,} can be read. "
            "Keep only the columns that you need."
        )


def check_rows(count: int, name: str) -> None:
    """Refuse a table without rows and one with more than 20 million."""
    if count == 0:
        raise UnreadableFile(
            f"'{name}' has column names but no rows. Choose a file with data in it."
        )
    if count > MAX_ROWS:
        raise UnreadableFile(
            f"'{name}' has {count:,} rows; at most {MAX_ROWS:,} can be read. Keep fewer rows."
        )
