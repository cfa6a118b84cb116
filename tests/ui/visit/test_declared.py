"""Bounds that a page takes, from both ends of what an axis can say."""

import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidBounds
from dpviz.ui.visit.declared import drawable


def test_bounds_need_a_width_that_an_axis_can_say():
    for ends in ((0.0, 1e-280), (-1e299, 1e299), (0.0, 1.0), (0.0, 1e300)):
        assert drawable(*ends) == Bounds(*ends)
    for ends in ((0.0, 9e-281), (-1e300, 1e300), (0.0, 5e-324)):
        with pytest.raises(InvalidBounds, match=r"from 1e-280 to 1e\+300 apart"):
            drawable(*ends)
    with pytest.raises(InvalidBounds, match="below the upper"):
        drawable(1.0, 1.0)
