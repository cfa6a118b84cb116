"""How a text file is written, told from its head: separator, decimal mark, header.

A record that is taken for names stands on screen, in links and in files: so names are taken only
where a column of values has a name that is none, and where no cell of the row looks like a value.

The line 'sep=;' is what spreadsheets declare a file's separator with.
"""

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from dpviz.core.confidential import confidential
from dpviz.core.errors import UnreadableFile
from dpviz.intake.head import (
    LONGEST_FIELD,
    LONGEST_LINE,
    Rows,
    is_clear_comma_number,
    is_clear_point_number,
    is_comma_number,
    is_missing,
    is_number,
    read_head,
)
from dpviz.intake.limits import MAX_COLUMNS
from dpviz.intake.names import clean_name, shown

MOST = 100  # cells below that are looked at
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_GAP, _DAY = r"[\s,./-]", r"\d{1,4}(st|nd|rd|th)?"
_WRITTEN_DATE = re.compile(  # gaps between numbers, so that there is one way to match
    rf"({_DAY}{_GAP}*)?{_MONTH}{_GAP}*{_DAY}({_GAP}+{_DAY})*|{_DAY}{_GAP}*{_MONTH}"
    r"|\d{4}-?w\d\d(-?\d)?|\d{4}-?q[1-4]"
    r"|[\d\s:./-]+t[\d:.,]+(z|[+-][\d:]+)?|[\d\s:./-]+(am|pm|a\.m\.|p\.m\.|z|utc|gmt)",
    re.IGNORECASE,
)
_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]+")
_YES_OR_NO = frozenset({"true", "false"})
_MARKED = re.compile(r"[\d@/\\:#]")  # what words alone do not have: of codes, addresses, paths
_LETTER, _CAPITALS, _DIGITS = re.compile(r"[^\W\d_]"), re.compile(r"A+a*"), re.compile(r"\d+")
_DATE = 40  # characters of the longest date
_CODE = 6  # characters from which equal lengths speak for codes
# fixed words: they stand on screen whatever the file holds
NAMES = "The first row holds the names of the columns."
SOME_NAMES = (
    "The first row holds the names of the columns; what looks like a value among them is replaced."
)
RECORD = "The first row counts as a record, so the columns are numbered."
_SEPARATORS = "\t;|,"  # the rarer in prose come first and win ties
NO_SEPARATOR = "\x1f"  # hardly ever found in text, so every line is one field
_LINE = re.compile(r'("?)sep=(.{0,8}?)\1(?:\r\n|\r|\n|$)', re.IGNORECASE)
_LONGEST = 64  # bytes of such a line
_IN_NUMBERS = "+-.\"'"
_STAND_INS = "\x1f\x1e\x1d\x1c"


@confidential("start", "is_named")
@dataclass(frozen=True, slots=True)
class Header:
    """start is the index of the first row of data; is_named says whether names stand above it.

    names has one entry a column, empty for a column that is numbered. how says in fixed words
    what became of the first row; notes may count lines.
    """

    start: int
    names: tuple[str, ...]
    is_named: bool
    how: str
    notes: tuple[str, ...] = ()


def find_header(rows: Rows, name: str, declared: bool | None = None) -> Header:
    """The names of the columns; declared says whether the first row holds them, None finds out.

    A name that reads as a number or a date, or has the form of the cells below it, is never one.
    Raises: UnreadableFile when the first row has more fields than the others.
    """
    first, width = rows.cells[0], rows.width
    if len(first) == width - 1 and (found := _one_name_short(rows, declared)) is not None:
        return found
    if len(first) > width and any(cell.strip() for cell in first[width:]):
        raise UnreadableFile(
            f"'{name}' starts with {len(first):,} fields, but most of its rows have {width:,}. "
            "Check the separator, and write missing values as empty fields."
        )
    if len(first) > width:
        return _judged(rows, 0, first[:width], declared)
    at = next(index for index, row in enumerate(rows.cells) if len(row) == width)
    notes = (f"{at} line(s) above the table were skipped.",) if at else ()
    return _judged(rows, at, rows.cells[at], declared, notes)


def _one_name_short(rows: Rows, declared: bool | None) -> Header | None:
    """Names above all columns but the first, or but an empty last one; None for a short record."""
    first = rows.cells[0]
    second = rows.cells[1] if len(rows.cells) > 1 else ()
    if len(second) != rows.width or not any(reads_as_value(cell.strip()) for cell in second):
        return None
    if all(is_missing(row[-1]) for row in rows.regular):
        found = _judged(rows, 0, (*first, ""), declared)
    else:
        note = "The header has one name fewer than there are columns; the first was called 'row'."
        found = _judged(rows, 0, ("row", *first), declared, (note,))
    return found if found.is_named else None


def _judged(
    rows: Rows, at: int, cells: Sequence[str], declared: bool | None, notes: tuple[str, ...] = ()
) -> Header:
    if rows.width > MAX_COLUMNS:  # refused when the file is read: no name needs to be judged
        return Header(at, ("",) * rows.width, False, RECORD, notes)
    # where files were appended to each other their names stand among the records
    below = [row for row in rows.cells[at + 1 :] if len(row) == rows.width and row != cells]
    columns = list(zip(*below, strict=True)) or [()] * rows.width
    is_named = holds_names(cells, columns) if declared is None else declared
    if not is_named:
        return Header(at, ("",) * rows.width, False, RECORD, notes)
    values = [is_value(cell, column) for cell, column in zip(cells, columns, strict=True)]
    names = tuple("" if odd else cell for odd, cell in zip(values, cells, strict=True))
    return Header(at + 1, names, True, SOME_NAMES if any(values) else NAMES, notes)


def reads_as_value(text: str) -> bool:
    """Whether a text has digits and no letter, as 1.5, 5 % or 10:30, or is a date, true, or inf."""
    if any(sign.isdecimal() for sign in text) and not any(sign.isalpha() for sign in text):
        return True
    if len(text) <= _DATE and _WRITTEN_DATE.fullmatch(text):
        return True
    return is_number(text) or _HEXADECIMAL.fullmatch(text) is not None or text.lower() in _YES_OR_NO


def is_value(name: str, below: Sequence[str]) -> bool:
    """Whether a cell of the first row reads as a number or a date, or is formed as those below.

    Below are the cells of its column. A text that stands there again is a value, and one that
    is made of words, digits and marks as most others are; words alone have no form.
    """
    text = name.strip()
    if not text:
        return False
    if is_missing(text) or reads_as_value(text) or reads_as_value(clean_name(text)):
        return True  # as it is written, or as it would be shown
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
    signs = filter(_LETTER.fullmatch, set(text))
    letters = text.translate({ord(sign): "A" if sign.isupper() else "a" for sign in signs})
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


def check_first_line(lines: list[str], name: str) -> None:
    """Refuse a first line that is too long for column names, before it is cut into fields."""
    if lines and len(lines[0]) > LONGEST_LINE:
        raise UnreadableFile(
            f"The first line of '{name}' has more than {LONGEST_LINE:,} characters, too many for "
            "column names. Check that its rows end with line ends."
        )


def check_quotes(lines: list[str], delimiter: str, name: str) -> None:
    """Refuse a row that runs over several lines because a quote of its names is never closed."""
    written = [line for line in lines if line.strip()]
    if len(written) < 2:
        return
    try:
        for _ in csv.reader(written, delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        raise UnreadableFile(
            f"The column names of '{name}' open a quote that is not closed in their line: "
            f"{len(written):,} lines were taken as names. Close the quote, or save the table again."
        ) from None


def refuse_first_row(lines: list[str], name: str) -> UnreadableFile:
    """Why not even the first row could be cut into fields."""
    if not lines or not "".join(lines).strip():
        return UnreadableFile(f"'{name}' has no rows. Choose a file with data in it.")
    if len(lines[0]) > LONGEST_FIELD:
        return UnreadableFile(
            f"The first line of '{name}' has a field of more than {LONGEST_FIELD:,} characters, "
            "too long for a column name. Check the separator, and that its rows end with line ends."
        )
    return UnreadableFile(
        f"The column names of '{name}' open a quote that is never closed: more than "
        f"{LONGEST_FIELD:,} characters follow it. Close the quote, or save the table again."
    )


@confidential()
@dataclass(frozen=True, slots=True)
class Dialect:
    """start is the byte at which the first row of data begins; names has one entry a column.

    is_named says whether the first row holds them, first_row in fixed words what became of it.
    """

    delimiter: str
    decimal: str
    names: tuple[str, ...]
    start: int
    is_named: bool
    first_row: str
    notes: tuple[str, ...] = ()
    quotes: bool = True


def sniff(
    body: pa.Buffer, name: str, declared: str | None = None, header: bool | None = None
) -> Dialect:
    """Judge the first 64 kB (more only when two lines do not fit); declared is the separator.

    header says whether the first row holds the names, None finds it out.

    Raises: UnreadableFile when there is no row at all, or no row that can hold the names.
    """
    lines = read_head(body)
    check_first_line(lines, name)
    delimiter = declared or _separator(lines)
    rows = Rows.cut(lines, delimiter)
    if not rows.cells:
        raise refuse_first_row(lines, name)
    check_quotes(lines[: rows.lines[0]], delimiter, name)
    found = find_header(rows, name, header)
    at = found.start
    if at:
        check_quotes(
            lines[rows.lines[at - 2] if at > 1 else 0 : rows.lines[at - 1]], delimiter, name
        )
    used = lines[: rows.lines[at - 1]] if at else []
    start = sum(len(line.encode("utf-8", "surrogateescape")) for line in used)
    decimal = _decimal(rows.cells[at:], delimiter)
    return Dialect(delimiter, decimal, found.names, start, found.is_named, found.how, found.notes)


def _separator(lines: list[str]) -> str:
    """The separator under which rows are most alike and cells read most often as numbers."""
    guesses = {sep: Rows.cut(lines, sep) for sep in _SEPARATORS}
    scores = {sep: _score(rows, sep) for sep, rows in guesses.items()}
    best = max(scores, key=lambda sep: scores[sep])
    if scores[best] == 0 or (best == "," and _is_one_decimal_column(guesses[","])):
        return NO_SEPARATOR
    return best


def _score(rows: Rows, delimiter: str) -> float:
    regular = rows.regular
    if rows.width < 2 or 2 * len(regular) < len(rows.cells):
        return 0.0
    cells = [cell for row in regular[:100] for cell in row[:MAX_COLUMNS]]
    numbers = sum(is_number(cell) or (delimiter != "," and is_comma_number(cell)) for cell in cells)
    return len(regular) / len(rows.cells) * (1 + numbers / len(cells))


def _is_one_decimal_column(rows: Rows) -> bool:
    """A name without a comma above lines such as 3,5: decimal commas, not two columns."""
    return (
        rows.width == 2
        and len(rows.cells[0]) == 1
        and all(is_comma_number(",".join(row)) or len(row) == 1 for row in rows.cells[1:])
    )


def _decimal(data: Sequence[Sequence[str]], delimiter: str) -> str:
    """A decimal comma needs more clear witnesses than the point has."""
    if delimiter == ",":
        return "."
    cells = [cell for row in data for cell in row if "," in cell or "." in cell]
    commas = sum(map(is_clear_comma_number, cells))
    return "," if commas > sum(map(is_clear_point_number, cells)) else "."


def unquoted(dialect: Dialect) -> Dialect:
    """The same dialect with the note that quotes are taken as plain characters."""
    note = "A quote is opened and never closed; quotes were read as plain characters."
    return replace(dialect, notes=(*dialect.notes, note), quotes=False)


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
