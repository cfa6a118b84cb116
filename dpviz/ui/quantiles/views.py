"""The views of the Quantiles page, by their names in links."""

from __future__ import annotations

from collections.abc import Callable

from dpviz.ui.quantiles.asked import TABS, QuantilesPage
from dpviz.ui.quantiles.column import column_view
from dpviz.ui.quantiles.compare import compare_view
from dpviz.ui.quantiles.picture import picture_view
from dpviz.ui.quantiles.profile import profile_view
from dpviz.ui.quantiles.recursion import recursion_view

VIEWS: dict[str, Callable[[QuantilesPage], None]] = {
    "picture": picture_view,
    "compare": compare_view,
    "recursion": recursion_view,
    "column": column_view,
    "profile": profile_view,
}
assert set(VIEWS) == set(TABS.titles)
