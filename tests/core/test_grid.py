from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.grid import nearest_on_grid


@given(st.integers(-(10**6), 10**6), st.sampled_from(["1", "0.5", "0.1", "0.01", "0.001", "0.25"]))
def test_a_multiple_is_the_double_that_a_file_would_hold(multiple, resolution):
    written = float(Decimal(multiple) * Decimal(resolution))
    assert nearest_on_grid(written, float(resolution)) == written
    off = written + 0.4 * float(resolution) * np.array([-1, 1])
    assert nearest_on_grid(off, float(resolution)).tolist() == [written, written]


@pytest.mark.parametrize("resolution", [2.0, 5.0, 7.5, 1e6])
def test_coarse_grids(resolution):
    values = np.array([-1.2, -0.4, 0.0, 0.4, 1.2, 41.7]) * resolution
    nearest = nearest_on_grid(values, resolution) / resolution
    assert nearest.tolist() == [-1, 0, 0, 0, 1, 42]


def test_shapes_are_kept():
    assert nearest_on_grid(np.zeros((3, 2)), 0.1).shape == (3, 2)
    assert nearest_on_grid([], 1.0).shape == (0,)
