"""Whatever the csv module writes, in a random dialect, is read back equal."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.intake.numbers import MISSING
from dpviz.intake.read import read_table

NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.just(""),
)
TEXTS = st.text(st.sampled_from("abcé ,;|\t\n\"'x"), max_size=12).filter(
    lambda text: text.strip() not in MISSING
)
DIALECTS = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from(",;\t|"),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
        "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }
)


def tables(cells):
    return st.lists(st.tuples(NUMBERS, NUMBERS, cells), min_size=3, max_size=30)


def written(rows, dialect, encoding="utf-8"):
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, **dialect)
    writer.writerow(["first", "second", "note"])
    writer.writerows(rows)
    return sink.getvalue().encode(encoding)


def floats(cells):
    return [float("nan") if cell == "" else float(cell) for cell in cells]


@pytest.mark.law
@settings(derandomize=True, max_examples=100, deadline=None)
@given(tables(TEXTS), DIALECTS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_numbers_and_texts_come_back(rows, dialect, encoding):
    has_numbers = any(cell != "" for row in rows for cell in row[:2])  # else nothing tells of names
    header = None if has_numbers else True
    table = read_table(written(rows, dialect, encoding), "rows.csv", header)
    assert [info.name for info in table.columns] == ["first", "second", "note"]
    assert table.rows == len(rows)
    for place, name in enumerate(("first", "second")):
        column = [row[place] for row in rows]
        if any(cell != "" for cell in column):
            np.testing.assert_array_equal(table.numeric_values(name).values, floats(column))
        else:
            assert table.info(name).kind == "empty"
    texts = table._data.column("note").to_pylist()
    assert texts == [row[2] for row in rows]


@pytest.mark.law
@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.decimals(-999, 999, places=2), st.integers(0, 9)), min_size=3),
    st.sampled_from(";\t|"),
)
def test_decimal_commas_come_back(rows, delimiter):
    lines = [f"x{delimiter}y"] + [f"{x:f}{delimiter}{y}".replace(".", ",") for x, y in rows]
    table = read_table("\n".join(lines).encode(), "rows.csv")
    np.testing.assert_array_equal(table.numeric_values("x").values, [float(x) for x, _ in rows])
    np.testing.assert_array_equal(table.numeric_values("y").values, [float(y) for _, y in rows])


@pytest.mark.law
@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.sampled_from([",", ".", " ", "'"]))
def test_grouped_thousands_are_right_or_refused(numbers, mark):
    numbers = [*numbers, 1_234_567]  # two groups settle what the mark means
    rows = "".join(f'"{number:,}"\n'.replace(",", mark) for number in numbers)
    table = read_table(f"v\n{rows}".encode(), "rows.csv")
    np.testing.assert_array_equal(table.numeric_values("v").values, numbers)
