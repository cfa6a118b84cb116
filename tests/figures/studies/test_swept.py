from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.studies.search import SearchAnswer, SearchNumbers, Tried
from dpviz.answers.studies.sweep import Ends, SweepLine, SweepNumbers
from dpviz.answers.studies.wins import WonPlace
from dpviz.experiments.planning.sweeps import Axis
from dpviz.figures.kit.look import Look
from dpviz.figures.studies.swept import short, sweep_picture
from dpviz.figures.what_if.tried import search_picture
from dpviz.figures.what_if.won import Map, map_picture
from tests.figures.inks import DARK, LIGHT

NAMES = {"ApproximateQuantiles": "recursive halving", "AggTree": "noisy <tree>"}
LOOKS = [Look(LIGHT), Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone")]


TITLES = ("", "mean error, in people")
KEY = "ApproximateQuantiles"


@pytest.fixture
def swept():
    """One method at two places; the other one missed nobody at the first, and was not run."""
    line = SweepLine(
        KEY, *map(np.array, ([0.1, 1.0], [20.0, 2.0], [30.0, 0.5], [10, 10.0], [9, 9]))
    )
    ends = Ends(KEY, 0.1, 20.0, 1.0, 2.0)
    at, metric = np.array([0.1, 1.0]), "mean gap"
    return SweepNumbers((line,), at, ends, None, True, Axis.BUDGET, metric, False, "ε", 0.5)


@pytest.mark.few(1)
@pytest.mark.parametrize("look", LOOKS)
def test_lines_are_ordered_and_carry_two_standard_errors(swept, look):
    picture = sweep_picture(swept, TITLES, NAMES, look)
    go.Figure(picture)
    (line,) = picture["data"]
    assert line["x"].tolist() == [0.1, 1.0]
    assert line["y"].tolist() == [20.0, 2.0]
    assert line["error_y"]["array"].tolist() == [60.0, 1.0]
    assert line["customdata"].tolist() == [[10.0, 30.0], [10.0, 0.5]]
    assert (line["y"] - line["error_y"]["arrayminus"] > 0).all()
    assert line["line"]["color"] == look.ink.of(KEY)
    assert picture["layout"]["shapes"][0]["x0"] == 0.5
    assert picture["layout"]["xaxis"]["ticktext"][0] == "ε = 0.1"
    texts = [note["text"] for note in picture["layout"]["annotations"]]
    assert any("recursive halving" in text for text in texts)
    sizes = [note["font"]["size"] for note in picture["layout"]["annotations"]]
    assert min(sizes) >= (20 if look.presenting else 14.5)


def test_an_empty_sweep_is_an_empty_picture(swept):
    none = replace(swept, lines=(), places=np.empty(0), chosen=None)
    go.Figure(sweep_picture(none, TITLES, {}, Look(LIGHT)))


def test_ticks_are_short():
    assert [short(v) for v in (0.05, 6000, 20_000, 1e6)] == ["0.05", "6,000", "20k", "1M"]


@pytest.fixture
def searched():
    """One method with its answer; the other one finds none."""
    tried = (
        Tried(KEY, *map(np.array, ([0.1, 0.2], [50.0, 96.0], [40.0, 90.0], [60.0, 99.0]))),
        Tried("AggTree", *map(np.array, ([0.2], [20.0], [10.0], [30.0]))),
    )
    answers = (
        SearchAnswer(KEY, 0.19, 0.15, 0.22, 0.19, 0.97, 0.9, 100),
        SearchAnswer("AggTree", math.inf, 100.0, math.inf, math.inf, math.nan, math.nan, 0),
    )
    return SearchNumbers(answers, tried, 1.0, 0.95, "ε", 2.0)


@pytest.mark.parametrize("look", LOOKS)
def test_a_search_shows_what_was_tried_and_what_encloses_the_answer(searched, look):
    picture = search_picture(searched, NAMES, look)
    go.Figure(picture)
    tried = next(one for one in picture["data"] if one["name"] == "recursive halving")
    assert tried["y"].tolist() == [50, 96]
    np.testing.assert_allclose(tried["error_y"]["array"], [10, 3])
    np.testing.assert_allclose(tried["error_y"]["arrayminus"], [10, 6])
    (answer,) = [one for one in picture["data"] if one["name"].endswith("answer")]
    assert answer["x"].tolist() == [0.15, 0.19, 0.22]
    assert answer["y"].tolist() == [95] * 3
    assert picture["layout"]["shapes"][0]["y0"] == 95
    low, high = picture["layout"]["xaxis"]["range"]
    assert (10**low, 10**high) == pytest.approx((0.05, 0.4))
    assert any("ε = 0.19" in note["text"] for note in picture["layout"]["annotations"])


@pytest.fixture
def places():
    return [
        WonPlace(0.1, 200.0, 3, KEY, 3.0, "AggTree", 1.5, True),
        WonPlace(1.0, 200.0, 3, "AggTree", 2.0, KEY, 1.02, False),
        WonPlace(0.1, 1000.0, 9, "AggTree", 9.0, "", math.nan, True),
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_cells_name_their_winner_and_how_sure_it_is(places, look):
    drawn = Map([0.1, 1.0, 5.0], [200.0, 1000.0], [3, 9], "ε", NAMES, (1.0, 1000.0, 9))
    picture = map_picture(places, drawn, look)
    go.Figure(picture)
    clear, unclear, other = picture["data"]
    assert clear["z"][0, 0] == 1.0
    assert np.isnan(clear["z"]).sum() == 5
    assert unclear["z"][0, 1] == 0.0
    assert unclear["text"][0, 1].endswith("?")
    assert "&lt;tree&gt;" in unclear["text"][0, 1]
    assert other["xaxis"] == "x2"
    assert clear["customdata"][0, 0].tolist() == [
        "3 people",
        "next: noisy &lt;tree&gt;, 1.5 times as far",
    ]
    assert other["customdata"][1, 0].tolist() == ["9 people", ""]
    (frame,) = picture["layout"]["shapes"]
    assert (frame["x0"], frame["y0"], frame["xref"]) == (0.5, 0.5, "x2")
    assert clear["textfont"]["size"] >= (18 if look.presenting else 13.5)


def test_a_map_in_the_making_keeps_its_shape():
    drawn = Map([0.1, 1.0], [200.0], [3, 9, 35], "ρ", NAMES)
    picture = map_picture([], drawn, Look(LIGHT))
    assert picture["data"] == []
    assert picture["layout"]["xaxis3"]["ticktext"] == ["ρ = 0.1", "1"]
    assert "shapes" in picture["layout"]
