from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz import catalogue
from dpviz.figures.studies.medians import medians_figure
from tests.figures.studies.drawn import LOOKS, checked, lines, words

METHODS = [row.paper for row in catalogue.MEDIANS]


@pytest.fixture
def rows():
    found = [
        (method, depth, 0.01 * (at + 1) * (depth + 1), 0.001, 0.002 * (at + 1))
        for at, method in enumerate(METHODS)
        for depth in range(3)
    ]
    return pd.DataFrame(found, columns=["method", "depth", "error", "standard_error", "seconds"])


@pytest.mark.parametrize("look", LOOKS)
def test_errors_and_times_have_a_line_for_each_median(rows, look):
    (errors,) = lines(checked(medians_figure(rows, look, "error")))
    (times,) = lines(checked(medians_figure(rows, look, "time")))
    assert set(errors) == set(times) == {row.title for row in catalogue.MEDIANS}
    assert np.allclose(errors["exponential mechanism"][1], [1, 2, 3])  # in % of half the points
    assert np.allclose(times["exponential mechanism"][1], [2, 2, 2])
    assert all(title in words(medians_figure(rows, look, "time")) for title in errors)
