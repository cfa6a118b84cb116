"""What tests/estimators/trees/test_levels.py leaves open: edges at every magnitude."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds
from dpviz.core.trees.shape import TreeShape

END = st.one_of(st.floats(-1e3, 1e3), st.floats(-8e307, 8e307))


@pytest.mark.law
@given(END, END, st.integers(2, 12), st.integers(0, 3))
def test_edges_start_and_end_on_the_bounds_to_the_last_digit(first, second, fanout, height):
    if first == second:
        return
    bounds = Bounds(*sorted((first, second)))
    edges = TreeShape(fanout, height).edges(bounds)
    assert edges.size == fanout**height + 1
    assert (edges[0], edges[-1]) == (bounds.low, bounds.high)
    assert (np.diff(edges) >= 0).all()
