from __future__ import annotations

import csv
import io
import time
from dataclasses import replace

import numpy as np
import pytest

from dpviz.experiments.papers import aq_study, psd_figures
from dpviz.figures.kit.layout import NOTICE
from dpviz.ui.kit.job_panel import csv_of
from dpviz.ui.papers.figures import FIGURES, PSD
from tests.pages.driver import LABELS, alts, figures, opened, pick, sidebar_number, text

PAGE = "pages/what_if.py"
SMALL = replace(
    psd_figures.QUICK,
    runs=1,
    queries=20,
    records=1500,
    cells=(32, 32),
    medians=2**8,
    quadtree_height=4,
    kd_height=3,
    matching_height=2,
    heights=(2, 3),
)


@pytest.fixture
def small(monkeypatch):
    """Quick presets of a second; the package's own tests run those of the app."""
    monkeypatch.setitem(psd_figures.PRESETS, "quick", SMALL)
    monkeypatch.setitem(aq_study.PRESETS, "quick", aq_study.Settings((1, 9, 40), 1))


@pytest.fixture
def app():
    return opened("what_if")


def choose(app, key, value):
    return pick(app, **{key: value})


def view(app, name):
    """One of the four views."""
    return choose(app, "w_view", name)


def finished(app, place):
    next(button for button in app.button if button.key == f"w_run_{place}").click().run()
    job = app.session_state["_jobs"][place]
    job.wait(60)
    app.run()
    return job


def test_every_view_opens_with_an_estimate(app):
    assert not app.exception
    for name, place in (
        ("Smallest ε", "smallest"),
        ("Which wins", "winners"),
        ("Paper figures", "figures_4_to_7"),
        ("Sweep", "sweep"),
    ):
        view(app, name)
        assert not app.exception
        assert any(button.key == f"w_run_{place}" for button in app.button)
        assert "About " in text(app)


def test_a_sweep_runs_and_its_results_stay_when_the_page_is_left(app):
    choose(app, "w_mechanisms", ["ApproximateQuantiles"])
    job = finished(app, "sweep")
    assert job.complete
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    rows = len(job.rows())
    app.switch_page("pages/methods.py").run()
    app.switch_page(PAGE).run()
    assert len(app.session_state["_jobs"]["sweep"].rows()) == rows
    assert len(app.get("plotly_chart")) == 1


def test_a_sweep_of_all_mechanisms_draws_each_and_gives_a_row_for_each_place(app):
    job = finished(app, "sweep")
    assert list(figures(app)[0]) == list(LABELS.values())
    rows = list(csv.DictReader(io.StringIO(csv_of(job.rows()))))
    assert len(rows) == 10 * len(LABELS) * 2
    assert {row["metric"] for row in rows} == {"mean gap", "largest gap"}
    assert all(float(row["mean"]) >= 0 for row in rows)


def test_results_of_other_settings_say_so_and_those_of_other_data_go(app):
    choose(app, "w_mechanisms", ["ApproximateQuantiles"])
    finished(app, "sweep")
    choose(app, "w_set", "quartiles")
    assert "other settings" in text(app)
    assert len(app.get("plotly_chart")) == 1
    choose(app, "data", "uniform")
    assert len(app.get("plotly_chart")) == 0
    assert "other settings" not in text(app)


@pytest.mark.parametrize("name", ["Sweep", "Smallest ε", "Which wins"])
def test_with_the_truth_off_no_error_is_on_screen(app, name):
    choose(app, "w_mechanisms", ["ApproximateQuantiles", "AggTree"])
    view(app, name)
    place = {"Sweep": "sweep", "Smallest ε": "smallest", "Which wins": "winners"}[name]
    finished(app, place)
    assert len(app.get("plotly_chart")) >= 1
    choose(app, "truth", False)
    assert len(app.get("plotly_chart")) == 0
    assert not app.get("download_button")
    assert not app.dataframe
    assert "confidential" in text(app)


@pytest.mark.parametrize("figure", ["aq1", "aq2", "aq3"])
def test_explaining_figures_need_no_run(app, figure):
    view(app, "Paper figures")
    choose(app, "w_figure", figure)
    assert not app.exception
    assert len(app.get("plotly_chart")) == (6 if figure == "aq3" else 1)
    assert f"Fig. {figure[-1]}" in text(app)


def test_one_study_of_aq_draws_its_four_figures(app, small):
    view(app, "Paper figures")
    assert finished(app, "figures_4_to_7").complete
    lines = {}
    for figure in ("aq4", "aq5", "aq6", "aq7"):
        choose(app, "w_figure", figure)
        legend, *panels = figures(app)
        assert len(panels) == 6
        assert set(legend) == set(LABELS.values())
        assert all(set(panel) == set(legend) for panel in panels)
        assert "Not as printed" in text(app)
        lines[figure] = [panel["AQ"] for panel in panels]
    for whole, zoomed in (("aq4", "aq5"), ("aq6", "aq7")):
        for (counts, errors), (few, same) in zip(lines[whole], lines[zoomed], strict=True):
            assert (list(counts), list(few)) == ([1, 9, 40], [1, 9])
            np.testing.assert_array_equal(same, errors[:2])
    for (_, pure), (_, concentrated) in zip(lines["aq4"], lines["aq6"], strict=True):
        assert not np.array_equal(pure, concentrated, equal_nan=True)
    choose(app, "w_figure", "aq8")
    assert finished(app, "figure_8").complete
    assert [set(one) for one in figures(app)] == [set(LABELS.values())]


def test_every_figure_about_points_is_drawn_from_its_own_run(app, small):
    view(app, "Paper figures")
    choose(app, "w_paper", "Cormode et al.")
    for figure in (row.key for row in FIGURES if row.paper is PSD and row.study):
        choose(app, "w_spatial", figure)
        assert not app.get("plotly_chart")
        assert finished(app, figure).complete
        assert not app.exception
        assert not app.error
        assert len(figures(app)) == (2 if figure == "psd4" else 1)
        assert all(len(one) >= 2 for one in figures(app))
        assert "As printed" in text(app)


def test_the_map_gives_advice_and_the_search_says_how_it_went(app):
    choose(app, "data", "normal")
    choose(app, "w_set", "quartiles")
    view(app, "Which wins")
    assert finished(app, "winners").complete
    assert "uniform quantiles of" in text(app)
    assert len(figures(app)) == len(alts(app)) > 1
    assert all(set(one) <= set(LABELS.values()) for one in figures(app))
    view(app, "Smallest ε")
    assert finished(app, "smallest").complete
    assert "Bisection between" in text(app)


def test_the_other_papers_have_their_figures_and_errors_hide_with_the_truth(app):
    view(app, "Paper figures")
    choose(app, "w_paper", "Cormode et al.")
    assert len(app.get("plotly_chart")) == 1  # Fig. 2 needs no data
    choose(app, "w_spatial", "psd7b")
    job = finished(app, "psd7b")
    assert job.complete
    assert not app.exception
    assert "record matching" in alts(app)[0]
    assert "1,630,000 points of the made-up roads" in text(app)
    choose(app, "truth", False)
    assert len(app.get("plotly_chart")) == 1  # nobody's points
    for paper, key, titles in (
        ("Honaker", "w_honaker", [f"honaker{number}" for number in range(1, 5)]),
        ("Manohar", "w_manohar", ["manohar1", "manohar2"]),
    ):
        choose(app, "w_paper", paper)
        for figure in titles:
            choose(app, key, figure)
            assert not app.exception
            assert len(app.get("plotly_chart")) == 1
            assert not any(NOTICE in chart.proto.spec for chart in app.get("plotly_chart"))
            assert "Differs from the print" in text(app)
    choose(app, "truth", True)
    assert len(app.get("plotly_chart")) == 2
    assert all(NOTICE in chart.proto.spec for chart in app.get("plotly_chart"))


def test_figures_about_the_data_in_use_need_points_and_hide_with_the_truth(app):
    view(app, "Paper figures")
    choose(app, "w_paper", "Cormode et al.")
    choose(app, "w_spatial", "psd7b")
    choose(app, "w_spatial_points", "in-use")
    assert "The data in use is a line" in text(app)
    choose(app, "data", "towns")
    job = finished(app, "psd7b")
    assert job.complete
    assert "Towns along roads" in text(app)
    assert any(NOTICE in chart.proto.spec for chart in app.get("plotly_chart"))
    choose(app, "truth", False)
    assert not app.get("plotly_chart")
    assert not app.get("download_button")
    choose(app, "w_spatial_points", "roads")
    assert not app.get("plotly_chart")  # those were results about other points


def test_a_question_puts_its_settings_into_the_widgets(app):
    choose(app, "w_preset", "How deep a tree?")
    assert not app.exception
    assert app.session_state["w_axis"] == "height"
    assert app.session_state["w_fanout"] == 2


def test_bad_choices_are_said_not_raised(app):
    choose(app, "w_mechanisms", [])
    assert not app.exception
    assert "at least one" in text(app)
    choose(app, "w_mechanisms", ["ApproximateQuantiles"])
    view(app, "Which wins")
    assert "two mechanisms" in text(app)
    view(app, "Sweep")
    sidebar_number(app, "Lower bound").set_value(500.0)
    app.run()
    assert not app.exception
    assert app.error


def test_two_runs_do_not_go_at_once(app):
    choose(app, "w_mechanisms", ["JointExp", "AggTree"])
    view(app, "Smallest ε")
    next(button for button in app.button if button.key == "w_run_smallest").click().run()
    job = app.session_state["_jobs"]["smallest"]
    assert job.running
    view(app, "Sweep")
    assert "Another run is under way" in text(app)
    begin = time.monotonic()
    job.stop()
    job.wait(10)
    assert time.monotonic() - begin < 10
    view(app, "Smallest ε")
    assert any(button.key == "w_resume_smallest" for button in app.button)


def test_real_sets_are_taken_from_files_and_bad_ones_are_refused_in_words(app):
    view(app, "Paper figures")
    choose(app, "w_figure", "aq3")
    files = app.file_uploader(key="w_files_0")
    files.upload("goodreads_pages.csv", b"pages\n123456789\n", "text/csv")
    app.run()
    assert not app.exception
    assert "Goodreads pages" in app.error[0].value
    assert not app.session_state["_study"]
    app = view(opened("what_if"), "Paper figures")
    app.file_uploader(key="w_files_0").upload("adult_age.csv", b"age\n39\n50\n", "text/csv")
    app.run()
    assert not app.exception
    assert "Adult age: real, 2 values" in text(app)
    choose(app, "truth", False)  # then they count as confidential
    assert not app.get("plotly_chart")
    assert "2 values" not in text(app)
    (button,) = [one for one in app.button if one.label == "Forget these files"]
    button.click()
    app.run()
    choose(app, "truth", True)
    assert "Adult age: real, 2 values" not in text(app)
    assert not app.session_state["_study"]
