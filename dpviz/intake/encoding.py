"""Bytes of text to valid UTF-8. A file that already is UTF-8 is checked, never copied."""

from __future__ import annotations

import codecs
import struct
from dataclasses import dataclass

import pyarrow as pa

from dpviz.core.errors import UnreadableFile

# the UTF-32 marks begin with the UTF-16 ones, so they are tried first
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_TEXT_CONTROLS = b"\t\n\r\x0b\x0c\x1a"
_CONTROLS = bytes(code for code in range(32) if code not in _TEXT_CONTROLS)


@dataclass(frozen=True, slots=True)
class Text:
    """Valid UTF-8 without a byte order mark, and what had to be done to get it."""

    body: pa.Buffer
    notes: tuple[str, ...] = ()


def to_utf8(buffer: pa.Buffer, name: str) -> Text:
    """UTF-8 (with or without mark), UTF-16 and UTF-32 with mark, otherwise Windows-1252.

    Raises: UnreadableFile for content that is not text.
    """
    head = buffer.slice(0, min(buffer.size, _SAMPLE)).to_pybytes()
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return Text(_transcoded(buffer, encoding, name), (f"Read as {encoding.upper()}.",))
    if head.startswith(codecs.BOM_UTF8):
        buffer, head = buffer.slice(len(codecs.BOM_UTF8)), head[len(codecs.BOM_UTF8) :]
    _refuse_binary(head, name)
    if _is_utf8(buffer):
        return Text(buffer)
    return _single_byte(buffer)


def _is_utf8(buffer: pa.Buffer) -> bool:
    """One cast of one huge value: Arrow's validation runs at memory speed."""
    offsets = pa.py_buffer(struct.pack("<qq", 0, buffer.size))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, buffer])
    try:
        whole.cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True


def _refuse_binary(head: bytes, name: str) -> None:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if b"\x00" in head or controls > 0.02 * len(head):
        raise UnreadableFile(
            f"'{name}' does not look like text: {controls:,} of its first {len(head):,} bytes are "
            "control characters. Save the table as CSV (UTF-8), TSV or Parquet."
        )


def _transcoded(buffer: pa.Buffer, encoding: str, name: str) -> pa.Buffer:
    try:
        text = str(memoryview(buffer), encoding)
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"'{name}' starts as {encoding.upper()} text but byte {error.start:,} does not "
            "continue it. Save the file again as UTF-8."
        ) from None
    _refuse_binary(text[:_SAMPLE].encode("utf-8", "surrogatepass"), name)
    return pa.py_buffer(text.encode("utf-8"))


def _single_byte(buffer: pa.Buffer) -> Text:
    view = memoryview(buffer)
    try:
        text, called = str(view, "cp1252"), "Windows-1252"
    except UnicodeDecodeError:  # five bytes have no meaning in it
        text, called = str(view, "latin-1"), "Latin-1"
    note = f"Not valid UTF-8, so read as {called}; check names with accents."
    return Text(pa.py_buffer(text.encode("utf-8")), (note,))
