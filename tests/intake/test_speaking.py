"""With unreadable values counted as missing, reading says nothing about any value."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dpviz.core.errors import InvalidData, UnreadableColumn, UnreadableValues
from dpviz.intake.read import read_table

SECRET = "zzqx"
COLUMNS = {
    "clean": (["41", "42", "43"], 0),
    "one odd": (["41", SECRET, "43"], 1),
    "beyond": (["41", "1e400", "43"], 1),
    "hexadecimal": (["41", "0x10", "43"], 1),
    "two ways": (["1,234", "41", "5"], 1),
    "missing": (["41", "", "43"], 0),
}
REFUSED = {
    "all odd": [SECRET, SECRET + "2", "x"],
    "nothing": ["", "NA", ""],
    "dates": ["2031-07-08", "2031-07-09", "2031-07-10"],
    "all two ways": ["1,234", "5,678", "9,123"],
}


def table(cells: list[str]):
    rows = "".join(f'"{cell}";1\n' for cell in cells)
    return read_table(f"v;w\n{rows}".encode(), "rows.csv")


@pytest.mark.parametrize("key", COLUMNS)
def test_no_error_and_no_warning(key, recwarn):
    cells, unreadable = COLUMNS[key]
    column = table(cells).numeric_values("v", drop_unreadable=True)
    assert column.values.shape == (3,)
    assert column.unreadable == unreadable
    assert np.isnan(column.values).sum() == column.missing + unreadable
    assert not recwarn.list


@pytest.mark.parametrize("key", REFUSED)
def test_a_refusal_holds_neither_a_count_nor_a_value(key):
    with pytest.raises(UnreadableColumn) as caught:
        table(REFUSED[key]).numeric_values("v", drop_unreadable=True)
    assert not re.search(r"\d|zzqx", str(caught.value))
    assert caught.value.__cause__ is None


def test_types_tell_no_numbers_from_some():
    for key, error in {"one odd": UnreadableValues, "beyond": UnreadableValues}.items():
        with pytest.raises(error):
            table(COLUMNS[key][0]).numeric_values("v")
    for cells in REFUSED.values():
        with pytest.raises(UnreadableColumn):
            table(cells).numeric_values("v")
    assert issubclass(UnreadableColumn, InvalidData)
    assert issubclass(UnreadableValues, InvalidData)
    assert not issubclass(UnreadableColumn, UnreadableValues)


def test_out_of_range_is_said():
    message = (
        "Column 'v' has 1 of 3 values that are out of range (first: '1e400', row 2): no number "
        "beyond ±1.8e308 can be held. Choose another column, or correct or drop those rows."
    )
    with pytest.raises(UnreadableValues) as caught:
        table(COLUMNS["beyond"][0]).numeric_values("v")
    assert str(caught.value) == message
    with pytest.raises(
        UnreadableValues, match="2 of 3 values that are not numbers or out of range"
    ):
        table(["1e400", SECRET, "1"]).numeric_values("v")
