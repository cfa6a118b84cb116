"""How a text file is written, told from its head: separator, decimal mark, header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from dpviz.core.confidential import confidential
from dpviz.intake.head import (
    Rows,
    is_clear_comma_number,
    is_clear_point_number,
    is_comma_number,
    is_number,
    read_head,
)
from dpviz.intake.header import check_first_line, check_quotes, find_header, refuse_first_row
from dpviz.intake.limits import MAX_COLUMNS
from dpviz.intake.separator import NO_SEPARATOR

_SEPARATORS = "\t;|,"  # the rarer in prose come first and win ties


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
