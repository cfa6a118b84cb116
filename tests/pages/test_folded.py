"""Closed popovers: what nobody sees is not drawn, and holds all the same."""

from __future__ import annotations

import pytest

from dpviz.ui.visit import folded
from tests.pages.driver import figures, healthy, opened

LINK = {"eps": "0.37", "seed": "12", "neighbours": "replace", "data": "ages"}


@pytest.fixture
def as_in_a_browser(monkeypatch):
    monkeypatch.setattr(folded, "ALWAYS_OPEN", False)


def keys(app) -> set[str]:
    fields = [*app.number_input, *app.selectbox, *app.button_group, *app.toggle]
    return {one.key for one in fields if one.key}


@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_what_the_visit_knows_is_drawn_in_open_popovers_only(page, as_in_a_browser):
    closed = opened(page)
    assert not keys(closed) & {"eps_exact", "seed", "data_choice"}
    closed.session_state["pop_expert"] = True
    healthy(closed.run())
    assert {"eps_exact", "seed"} <= keys(closed)


@pytest.mark.parametrize("page", ["quantiles", "trees"])
def test_the_picture_is_the_same_whether_popovers_are_open_or_not(page, monkeypatch):
    shown = []
    for is_open in (True, False):
        monkeypatch.setattr(folded, "ALWAYS_OPEN", is_open)
        app = opened(page, **LINK)
        healthy(app.run())
        shown.append((repr(figures(app)), app.title[0].value, dict(app.query_params)))
    assert shown[0] == shown[1]


def test_a_run_sends_few_messages(as_in_a_browser):
    drawn = opened("quantiles")
    healthy(drawn.run())

    def count(node) -> int:
        below = getattr(node, "children", {}).values()
        return 1 + sum(count(child) for child in below)

    assert count(drawn._tree) <= 66
