"""Whether the first row of a table holds the names of its columns, or is a record.

A record that is taken for names stands on screen, in links and in files: so names are taken only
where a column of values has a name that is none, and where no cell of the row looks like a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dpviz.intake.head import is_missing, is_number

MOST = 100  # cells below that are looked at
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_GAP = r"[\s,./-]*"
_WRITTEN_DATE = re.compile(
    rf"\d{{1,4}}(st|nd|rd|th)?{_GAP}{_MONTH}({_GAP}\d{{1,4}}(st|nd|rd|th)?)*"
    rf"|{_MONTH}({_GAP}\d{{1,4}}(st|nd|rd|th)?)+"
    r"|\d{4}-?w\d\d(-?\d)?|\d{4}-?q[1-4]"
    r"|[\d\s:./-]+t[\d:.,]+(z|[+-][\d:]+)?|[\d\s:./-]+(am|pm|a\.m\.|p\.m\.|z|utc|gmt)",
    re.IGNORECASE,
)
_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]+")
_YES_OR_NO = frozenset({"true", "false"})
_MARKED = re.compile(r"[\d@/\\:#]")  # what words alone do not have: of codes, addresses, paths
_LETTERS, _CAPITALS, _DIGITS = r"[^\W\d_]", re.compile(r"A+a*"), re.compile(r"\d+")
_CODE = 6  # characters from which equal lengths speak for codes


def reads_as_value(text: str) -> bool:
    """Whether a text has digits and no letter, as 1.5, 5 % or 10:30, or is a date, true, or inf."""
    if any(sign.isdecimal() for sign in text) and not any(sign.isalpha() for sign in text):
        return True
    spelt = (is_number(text), _WRITTEN_DATE.fullmatch(text), _HEXADECIMAL.fullmatch(text))
    return any(spelt) or text.lower() in _YES_OR_NO


def is_value(name: str, below: Sequence[str]) -> bool:
    """Whether a cell of the first row reads as a number or a date, or is formed as those below.

    Below are the cells of its column. A text that stands there again is a value, and one that
    is made of words, digits and marks as most others are; words alone have no form.
    """
    text = name.strip()
    if not text:
        return False
    if is_missing(text) or reads_as_value(text):
        return True
    others = [cell.strip() for cell in below[:MOST] if not is_missing(cell)]
    return text in others or _is_formed_alike(text, others)


def holds_names(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether the cells of a row are names of the columns below it: never if one is a value.

    Some column must hold numbers, dates or codes under a name without a digit of its own kind;
    rows of words under a row of words may all be records. With nothing below they are names.
    """
    pairs = list(zip(first, columns, strict=True))
    if any(is_value(name, below) for name, below in pairs):
        return False
    if not any(not is_missing(cell) for below in columns for cell in below):
        return True
    return any(name.strip() and _most(below, _has_form) for name, below in pairs)


def _has_form(cell: str) -> bool:
    return any(sign.isdecimal() for sign in cell) or reads_as_value(cell.strip())


def _is_formed_alike(text: str, others: Sequence[str]) -> bool:
    shape = _shape(text)
    if _MARKED.search(shape) and _most(others, lambda cell: _shape(cell) == shape):
        return True
    if len(text) < _CODE or not _has_form(text):
        return False
    places = _places(text)
    return _most(others, lambda cell: _is_code(cell) and _places(cell) == places)


def _shape(text: str) -> str:
    """Words as Aa or a, numbers as 9, marks as they are: p17 and p4 are alike, p17 and 17 not."""
    letters = re.sub(_LETTERS, lambda sign: "A" if sign[0].isupper() else "a", text)
    words = re.sub(r"a+", "a", _CAPITALS.sub(lambda run: "Aa" if "a" in run[0] else "A", letters))
    return _DIGITS.sub("9", words)


def _places(text: str) -> str:
    """Where the marks of a code stand among its letters and digits."""
    return re.sub(r"[^\W_]", "x", text)


def _is_code(cell: str) -> bool:
    return _has_form(cell) and any(sign.isalpha() for sign in cell)


def _most(cells: Sequence[str], has: Callable[[str], bool]) -> bool:
    """Whether more than half of the first cells that hold anything have a property."""
    some = [cell for cell in cells[:MOST] if not is_missing(cell)]
    return 2 * sum(map(has, some)) > len(some)
