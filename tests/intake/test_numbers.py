"""Texts that repeat are read once, and count as often as there are rows."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa
import pytest

from dpviz.intake import numbers
from dpviz.intake.numbers import parse_each, parse_numbers

MIXED = ["1", " 2.5 ", None, "", "NA", "−3", "+4", "1e400", "abc", "1 000", "inf", "\ufeff7", "0x1"]


def parsed(texts, *more):
    return parse_numbers(pa.chunked_array([pa.array(texts, pa.large_string())]), *more)


def test_a_row_is_read_the_same_however_often_its_text_occurs(monkeypatch):
    monkeypatch.setattr(numbers, "_PIECE", 100)
    order = np.random.default_rng(1).integers(0, len(MIXED), 1_001)
    alone, many = parsed(MIXED), parsed([MIXED[at] for at in order])
    np.testing.assert_array_equal(many.values, alone.values[order])
    np.testing.assert_array_equal(many.missing, alone.missing[order])
    np.testing.assert_array_equal(many.unreadable, alone.unreadable[order])
    assert alone.beyond == 1
    assert many.beyond == (order == MIXED.index("1e400")).sum() > 1


def test_the_style_is_that_of_most_rows_not_of_most_texts():
    rows = ["1,5"] * 4 + ["1.5", "2.5", "3.5"]
    assert np.nansum(parsed(rows).values) == 6
    assert np.nansum(parsed(["1,5", *rows[4:]]).values) == 7.5


@pytest.mark.law
@pytest.mark.parametrize("piece", [1, 5, 12, 1 << 18])
def test_columns_together_are_read_as_each_alone(monkeypatch, piece):
    monkeypatch.setattr(numbers, "_PIECE", piece)
    rng = np.random.default_rng(2)
    styles = (["1,5", "2", "x"], ["1,234", "5"], ["1.5", ""], ["1.234.567", "1"], MIXED)
    texts = [
        [styles[at % 5][one] for one in rng.integers(0, len(styles[at % 5]), at % 8)]
        for at in range(40)
    ]
    kinds = [pa.string(), pa.large_string()]
    columns = [pa.chunked_array([pa.array(own, kinds[len(own) % 2])]) for own in texts]
    for decimal in ".,":
        together = list(parse_each(columns, decimal))
        assert len(together) == len(columns)
        for column, found in zip(columns, together, strict=True):
            alone = parse_numbers(column, decimal)
            np.testing.assert_array_equal(found.values, alone.values)
            np.testing.assert_array_equal(found.missing, alone.missing)
            np.testing.assert_array_equal(found.unreadable, alone.unreadable)
            assert (found.ambiguous, found.beyond) == (alone.ambiguous, alone.beyond)
    assert list(parse_each([], ".")) == []


@pytest.mark.parametrize("texts", [[], [None], [""], [None] * 3])
def test_columns_without_a_text(texts):
    found = parsed(texts)
    assert found.missing.all()
    assert found.values.shape == found.missing.shape == (len(texts),)
    assert np.isnan(found.values).all()


def seconds(texts):
    column = pa.chunked_array([pa.array(texts, pa.large_string())])
    start = time.process_time()
    parse_numbers(column)
    return time.process_time() - start


@pytest.mark.law
def test_equal_texts_take_a_fraction_of_the_time_of_different_ones():
    rows = 200_000
    different = [f"{at}.5" for at in range(rows)]
    for equal in ("12.5", "2020-01-01", "a word"):
        assert 3 * min(seconds([equal] * rows) for _ in range(3)) < seconds(different)
