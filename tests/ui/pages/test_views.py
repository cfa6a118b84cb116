"""The views of every page by their names and in their order, as other tests walk them."""

import importlib

import pytest

from tests.views import TABS, UNDER_DECIDE, titles, views, walk

NAMED = {
    "quantiles": {
        "picture": "One release", "compare": "Methods compared",
        "recursion": "Inside the recursion", "column": "Made-up column", "profile": "All columns",
        "bins": "Bins",
    },
    "trees": {
        "picture": "Tree", "node": "One node", "cdf": "CDF", "running": "Running counts",
        "online": "Step by step", "fanouts": "Fanouts", "buckets": "Buckets",
        "levels": "Errors by level", "budgets": "Budgets", "honaker": "Honaker",
        "take": "Downloads",
    },
    "map": {
        "map": "Map", "node": "One node", "compare": "Methods compared",
        "medians": "Medians by depth", "matching": "Record matching", "places": "Named places",
        "take": "Downloads",
    },
    "neighbours": {"count": "A count", "quantile": "A quantile", "meaning": "What ε means",
                   "trust": "Trust"},
    "budget": {"tank": "Tank", "accounts": "Every account", "others": "What others chose"},
    "audit": {"proof": "What runs prove", "outputs": "What was said"},
    "decide": {"answer": "Answer", "unfolded": "Frontier"},
}  # fmt: skip


@pytest.mark.parametrize("page", NAMED)
def test_every_view_has_its_name_and_title(page):
    assert dict(TABS[page].titles) == NAMED[page]
    assert (views(page), titles(page)) == (tuple(NAMED[page]), list(NAMED[page].values()))
    last = {TABS[page].key: views(page)[0]}
    assert walk(page)[-1] == (page, last)
    assert {next(iter(one.values())) for _, one in walk(page)} == set(views(page))


@pytest.mark.parametrize("page", [one for one in NAMED if one != "decide"])
def test_the_row_of_tabs_is_the_pages_own_table(page):
    module = importlib.import_module(f"dpviz.ui.pages.{page}")
    found = module.VIEWS if hasattr(module, "VIEWS") else module.PAGE.views
    assert [(one.name, one.title) for one in found] == list(NAMED[page].items())


def test_the_views_under_the_sentence():
    assert UNDER_DECIDE == ("sweep", "wins", "search", "many")
