"""What a column looks like: bins that follow its spacing, ties, infinite values."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data import Column
from dpviz.metrics.column import histogram, infinite_values, tied_share


@pytest.mark.parametrize("resolution", [0.0, 1.0])
@pytest.mark.parametrize(("low", "high"), [(0, 100), (0, 1000), (-7, 90.5)])
def test_whole_numbers_make_no_comb(resolution, low, high):
    values = np.repeat(np.arange(int(low), int(high) + 1), 3)
    edges, counts = histogram(Column.from_values(values, Bounds(low, high), resolution))
    assert counts.sum() == values.size
    assert edges[0] <= low
    assert edges[-1] >= high
    width = np.diff(edges)
    assert np.allclose(width, width[0])
    assert (counts[:-1] == counts[0]).all()  # the last bin may be cut short by the bound


def test_values_between_whole_numbers_have_plain_bins():
    column = Column.from_values([0.5, 1.0, 2.0], Bounds(0, 100))
    edges, counts = histogram(column, bars=50)
    np.testing.assert_allclose(edges, np.linspace(0, 100, 51))
    assert counts.sum() == 3


def test_values_clipped_to_a_bound_do_not_hide_whole_ones():
    edges, _ = histogram(Column.from_values([3, 4, 5, 10**6], Bounds(0, 90.5)))
    assert edges[0] == -0.5


@pytest.mark.parametrize(
    ("values", "share"), [([], 0), ([1, 2, 3], 0), ([1, 1, 2, 3], 0.5), ([4, 4, 4], 1)]
)
def test_tied_share(values, share):
    assert tied_share(Column.from_values(values, Bounds(0, 10))) == share


def test_infinite_values_are_counted():
    assert infinite_values(np.array([1.0, np.inf, -np.inf, np.nan])) == 2
