from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.studies.answer import answer_picture
from dpviz.figures.studies.answered import LEAST, Answer, Line
from tests.figures.inks import DARK, LIGHT

BUDGETS = np.logspace(-2, 1, 31)
LOOKS = [Look(LIGHT), Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone")]


def line(key="ApproximateQuantiles", name="recursive halving", scale=0.0035, needed=0.353):
    high = np.where(scale / BUDGETS > 2e-3, scale / BUDGETS, 0.0)
    said = f"ε = {needed}" if needed else "not reached"
    return Line(key, name, BUDGETS, high / 4, high / 2, high, needed, said)


@pytest.fixture
def answer():
    return Answer((line(),), 0.01, "Largest error", "your target: 1 % of the students")


def words(picture):
    return [note["text"] for note in picture["layout"]["annotations"]]


def trace(picture, name):
    (found,) = [one for one in picture["data"] if one["name"] == name]
    return found


@pytest.mark.parametrize("look", LOOKS)
def test_the_answer_stands_where_the_line_crosses_the_target(answer, look):
    picture = answer_picture(answer, look)
    go.Figure(picture)  # refuses what plotly does not know
    mark = trace(picture, "recursive halving, answer")
    assert (mark["x"].tolist(), mark["y"].tolist()) == ([0.353], [0.01])
    assert mark["marker"]["color"] == look.ink.private
    high = trace(picture, "recursive halving")
    np.testing.assert_allclose(high["y"], np.maximum(answer.lines[0].high, LEAST))
    assert "<b>ε = 0.353</b>" in words(picture)
    assert "<b>your target: 1 % of the students</b>" in words(picture)
    area, down = picture["layout"]["shapes"][1:]
    assert (area["x0"], area["x1"], area["y1"]) == (0.353, 10.0, 0.01)
    assert (down["x0"], down["x1"]) == (0.353, 0.353)
    sizes = [note["font"]["size"] for note in picture["layout"]["annotations"]]
    assert min(sizes) >= (20 if look.presenting else 14.5)


def test_the_band_is_that_of_the_releases(answer):
    picture = answer_picture(answer, Look(LIGHT))
    best, band = trace(picture, "best"), trace(picture, "band")
    np.testing.assert_allclose(best["y"], np.maximum(answer.lines[0].low, LEAST))
    assert band["fill"] == "tonexty"
    np.testing.assert_allclose(band["y"], np.maximum(answer.lines[0].high, LEAST))


def test_without_an_answer_nothing_is_marked(answer):
    picture = answer_picture(replace(answer, lines=(line(needed=None),)), Look(LIGHT))
    assert not [one for one in picture["data"] if one["name"].endswith("answer")]
    assert len(picture["layout"]["shapes"]) == 1  # the target alone
    assert not [text for text in words(picture) if "enough" in text]


def test_compared_methods_have_their_own_hues_and_a_list_of_answers(answer):
    other = line("AggTree", "noisy <tree>", 0.005, None)
    picture = answer_picture(
        replace(answer, lines=(*answer.lines, other), compared=True), Look(LIGHT)
    )
    go.Figure(picture)
    own, second = trace(picture, "recursive halving"), trace(picture, "noisy <tree>")
    assert own["line"]["color"] == LIGHT.of("ApproximateQuantiles")
    assert second["line"]["color"] == LIGHT.of("AggTree")
    assert second["line"]["dash"] == LIGHT.mark("AggTree").dash
    assert own["line"]["width"] > second["line"]["width"]
    (listed,) = [text for text in words(picture) if "recursive halving" in text]
    assert listed.index("recursive halving") < listed.index("noisy &lt;tree&gt;")
    assert "ε = 0.353" in listed
    assert "not reached" in listed
    assert "band" not in [one["name"] for one in picture["data"]]


@pytest.mark.parametrize(("needed", "side"), [(0.02, "right"), (3.0, "left")])
def test_words_about_the_target_stand_clear_of_the_answer(answer, needed, side):
    picture = answer_picture(replace(answer, lines=(line(needed=needed),)), Look(LIGHT))
    (note,) = [one for one in picture["layout"]["annotations"] if "your target" in one["text"]]
    assert note["xanchor"] == side


def test_a_run_in_the_making_is_drawn_as_far_as_it_is(answer):
    few = Line("AggTree", "noisy tree", *(np.array([5.0, 10.0]) for _ in range(4)), None, "…")
    none = Line("AggTree", "noisy tree", *(np.empty(0) for _ in range(4)), None, "…")
    for one in (few, none):
        go.Figure(answer_picture(replace(answer, lines=(one,)), Look(LIGHT)))


def test_a_small_target_is_on_the_picture(answer):
    picture = answer_picture(replace(answer, target=2e-4), Look(LIGHT))
    low, high = picture["layout"]["yaxis"]["range"]
    assert low < np.log10(2e-4) < high
    ticks = answer_picture(answer, Look(LIGHT))["layout"]["yaxis"]
    assert ticks["ticktext"][:2] == ["50 %", "20 %"]
    assert answer_picture(answer, Look(LIGHT))["layout"]["xaxis"]["ticktext"][0] == "ε = 0.01"
