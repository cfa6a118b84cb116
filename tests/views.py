"""The views of the pages that have several, from the pages' own tables."""

from dpviz.ui.pages import audit, budget, decide, map, neighbours, quantiles, trees, what_if  # noqa: A004

TABS = {
    "quantiles": quantiles.page().tabs,
    "trees": trees.PAGE.tabs,
    "map": map.PAGE.tabs,
    "neighbours": neighbours.PAGE.tabs,
    "budget": budget.PAGE.tabs,
    "audit": audit.PAGE.tabs,
    "decide": decide.TABS,
}
UNDER_DECIDE = tuple(view.name for view in what_if.PAGE.views)


def views(page: str) -> tuple[str, ...]:
    """The names of a page's views as links say them, the first one first."""
    return tuple(TABS[page].titles)


def titles(page: str) -> list[str]:
    """What the row under the headline calls them."""
    return list(TABS[page].titles.values())


def walk(page: str) -> list[tuple[str, dict[str, object]]]:
    """Every other view of a page, then the first again: each a page and the widget to set."""
    first, *others = views(page)
    return [(page, {TABS[page].key: view}) for view in (*others, first)]
