from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.people.data import person_column

SIZES = {
    "huge whole numbers": ([10**400, -(10**400), 3], [0, 3, 9]),
    "huge decimals": ([Decimal("1e400"), Decimal("sNaN"), Decimal("NaN")], [9]),
    "huge fractions": ([Fraction(10**400), 2], [2, 9]),
    "long doubles": (np.array([np.longdouble("1e4000"), 1]), [1, 9]),
    "pandas with a missing number": (pd.Series([1, None], dtype="Int64"), [1]),
    "a masked one in a list": ([np.ma.masked, 1.0], [1]),
    "signalling NaN": (np.array([0x7FA00000, 0x3F800000], np.uint32).view(np.float32), [1]),
    "pandas with a missing answer": (pd.Series([True, None], dtype="boolean"), [1]),
    "pandas' missing number": ([pd.NA, None, True], [1]),
}


@pytest.mark.parametrize(("given", "kept"), SIZES.values(), ids=SIZES)
def test_no_number_refuses_a_column(given, kept):
    """Too large for a double is infinite and clipped; what is there without a number is missing."""
    column = Column.from_values(given, Bounds(0, 9))
    assert (column.held.tolist(), column.dropped) == (kept, len(given) - len(kept))


def test_no_refusal_says_how_many_records_there_are_or_what_one_is():
    """A ragged list named its length, a frame's only cell its value, and so did a wrong noun."""
    box = Box(Bounds(0, 1), Bounds(0, 1))
    rows, rng = PersonRows.at_most(1), np.random.default_rng(1)
    for given in ([1.0] * 1236 + [[2.0]], np.float64(31337.25), 31337.25, "31337", [["31337"]]):
        for act in (
            lambda: Column.from_values(given, Bounds(0, 9)),  # noqa: B023
            lambda: Points.from_xy(given, given, box),  # noqa: B023
            lambda: IndependentExp().release(given, [0.5], PureDP(1), rng),  # noqa: B023
            lambda: Quadtree(2).release(given, PureDP(1), rng),  # noqa: B023
            lambda: person_column(np.ones((1237, 1)), np.ones(1237), Bounds(0, 1), 0, rows, rng),
        ):
            with pytest.raises(InvalidData) as refused:
                act()
            assert not re.search("31337|123[67]", str(refused.value)), refused.value


def test_counts_with_a_signalling_nan_are_refused_without_a_warning():
    signalling = np.array([0x7FA00000], np.uint32).view(np.float32)
    with pytest.raises(InvalidData, match="fractions or missing"):
        Column.from_counts([1.0], signalling, Bounds(0, 9))
