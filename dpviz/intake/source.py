"""From whatever was handed in to one buffer of bytes, without copying where that can be had."""

import io
from pathlib import Path
from typing import BinaryIO, Literal

import pyarrow as pa

from dpviz.core.checks import found
from dpviz.core.errors import UnreadableFile
from dpviz.intake.limits import MAX_BYTES, check_bytes

PARQUET_MAGIC = b"PAR1"
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # as zipped parts, and of old Excel

Format = Literal["text", "Parquet", "workbook"]

_NOT_TABLES = {
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"%PDF": "a PDF document",
    b"ARROW1": "an Arrow or Feather file",
    b"SQLite format 3": "an SQLite database",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"<!DOCTYPE": "a web page",
    b"<html": "a web page",
}


def buffer_of(source: BinaryIO | bytes | Path | str, name: str) -> pa.Buffer:
    """All bytes of source. An in-memory file is seen from its start, wherever it was read to.

    Raises: UnreadableFile for an empty, missing or too large source.
    """
    if isinstance(source, Path | str):
        return _mapped(Path(source), name)
    if isinstance(source, bytes):
        buffer = pa.py_buffer(source)
    elif isinstance(source, io.BytesIO):
        # CPython hands out its own bytes here, while getbuffer copies them when they are shared
        buffer = pa.py_buffer(_read_memory(source))
    else:
        buffer = pa.py_buffer(_read(source, name))
    check_bytes(buffer.size, name)
    return buffer


def _read_memory(source: io.BytesIO) -> bytes:
    try:
        return source.getvalue()
    except ValueError:
        raise UnreadableFile("source is a file that was closed. Open it again.") from None


def _read(source: BinaryIO, name: str) -> bytes:
    try:
        if source.seekable():
            source.seek(0)
        content = source.read(MAX_BYTES + 1)
    except (AttributeError, ValueError):  # no file at all, or a closed one
        content = None
    except Exception as error:  # an open archive that is cut off raises what it likes
        raise UnreadableFile(
            f"'{name}' broke off while it was read ({type(error).__name__}). If it is an archive, "
            "it may be cut off: copy it again, or unpack it first."
        ) from None
    if isinstance(content, bytes):
        return content
    raise UnreadableFile(
        f"source must be a path, a file opened with 'rb' or bytes, got {found(source)}. Write "
        "read_table('…') with the path of a file."
    )


def _mapped(path: Path, name: str) -> pa.Buffer:
    try:
        check_bytes(path.stat().st_size, name)
        with pa.memory_map(str(path)) as mapped:
            return mapped.read_buffer()
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise UnreadableFile(f"'{name}' cannot be read: {reason}. Choose another file.") from None
    except ValueError:  # a NUL, or a sign that no text can hold
        raise UnreadableFile(
            f"'{name}' cannot be read: its path holds a sign that none may. Choose another file."
        ) from None


def format_of(buffer: pa.Buffer, name: str) -> Format:
    """What the content is, told from its start; content goes before the extension.

    Raises: UnreadableFile for a known format that is not a table, and for a .parquet file that
    does not start as one.
    """
    head = buffer.slice(0, min(buffer.size, 16)).to_pybytes()
    if head.startswith(PARQUET_MAGIC):
        return "Parquet"
    if head.startswith(_WORKBOOKS):
        return "workbook"
    for magic, what in _NOT_TABLES.items():
        if head.startswith(magic):
            raise UnreadableFile(
                f"'{name}' is {what}, not a table. Save the table as CSV, Excel or Parquet."
            )
    if name.lower().endswith((".parquet", ".pq")):
        raise UnreadableFile(
            f"'{name}' is called Parquet but does not start as a Parquet file does (PAR1). "
            "Write it again, or save the table as CSV."
        )
    return "text"
