from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpviz.figures.studies.panels import decades, log_span, spaced


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_labels_lie_apart_and_keep_their_order(places):
    found = spaced(np.array(places), 0.1)
    order = np.argsort(places, kind="stable")
    assert (np.diff(found[order]) >= 0.1 - 0.02).all()
    assert found.shape == (len(places),)


def test_labels_that_lie_apart_stay():
    assert np.allclose(spaced(np.array([0.9, 0.1, 0.5]), 0.1), [0.9, 0.1, 0.5])


def test_ticks_of_a_log_axis_are_round():
    assert decades((0.9, 1200))["ticktext"] == ["1", "10", "100", "1,000"]
    assert decades((0.4, 6), " %")["ticktext"] == ["0.5 %", "1 %", "2 %", "5 %"]


def test_a_log_range_holds_all_values_and_leaves_nothing_out():
    low, high = log_span(np.array([1.0, np.nan, 100.0]), np.array([0.0, 10.0]))
    assert 0.5 < low < 1
    assert 100 < high < 200
    assert log_span(np.array([np.nan])) == (0.1, 1.0)
