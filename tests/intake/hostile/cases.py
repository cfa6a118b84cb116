"""What a hostile file is, what must come of it, and the check of both."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

from dpviz.core.errors import UnreadableColumn, UnreadableFile, UnreadableValues
from dpviz.intake.read import read_table
from dpviz.intake.table import Table

NAN = float("nan")
SECONDS = 2
# words of the machinery; a message is for people who have never seen any of it
MACHINERY = re.compile(
    r"Traceback|Error|Exception|pyarrow|arrow::|<class|0x[0-9a-f]{6}|\bNone\b|utf-8'|codec|thrift"
)
TO_DO = re.compile(r"\b([Cc]hoose|[Ss]ave|[Cc]heck|[Kk]eep|[Ww]rite|[Cc]lose|[Cc]opy|[Dd]rop)\b")


@dataclass(frozen=True)
class Numbers:
    """A column that is read: values with NaN where missing or unreadable."""

    values: list[float]
    unreadable: int = 0


@dataclass(frozen=True)
class NoNumbers:
    """A column that is refused, and words of the reason."""

    kind: str
    said: str


DATES = NoNumbers("date", "dates or times")
EMPTY = NoNumbers("empty", "has no values")
TEXT = NoNumbers("text", "has no numbers")


@dataclass(frozen=True)
class Case:
    """One file. Either columns are read, in this order, or the file is refused in these words."""

    name: str
    data: bytes | Callable[[], bytes]
    columns: Mapping[str, Numbers | NoNumbers] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    noted: str = ""
    file: str = "rows.csv"

    @property
    def bytes(self) -> bytes:
        return self.data if isinstance(self.data, bytes) else self.data()

    def check(self) -> list[str]:
        """What is said of the file, which is read once."""
        data = self.bytes
        start = time.process_time()
        if self.refused:
            with pytest.raises(UnreadableFile) as caught:
                read_table(data, self.file)
            check_message(str(caught.value), self.file, *self.refused)
            said = [str(caught.value)]
        else:
            table = read_table(data, self.file)
            self._check_table(table)
            names = [one.name for one in table.columns]
            said = [*table.notes, table.how, table.first_row, *names]
        assert time.process_time() - start < SECONDS
        return said

    def _check_table(self, table: Table) -> None:
        assert [info.name for info in table.columns] == list(self.columns)
        assert any(self.noted in note for note in (*table.notes, ""))
        assert self.noted == "" or self.noted in " ".join(table.notes)
        for name, expected in self.columns.items():
            if isinstance(expected, Numbers):
                check_numbers(table, name, expected)
            else:
                check_no_numbers(table, name, expected)


def check_message(message: str, *said: str) -> None:
    """One line of plain words that says what was found and what to do."""
    for words in said:
        assert words in message, message
    assert not MACHINERY.search(message), message
    assert TO_DO.search(message), message
    assert message.isprintable()
    assert len(message) < 600


def check_numbers(table: Table, name: str, expected: Numbers) -> None:
    info = table.info(name)
    column = table.numeric_values(name, drop_unreadable=True)
    np.testing.assert_array_equal(column.values, expected.values)
    missing = int(np.isnan(expected.values).sum()) - expected.unreadable
    assert (column.missing, column.unreadable) == (missing, expected.unreadable)
    assert (info.missing, info.not_numeric) == (missing, expected.unreadable)
    if expected.unreadable:
        with pytest.raises(UnreadableValues) as caught:
            table.numeric_values(name)
        present = len(expected.values) - missing
        said = f"has {expected.unreadable:,} of {present:,} values that"
        check_message(str(caught.value), f"'{name}'", said)
    else:
        assert info.kind in {"numeric", "boolean"}
        np.testing.assert_array_equal(table.numeric_values(name).values, expected.values)


def check_no_numbers(table: Table, name: str, expected: NoNumbers) -> None:
    assert table.info(name).kind == expected.kind
    with pytest.raises(UnreadableColumn) as caught:
        table.numeric_values(name)
    check_message(str(caught.value), f"'{name}'", expected.said)
    with pytest.raises(UnreadableColumn) as caught:
        table.numeric_values(name, drop_unreadable=True)
    message = str(caught.value).replace(f"'{name}'", "")
    check_message(message)
    assert not re.search(r"\d", message)  # neither a count nor a value
