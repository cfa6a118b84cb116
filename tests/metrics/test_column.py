"""What a column looks like: bins that follow its spacing, ties, infinite values."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.metrics.column import infinite_values, spacing, tied_share


@pytest.mark.parametrize(
    ("values", "resolution", "expected"),
    [
        ([1, 2, 3], 0, 1.0),
        ([1, 2.5, 3], 0, 0.0),
        ([1, 2, 3], 0.5, 0.5),
        ([-5, 2, 3, 500.5], 0, 1.0),  # what is clipped to a bound does not hide whole numbers
        ([], 0, 0.0),
    ],
)
def test_the_spacing_of_whole_numbers(values, resolution, expected):
    assert spacing(Column.from_values(values, Bounds(0, 10), resolution)) == expected


@pytest.mark.parametrize(
    ("values", "share"), [([], 0), ([1, 2, 3], 0), ([1, 1, 2, 3], 0.5), ([4, 4, 4], 1)]
)
def test_tied_share(values, share):
    assert tied_share(Column.from_values(values, Bounds(0, 10))) == share


def test_infinite_values_are_counted():
    assert infinite_values(np.array([1.0, np.inf, -np.inf, np.nan])) == 2
