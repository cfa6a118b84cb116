from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column

SIZES = {
    "huge whole numbers": ([10**400, -(10**400), 3], [0, 3, 9]),
    "huge decimals": ([Decimal("1e400"), Decimal("sNaN"), Decimal("NaN")], [9]),
    "huge fractions": ([Fraction(10**400), 2], [2, 9]),
    "long doubles": (np.array([np.longdouble("1e4000"), 1]), [1, 9]),
    "pandas with a missing number": (pd.Series([1, None], dtype="Int64"), [1]),
    "pandas' missing number": ([pd.NA, None, True], [1]),
}


@pytest.mark.parametrize(("given", "kept"), SIZES.values(), ids=SIZES)
def test_no_number_refuses_a_column(given, kept):
    """Too large for a double is infinite and clipped; what is there without a number is missing."""
    column = Column.from_values(given, Bounds(0, 9))
    assert (column.held.tolist(), column.dropped) == (kept, len(given) - len(kept))
