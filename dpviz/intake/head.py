"""The head of a text file cut into rows, under one guess of the separator."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from dpviz.core.confidential import confidential
from dpviz.intake.numbers import MISSING

SAMPLE = 1 << 16
LONGEST_SAMPLE = 1 << 22
LONGEST_LINE = 1 << 20  # characters of a line that is cut into fields
LONGEST_FIELD = 131_072  # characters; the csv module's own limit
ROWS = 1_000

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"[+-]?[\d.]*,\d+([eE][+-]?\d+)?")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_MISSING = frozenset(MISSING)


def is_missing(cell: str) -> bool:
    """Whether a cell stands for no value."""
    return cell.strip() in _MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number with a decimal point."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def is_comma_number(cell: str) -> bool:
    """Whether a cell is a number with a decimal comma (or a group of thousands, who knows)."""
    return _COMMA_NUMBER.fullmatch(cell.strip()) is not None


def is_clear_comma_number(cell: str) -> bool:
    """Whether a cell can only be a number with a decimal comma (1,234 may be thousands)."""
    return is_comma_number(cell) and _AMBIGUOUS.fullmatch(cell.strip()) is None


def is_clear_point_number(cell: str) -> bool:
    """Whether a cell can only be a number with a decimal point (1.234 may be thousands)."""
    return is_number(cell) and _AMBIGUOUS.fullmatch(cell.strip()) is None


def read_head(body: pa.Buffer) -> list[str]:
    """Whole lines from the start of the text; surrogates keep a cut character's bytes countable."""
    size = SAMPLE
    while True:
        text = body.slice(0, min(size, body.size)).to_pybytes().decode("utf-8", "surrogateescape")
        lines = list(io.StringIO(text, newline=""))
        if size >= body.size:
            return lines
        if len(lines) > 2 or size >= LONGEST_SAMPLE:
            return lines[:-1] if len(lines) > 1 else lines
        size *= 8


@confidential()
@dataclass(frozen=True, slots=True)
class Rows:
    """Non-blank rows of the head, and after each the number of lines read so far."""

    cells: Sequence[Sequence[str]]
    lines: Sequence[int]
    width: int

    @classmethod
    def cut(cls, lines: list[str], delimiter: str) -> "Rows":
        """The first thousand rows under this separator; width is the most frequent one."""
        reader = csv.reader(lines, delimiter=delimiter)
        cells: list[list[str]] = []
        counts: list[int] = []
        try:
            for row in reader:
                if row:
                    cells.append(row)
                    counts.append(reader.line_num)
                if len(cells) == ROWS:
                    break
        except csv.Error:  # a field of more than 128 kB: judge by the rows before it
            pass
        widths = Counter(map(len, cells)).most_common()
        return cls(cells, counts, widths[0][0] if widths else 0)

    @property
    def regular(self) -> list[Sequence[str]]:
        """The rows that have the most frequent width."""
        return [row for row in self.cells if len(row) == self.width]
