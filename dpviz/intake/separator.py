"""The line 'sep=;' with which spreadsheets declare a file's separator."""

from __future__ import annotations

import re

import pyarrow as pa

from dpviz.core.errors import UnreadableFile
from dpviz.intake.names import shown

NO_SEPARATOR = "\x1f"  # hardly ever found in text, so every line is one field
_LINE = re.compile(r'("?)sep=(.{0,8}?)\1(?:\r\n|\r|\n|$)', re.IGNORECASE)
_LONGEST = 64  # bytes of such a line
_IN_NUMBERS = "+-.\"'"
_STAND_INS = "\x1f\x1e\x1d\x1c"


def declared_separator(body: pa.Buffer, name: str) -> tuple[pa.Buffer, str | None]:
    """The text below a declaring line, and the one ASCII character that separates its fields.

    Arrow knows only such separators, so any other is replaced by a control character. None stands
    for no declaration, and for a separator of several characters that the text does not contain.
    Raises: UnreadableFile if the separator is a letter, a digit, a quote or a part of numbers.
    """
    head = body.slice(0, min(_LONGEST, body.size)).to_pybytes().decode("utf-8", "replace")
    line = _LINE.match(head)
    if line is None:
        return body, None
    separator = line[2].strip(" ") or line[2][:1]
    rest = body.slice(len(line[0].encode()))
    if any(sign.isalnum() or sign in _IN_NUMBERS for sign in separator):
        raise UnreadableFile(
            f"'{name}' declares {shown(separator)} as its separator, which may be a part of its "
            "values. Save it with commas, semicolons or tabs between the fields."
        )
    if len(separator) == 1 and separator.isascii():
        return rest, separator
    return _replaced(rest, separator, name) if separator else (rest, None)


def _replaced(rest: pa.Buffer, separator: str, name: str) -> tuple[pa.Buffer, str | None]:
    text, mark = rest.to_pybytes(), separator.encode()
    if mark not in text:
        return rest, None
    for stand_in in _STAND_INS:
        if stand_in.encode() not in text:
            return pa.py_buffer(text.replace(mark, stand_in.encode())), stand_in
    raise UnreadableFile(
        f"'{name}' declares {shown(separator)} as its separator and is full of control characters. "
        "Save it with commas, semicolons or tabs between the fields."
    )
