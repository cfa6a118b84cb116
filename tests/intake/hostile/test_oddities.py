"""Every odd text is a table or refused in words, soon; and words hold no cell of it."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from dpviz.core.errors import DpvizError, UnreadableFile
from dpviz.intake.dialect import reads_as_value
from dpviz.intake.read import read_table
from dpviz.intake.table import Table
from tests.intake.hostile.cases import SECONDS, check_message
from tests.intake.hostile.oddities import HUGE, ODDITIES, SECRET, Oddity
from tests.rows import by_rows

LONG = re.compile(r"\d{6,}")  # digits of a cell; counts have marks between their thousands


def check_words(words: str) -> None:
    """No cell in what is said with the truth off, and no sign that changes how others are shown."""
    assert SECRET not in words
    assert not LONG.search(words), words
    assert words.isprintable()


def outcome(make, name: str, most: float) -> Table | None:
    """A table, or None for a refusal in words; either within the time that a file may take."""
    start = time.process_time()
    try:
        table = make()
    except UnreadableFile as error:
        check_message(str(error), name)
        check_words(str(error))
        table = None
    assert time.process_time() - start < most
    return table


def check_table(table: Table) -> None:
    for words in (*table.notes, table.how, table.first_row):
        check_words(words)
    for one in table.columns:
        name = one.name.removesuffix(" (2)")
        assert SECRET not in name
        assert name.isprintable()
        assert not reads_as_value(name)
    assert len({one.name for one in table.columns}) == len(table.columns)


def check_columns(table: Table) -> None:
    """Each of the first can be asked for numbers and for people."""
    for one in table.columns[:3]:
        try:
            column = table.numeric_values(one.name, drop_unreadable=True)
        except DpvizError as error:
            check_message(str(error).replace(one.name, ""))
        else:
            assert column.values.shape == (table.rows,)
            assert np.isnan(column.values).sum() == column.missing + column.unreadable
        assert table.people(one.name).shape == (table.rows,)


def check(one: Oddity, most: float = SECONDS) -> None:
    """The file as it is, and its first row taken the other way."""
    data = one.bytes
    table = outcome(lambda: read_table(data, one.file), one.file, most)
    if table is not None:
        check_table(table)
        check_columns(table)
        other = outcome(lambda: table.again(not table.header), one.file, most)
        assert other is None or other.header is not table.header


@pytest.mark.law
@by_rows("one", ODDITIES[::5], ids=lambda one: one.name)
def test_a_table_or_words(one):
    check(one)


@pytest.mark.thorough
@by_rows("one", ODDITIES, ids=lambda one: one.name)
def test_every_one_is_a_table_or_words(one):
    check(one)


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize("one", HUGE, ids=lambda one: one.name)
def test_a_huge_one_is_a_table_or_words(one):
    check(one, 4 * SECONDS)  # 5,000 columns of words take about one of these


def test_there_are_enough():
    every = [*ODDITIES, *HUGE]
    assert len({one.name for one in every}) == len(every)
    assert len(every) >= 900
