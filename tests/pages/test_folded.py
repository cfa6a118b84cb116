"""Closed popovers: what nobody sees is not drawn, and holds all the same."""

from __future__ import annotations

import pytest

from dpviz.ui.visit import folded
from tests.pages.driver import figures, healthy, opened

LINK = {"eps": "0.37", "seed": "12", "neighbours": "replace", "data": "ages"}
OWN = {  # settings whose value lives in a widget of a popover
    "quantiles": {"set": "quartiles", "runs": "50", "ties": "jitter", "rounded": "false"},
    "trees": {"t_height": "4", "t_fanout": "3", "t_noise": "discrete Laplace"},
    "map": {
        "m_height": "5",
        "m_second": "kd-tree",
        "m_share": "0.5",
        "m_colour": "count",
        "m_x0": "3",
    },
}


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


@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_the_picture_is_the_same_whether_popovers_are_open_or_not(page, monkeypatch):
    shown = []
    for is_open in (True, False):
        for link in (LINK, LINK | OWN[page]):
            monkeypatch.setattr(folded, "ALWAYS_OPEN", is_open)
            app = opened(page, **link)
            healthy(app.run())
            shown.append((repr(figures(app)), app.title[0].value, dict(app.query_params)))
    assert shown[:2] == shown[2:]
    assert shown[0] != shown[1]


def test_what_a_person_chose_holds_when_its_popover_closes_and_when_they_take_it_back(
    as_in_a_browser,
):
    app = opened("quantiles")
    plain = repr(figures(app))
    for chosen in ("quartiles", "deciles"):
        app.session_state["pop_explore"] = True
        healthy(app.run())
        app.get_by_key("set").set_value(chosen)
        healthy(app.run())
        app.session_state["pop_explore"] = False
        healthy(app.run())
        healthy(app.run())
        assert (repr(figures(app)) == plain) == (chosen == "deciles")


def test_nonsense_in_a_link_is_said_though_its_popover_is_closed(as_in_a_browser):
    app = opened("quantiles", ties="nonsense")
    assert "ties" not in app.query_params
    assert any("`ties` cannot be used" in one.value for one in app.caption)


def test_a_run_sends_few_messages(as_in_a_browser):
    drawn = opened("quantiles")
    healthy(drawn.run())

    def count(node) -> int:
        below = getattr(node, "children", {}).values()
        return 1 + sum(count(child) for child in below)

    assert count(drawn._tree) <= 56
