"""The views of the Trees page."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.ui.kit.views import View, nothing
from dpviz.ui.trees.budgets import budget_panel
from dpviz.ui.trees.cdf import cdf_panel
from dpviz.ui.trees.downloads import tree_download_panel
from dpviz.ui.trees.look import look_picker, reading_picker
from dpviz.ui.trees.panels import tree_panel
from dpviz.ui.trees.studies import honaker_panel, variance_panel


@dataclass(frozen=True, slots=True)
class PageView(View):
    """A view of a noisy tree: its panel takes a TreePage, and what its controls asked for.

    asks_workload says that the queries which the tree is judged by are a choice of this view.
    """

    asks_workload: bool = False


VIEWS = (
    PageView("Tree", look_picker, tree_panel),
    PageView("CDF", reading_picker, cdf_panel),
    PageView("Variances", nothing, variance_panel),
    PageView("Budgets", nothing, budget_panel, asks_workload=True),
    PageView("Honaker's Fig. 4", nothing, honaker_panel),
    PageView("Download", reading_picker, tree_download_panel),
)
