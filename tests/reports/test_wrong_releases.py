from __future__ import annotations

import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks
from dpviz.reports.page import report
from dpviz.reports.tables import release_csv
from dpviz.reports.words import paragraph


@pytest.mark.parametrize("tell", [report, paragraph, release_csv])
@pytest.mark.parametrize("wrong", ["rank check", "text", "nothing"])
def test_what_no_report_tells_of_is_refused(tell, wrong, rng):
    column = Column.from_values([1.0, 2, 3], Bounds(0, 10))
    quantiles = ApproximateQuantiles().release(column, [0.5], PureDP(1), rng)
    checked = CheckedRanks().release(column, quantiles, PureDP(1), rng)
    given = {"rank check": checked, "text": "x", "nothing": None}[wrong]
    with pytest.raises(InvalidParameter, match="A report takes a release of"):
        tell(given)
