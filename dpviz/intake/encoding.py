"""Bytes of text to valid UTF-8. A file that already is UTF-8 is checked, never copied."""

import codecs
import struct
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from dpviz.core.confidential import confidential
from dpviz.core.errors import UnreadableFile

# the UTF-32 marks begin with the UTF-16 ones, so they are tried first
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_PIECE = 1 << 22
_UNDEFINED = np.array(
    [0x81, 0x8D, 0x8F, 0x90, 0x9D], np.uint8
)  # bytes without a meaning in Windows-1252
_TEXT_CONTROLS = b"\t\n\r\x0b\x0c\x1a"
_CONTROLS = bytes(code for code in range(32) if code not in _TEXT_CONTROLS)


@confidential()
@dataclass(frozen=True, slots=True)
class Text:
    """Valid UTF-8 without a byte order mark, and what had to be done to get it.

    how says in words where it comes from, if that is no file of text.
    """

    body: pa.Buffer
    notes: tuple[str, ...] = ()
    encoding: str = "UTF-8"
    how: str = ""


def to_utf8(buffer: pa.Buffer, name: str) -> Text:
    """UTF-8 (with or without mark), UTF-16 and UTF-32 with mark, otherwise Windows-1252.

    Raises: UnreadableFile for content that is not text.
    """
    start = buffer.slice(0, min(buffer.size, 4)).to_pybytes()
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            body = _unmarked(_transcoded(buffer, encoding, name))
            _refuse_binary(body, name)
            return Text(body, (f"Read as {encoding.upper()}.",), encoding.upper())
    buffer = _unmarked(buffer)
    _refuse_binary(buffer, name)
    if _is_utf8(buffer):
        return Text(buffer)
    return _single_byte(buffer)


def _unmarked(buffer: pa.Buffer) -> pa.Buffer:
    """Without byte order marks: tools that add a mark to a marked file leave two of them."""
    size = len(codecs.BOM_UTF8)
    while buffer.size >= size and buffer.slice(0, size).to_pybytes() == codecs.BOM_UTF8:
        buffer = buffer.slice(size)
    return buffer


def _is_utf8(buffer: pa.Buffer) -> bool:
    """One cast of one huge value: Arrow's validation runs at memory speed."""
    offsets = pa.py_buffer(struct.pack("<qq", 0, buffer.size))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, buffer])
    try:
        whole.cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True


def _refuse_binary(body: pa.Buffer, name: str) -> None:
    head = body.slice(0, min(body.size, _SAMPLE)).to_pybytes()
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if b"\x00" in head or controls > 0.02 * len(head):
        raise UnreadableFile(
            f"'{name}' does not look like text: {controls:,} of its first {len(head):,} bytes are "
            "control characters. Save the table as CSV (UTF-8), TSV or Parquet."
        )


def _transcoded(buffer: pa.Buffer, encoding: str, name: str) -> pa.Buffer:
    """In pieces, so that no second copy of a large file is held on the way."""
    decoder = codecs.getincrementaldecoder(encoding)()
    sink = pa.BufferOutputStream()
    for start in range(0, buffer.size, _PIECE):
        piece = buffer.slice(start, min(_PIECE, buffer.size - start)).to_pybytes()
        pending = len(decoder.getstate()[0])
        try:
            text = decoder.decode(piece, final=start + _PIECE >= buffer.size)
        except UnicodeDecodeError as error:
            at = start - pending + error.start
            raise UnreadableFile(
                f"'{name}' starts as {encoding.upper()} text but byte {at:,} does not "
                "continue it. Save the file again as UTF-8."
            ) from None
        sink.write(text.encode("utf-8"))
    return sink.getvalue()


def _single_byte(buffer: pa.Buffer) -> Text:
    text = np.frombuffer(buffer, dtype=np.uint8)
    pieces = (text[start : start + _PIECE] for start in range(0, text.size, _PIECE))
    undefined = any(np.isin(piece, _UNDEFINED).any() for piece in pieces)
    encoding, called = ("latin-1", "Latin-1") if undefined else ("cp1252", "Windows-1252")
    note = f"Not valid UTF-8, so read as {called}; check names with accents."
    return Text(_transcoded(buffer, encoding, called), (note,), called)
