"""The grammar of pages: what slides are called, what a ready figure sends, what leaves the dock."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.answers.said import danger, plain, private, true, unmarked
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import axis, layout, line, picture, rule, trace, words
from dpviz.ui.bench.hero import Packed, library, written
from dpviz.ui.bench.release import card_table
from dpviz.ui.bench.tanks import bar, spent_of
from dpviz.ui.kit.account.ledger import Balance, Total
from dpviz.ui.kit.process.front_end import root


def test_a_title_is_the_sentence_without_its_marks():
    odd = "a*b_[c]: **d**"
    sentence = f"{private('1,234')} of {true('−5')} in {danger('LEAK')}, {plain(odd)}."
    assert unmarked(sentence) == f"1,234 of −5 in LEAK, {odd}."


def some_picture() -> dict:
    look = Look()
    return picture(
        [trace("a", np.arange(3.0), np.arange(3), line=line("#000000", 2))],
        layout(look, xaxis=axis(look), yaxis=axis(look), shapes=[rule(look, 1)])
        | {"annotations": [words(look, "here", 1, 2, plate=True)]},
    )


def test_the_grammar_is_what_plotly_takes():
    go.Figure(some_picture())  # raises for a property that plotly.js would pass over in silence


def test_a_ready_figure_sends_what_a_validated_one_sends_and_leaves_the_picture_alone():
    shown = some_picture()
    sent = json.loads(Packed.of(shown).json)
    validated = json.loads(plotly.io.to_json(go.Figure(some_picture()).to_dict(), validate=False))
    assert sent["data"] == validated["data"]
    assert sent["layout"]["font"] == validated["layout"]["font"]
    assert isinstance(shown["data"][0]["x"], np.ndarray)


def page() -> None:
    import streamlit as st  # noqa: PLC0415  AppTest runs this function by its source

    from dpviz.ui.bench import budget, data_choice, ledger  # noqa: PLC0415
    from dpviz.ui.bench.dock import dock  # noqa: PLC0415
    from dpviz.ui.bench.headline import headline  # noqa: PLC0415
    from dpviz.ui.bench.strip import strip  # noqa: PLC0415
    from dpviz.ui.visit import page as visits  # noqa: PLC0415
    from dpviz.ui.visit import state  # noqa: PLC0415

    state.begin()
    now = visits.open_page("one", "column")
    with dock(now) as controls:
        controls.budget()
        controls.new_draw()
        controls.truth()
        ledger.in_dock(controls)
        with controls.explore("Deciles"):
            st.text("explore")
        with controls.popover(data_choice.title(), "data"):
            data_choice.declarations()
        with controls.expert():
            budget.expert(now)
    headline("One", "A sentence.", "A second one.")
    strip(now, [("spent", str(now.budget))])
    ledger.end()


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def badges(app: AppTest) -> str:
    return " ".join(one.value for one in app.markdown)


@pytest.mark.law
def test_the_dock_moves_the_visit():
    app = opened()
    app.select_slider(key="eps").set_value(0.5).run()
    app.button(key="new_draw").click().run()
    app.segmented_control(key="notion").set_value("zcdp").run()
    assert app.session_state["_visit"] == {"eps": 0.5, "seed": 2, "notion": "zcdp"}
    assert app.select_slider(key="rho").label.startswith("Budget ρ")
    assert "zCDP ρ" in badges(app)


def test_exact_numbers_become_stops_of_the_slider():
    app = opened()
    app.number_input(key="eps_exact").set_value(0.37).run()
    assert app.select_slider(key="eps").value == 0.37
    assert "0.37" in app.select_slider(key="eps").options


def test_declared_bounds_are_kept_and_an_empty_field_falls_back():
    app = opened()
    app.number_input(key="exam_low").set_value(-5.0).run()
    assert app.session_state["_visit"]["exam_low"] == -5.0
    app.number_input(key="exam_low").set_value(None).run()
    assert app.number_input(key="exam_low").value == 0.0


def test_the_badge_follows_the_truth():
    app = opened()
    assert "Teaching view: shows true data" in badges(app)
    app.toggle(key="truth").set_value(False).run()
    assert "Teaching view" not in badges(app)
    assert "Only what may be published" in badges(app)


def test_presenting_keeps_the_widgets_of_the_popovers():
    app = opened(present="1", notion="approx")
    assert app.segmented_control(key="notion").value == "approx"
    assert not app.get("popover")


def test_a_tank_says_what_is_spent_of_the_promise_and_rho_is_not_converted():
    assert spent_of(Balance(Total()), 2, "ε") == "nothing of 2 promised"
    assert spent_of(Balance(Total(0.3)), 2, "ε") == "ε = 0.3 of 2 promised"
    assert spent_of(Balance(Total(rho=0.5)), 2, "ε") == "ρ = 0.5"
    assert spent_of(Balance(Total(rho=0.5)), 2, "ρ") == "ρ = 0.5 of 2 promised"
    both = Balance(Total(1, 1e-6, 0.5))
    assert spent_of(both, 2, "ε") == "ε = 1, δ = 1e-06 of 2 promised, and ρ = 0.5"
    assert spent_of(both, 2, "ρ") == "ρ = 0.5 of 2 promised, and ε = 1, δ = 1e-06"
    more = Balance(Total(0.2), has_more=True)
    assert spent_of(more, 1.2345, "ε") == (
        "ε = 0.2 of 1.23 promised, and draws without a promise to people"
    )


def test_a_tank_is_drawn_to_scale():
    assert "width:15.00%;height:100%;background:#3B8DC4" in bar(0.15)
    assert "repeating" not in bar(1.0)
    four = bar(4)
    assert "width:25.00%" in four  # the tank; the three others are hatched
    assert "flex:1;background:repeating" in four
    assert "<svg" not in four  # st.html draws none
    assert "400 %" in bar(4)
    assert "0.412 %" in bar(0.004111)  # never less than was spent


def test_a_number_is_marked_where_it_stands_alone():
    rows = [("Drawn", "with AES-256 bits, 2,000 of 2.5"), ("Count", "2 people")]
    assert card_table(rows, "2", "blue") == (
        "<table><tr><th scope='row'>Drawn</th><td>with AES-256 bits, 2,000 of 2.5</td></tr>"
        "<tr><th scope='row'>Count</th><td><b style='color:blue'>2</b> people</td></tr></table>"
    )
    assert "<b style='color:red'>−3.5</b> and" in card_table([("a", "−3.5 and")], "−3.5", "red")
    assert "<b" not in card_table(rows)


def test_the_front_end_has_plotly_in_the_script_that_is_named():
    # a picture takes window.Plotly, which plotly.js sets when its script is read
    assert "window.Plotly=" in (root() / library()).read_text(encoding="utf-8")


def test_what_is_no_number_is_sent_as_nothing():
    assert json.loads(written({"data": [{"y": [1.0, float("nan"), float("inf")]}]})) == {
        "data": [{"y": [1.0, None, None]}]
    }
