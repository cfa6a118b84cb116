from __future__ import annotations

import numpy as np

from dpviz.figures.studies.panels import decades, log_span


def test_ticks_of_a_log_axis_are_round():
    assert decades((0.9, 1200))["ticktext"] == ["1", "10", "100", "1,000"]
    assert decades((0.4, 6), " %")["ticktext"] == ["0.5 %", "1 %", "2 %", "5 %"]


def test_a_log_range_holds_all_values_and_leaves_nothing_out():
    low, high = log_span(np.array([1.0, np.nan, 100.0]), np.array([0.0, 10.0]))
    assert 0.5 < low < 1
    assert 100 < high < 200
    assert log_span(np.array([np.nan])) == (0.1, 1.0)
