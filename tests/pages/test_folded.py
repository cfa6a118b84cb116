"""Closed popovers: what nobody sees is not drawn, and holds all the same."""

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from dpviz.core.errors import InvalidParameter
from dpviz.ui.kit.process import turns
from dpviz.ui.model import render
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

    assert count(drawn._tree) <= 46


@pytest.fixture
def sent(monkeypatch):
    """What runs send, in its order: what each message puts on the page."""
    found: list[str] = []
    send = ScriptRunContext.enqueue

    def heard(context, message):
        kind = message.delta.WhichOneof("type")
        if kind:
            held = getattr(message.delta, kind)
            what = getattr(held, held.WhichOneof("type") or "id", held)
            found.append(
                getattr(what, "component_name", "").split(".")[-1] or getattr(what, "id", "")
            )
        send(context, message)

    monkeypatch.setattr(ScriptRunContext, "enqueue", heard)
    return found


def places(sent: list[str]) -> tuple[int, int, int]:
    """Of the picture, of the slider in the dock, and of the last message of a run."""
    (slider,) = (i for i, one in enumerate(sent) if one.endswith("-eps"))
    return sent.index("dpviz_plot"), slider, len(sent)


def test_a_picture_is_sent_before_the_dock_whatever_is_open_there(as_in_a_browser, sent):
    app = opened("quantiles")
    app.session_state["pop_expert"] = True
    app.get_by_key("eps").set_value(0.5)
    sent.clear()
    healthy(app.run())
    picture, slider, last = places(sent)
    assert any(one.endswith("-eps_exact") for one in sent)
    assert picture < slider
    assert picture <= 18
    assert last <= 54


@pytest.mark.parametrize("slow", ["slow", "refused"])
def test_the_dock_is_there_before_a_picture_that_takes_long_or_is_refused(
    slow, as_in_a_browser, sent, monkeypatch
):
    def looked(*_: object) -> bool:
        if slow == "refused":
            raise InvalidParameter("refused")
        return False

    monkeypatch.setattr("dpviz.ui.quantiles.picture.is_quick", looked)
    sent.clear()
    opened("quantiles")
    picture, slider, _ = places(sent)
    assert slider < picture


def at(page: str, **visit: object):
    """A page at what a visit holds."""
    app = opened(page)
    app.session_state["_visit"] |= visit
    return healthy(app.run())


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("page", "visit"),
    [
        ("quantiles", {}),
        ("quantiles", {"view_quantiles": "compare"}),
        ("trees", {"view_trees": "cdf"}),
    ],
)
def test_what_stands_below_a_picture_is_drawn_once_somebody_looks_there(
    page, visit, as_in_a_browser
):
    app = at(page, **visit)
    assert not app.dataframe
    healthy(app.get_by_key("look_below").click().run())
    assert app.dataframe
    assert "look_below" not in {one.key for one in app.button}
    app.get_by_key("eps").set_value(0.5)
    healthy(app.run())
    assert app.dataframe, "who looked once sees it with every move"
    app.session_state["_visit"]["view_trees"] = "cdf"
    app.switch_page("pages/trees.py")
    assert healthy(app.run()).dataframe, "and on every page"


@pytest.mark.parametrize(
    ("page", "visit"), [("trees", {}), ("map", {}), ("quantiles", {"present": True})]
)
def test_nothing_waits_below_where_nothing_stands(page, visit, as_in_a_browser):
    assert "look_below" not in {one.key for one in at(page, **visit).button}


def test_the_picture_is_the_same_before_and_after_somebody_looks_below(as_in_a_browser):
    app = opened("quantiles", **LINK)
    before = repr(figures(app)), app.title[0].value, dict(app.query_params)
    healthy(app.get_by_key("look_below").click().run())
    assert (repr(figures(app)), app.title[0].value, dict(app.query_params)) == before


@pytest.mark.parametrize("truth", ["true", "false"])
def test_a_picture_sent_ahead_of_the_dock_has_time_to_be_drawn(truth, as_in_a_browser, monkeypatch):
    """With the truth off nothing rests: how long a picture takes hangs on the records."""
    rested: list[float] = []
    monkeypatch.setattr(turns, "rest", rested.append)
    monkeypatch.setattr(render, "DRAWN_SECONDS", 0.25)
    healthy(opened("quantiles", truth=truth))
    assert rested == ([0.25] if truth == "true" else [])
