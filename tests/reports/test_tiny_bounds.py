"""Reports of releases between bounds that are the last numbers above 0."""

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.reports.page import report


@pytest.mark.parametrize("high", [5e-324, 2e-323, 1e-310, 1e-300])
def test_every_release_has_a_report(high: float):
    column = dp.Column.from_values(np.zeros(40), dp.Bounds(0, high))
    asked = QuantileSet.of([0.25, 0.5, 0.75])
    for seed in range(12):
        rng = np.random.default_rng(seed)
        assert report(IndependentExp().release(column, asked, dp.PureDP(1.0), rng))
