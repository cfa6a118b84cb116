"""The views of the Trees page, by their names in links."""

from __future__ import annotations

from collections.abc import Callable

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.ui.trees.buckets import buckets_view
from dpviz.ui.trees.budgets import budgets_view
from dpviz.ui.trees.cdf import cdf_view
from dpviz.ui.trees.icicle import picture_view
from dpviz.ui.trees.node import node_view
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.prefixes import prefixes_view
from dpviz.ui.trees.release_view import release_view
from dpviz.ui.trees.studies import fanouts_view, levels_view, simulation_view
from dpviz.ui.trees.take_away import take_away_view
from dpviz.ui.visit.page import Visit

Show = Callable[[TreePage, Visit, TreeEstimator], tuple[str, str]]


def tree_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """Before and after with the truth, or what an outsider gets without it."""
    show: Show = picture_view if now.truth else release_view
    return show(page, now, reading)


# each returns the key of its picture and its sentence, for the slide
VIEWS: dict[str, Show] = {
    "picture": tree_view,
    "node": node_view,
    "cdf": cdf_view,
    "running": prefixes_view,
    "fanouts": fanouts_view,
    "buckets": buckets_view,
    "levels": levels_view,
    "budgets": budgets_view,
    "honaker": simulation_view,
    "take": take_away_view,
}
