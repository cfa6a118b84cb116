"""The row under the headline: the views, which of them is shown, and where the data set stands."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.answers.decide.sentences import WHAT
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.quantiles import parse_quantiles
from dpviz.ui.bench import headline as headlines
from dpviz.ui.kit import frame

TITLES = {"first": "One", "second": "Another"}


def page() -> None:
    import streamlit as st  # noqa: PLC0415

    from dpviz.ui.bench import data_choice  # noqa: PLC0415
    from dpviz.ui.bench.dock import dock  # noqa: PLC0415
    from dpviz.ui.bench.headline import headline  # noqa: PLC0415
    from dpviz.ui.visit import page as visits  # noqa: PLC0415
    from dpviz.ui.visit import state  # noqa: PLC0415
    from tests.ui.bench.test_views import TITLES  # noqa: PLC0415

    state.begin()
    tabs = visits.Tabs("one_view", TITLES, declares=True)
    now = visits.open_page("one", "column", views=tabs)
    with dock(now) as controls:
        controls.truth()
        with controls.explore("What"):
            data_choice.choose(now)
    headline("One", f"This is {now.view}.")
    st.caption("apart" if data_choice.is_apart(now) else "in the dock")


@pytest.fixture(autouse=True)
def all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.ui.visit.folded.ALWAYS_OPEN", True)
    monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)  # there is no other page


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def keys(app: AppTest) -> list[str]:
    return [one.key for one in app.selectbox]


def test_a_view_is_chosen_in_the_row_and_stands_in_the_link():
    app = opened()
    assert app.title[0].value == "This is first."
    assert app.get_by_key("one_view").options == list(TITLES.values())
    app.get_by_key("one_view").set_value("second").run()
    assert app.title[0].value == "This is second."
    assert app.query_params["view"] in ("second", ["second"])
    assert opened(view="second").get_by_key("one_view").value == "second"
    assert opened(view="third").get_by_key("one_view").value == "first"
    app.session_state["_visit"]["view_one"] = "third"  # of a page that had other views
    assert app.run().get_by_key("one_view").value == "first"


def test_the_data_set_stands_in_one_place_only_and_without_the_truth_in_the_dock():
    app = opened()
    assert app.caption[0].value == "apart"
    assert keys(app).count("data_choice") == 1
    assert app.number_input(key="exam_high").value == 100
    app = opened(truth="false")
    assert app.caption[0].value == "in the dock"
    assert keys(app).count("data_choice") == 1
    assert app.number_input(key="exam_high").value == 100


def test_presenting_there_is_no_row_and_the_data_set_keeps_its_state():
    app = opened(present="1", view="second", data="ages")
    assert app.title[0].value == "This is second."
    assert "one_view" not in [one.key for one in app.segmented_control]
    assert app.get_by_key("data_choice").value == "ages"


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Where the way to the sentence led, and with which link."""
    found: list[object] = []
    monkeypatch.setattr("dpviz.ui.visit.state.follow", found.append)
    monkeypatch.setattr("dpviz.ui.kit.frame.go", found.append)
    return found


def test_the_row_ends_with_the_way_to_the_sentence(went: list[object]):
    app = opened(eps="0.5")
    (way,) = [one for one in app.button if one.key == "to_decide"]
    assert way.label == "Decide: what it takes"
    assert went == []
    way.click().run()
    assert went == [{"given": "budget", "eps": "0.5", "what": "count"}, "decide"]
    app.run()
    assert len(went) == 2  # one click leads once
    assert "to_decide" not in [one.key for one in opened(present="1").button]


def test_a_narrow_screen_has_room_for_its_first_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: "narrow")
    assert [one.label for one in opened().button if one.key == "to_decide"] == ["Decide"]


def at(page: str, budget: Budget) -> SimpleNamespace:
    return SimpleNamespace(page=page, budget=budget)


@pytest.mark.parametrize(
    ("page", "what"),
    [("quantiles", "deciles"), ("trees", "curve"), ("map", "map"), ("neighbours", "count"),
     ("budget", "count"), ("audit", "count")],
)  # fmt: skip
def test_every_workbench_opens_a_sentence_about_what_it_shows(
    page: str, what: str, monkeypatch: pytest.MonkeyPatch
):
    assert page in {name for name, _ in frame.PAGES["Explore"]}
    monkeypatch.setattr("dpviz.ui.visit.state.store", dict)
    for budget, size in (
        (PureDP(0.25), {"eps": "0.25"}),
        (ZCDP(0.03), {"rho": "0.03"}),
        (ApproxDP(1, 1e-6), {"eps": "1"}),
    ):
        found = headlines.to_decide(at(page, budget))
        assert found == {"given": "budget", "what": what} | size
    assert what in WHAT


@pytest.mark.parametrize(
    ("held", "what", "own"),
    [
        ({"set": "quartiles"}, "quartiles", None),
        ({"set": "percentiles", "m": 3}, "percentiles", None),
        ({"set": "m uniform", "m": 3}, "own", [0.25, 0.5, 0.75]),
        ({"set": "m uniform"}, "own", [one / 16 for one in range(1, 16)]),
        ({"set": "own list", "own": "10%, 0.4"}, "own", [0.1, 0.4]),
        ({"set": "own list"}, "own", None),
    ],
)
def test_the_quantiles_go_along(
    held: dict[str, object],
    what: str,
    own: list[float] | None,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("dpviz.ui.visit.state.store", lambda: held)
    found = headlines.to_decide(at("quantiles", PureDP(1)))
    assert found["what"] == what
    assert ("own" in found) is (own is not None)
    if own is not None:
        assert parse_quantiles(found["own"]).tolist() == pytest.approx(own)
