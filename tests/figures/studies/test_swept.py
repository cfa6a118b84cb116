from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.studies.swept import Sweep, short, spaced, sweep_picture
from dpviz.figures.studies.tried import Search, search_picture
from dpviz.figures.studies.won import Map, map_picture
from tests.figures.inks import DARK, LIGHT

NAMES = {"ApproximateQuantiles": "recursive halving", "AggTree": "noisy <tree>"}
LOOKS = [Look(LIGHT), Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone")]


@pytest.fixture
def swept():
    return pd.DataFrame(
        {
            "x": [1.0, 0.1, 0.1, 1.0],
            "mechanism": ["ApproximateQuantiles", "ApproximateQuantiles", "AggTree", "AggTree"],
            "mean": [2.0, 20.0, 0.0, np.nan],
            "standard_error": [0.5, 30.0, 0.0, np.nan],
            "runs": [10, 10, 10, 0],
        }
    )


@pytest.mark.parametrize("look", LOOKS)
def test_lines_are_ordered_and_carry_two_standard_errors(swept, look):
    picture = sweep_picture(swept, Sweep("ε", "mean error, in people", NAMES, 0.5), look)
    go.Figure(picture)
    (line,) = picture["data"]  # an error of nothing has no place on a log axis
    assert line["x"].tolist() == [0.1, 1.0]
    assert line["y"].tolist() == [20.0, 2.0]
    assert line["error_y"]["array"].tolist() == [60.0, 1.0]
    assert (line["y"] - line["error_y"]["arrayminus"] > 0).all()
    assert line["line"]["color"] == look.ink.of("ApproximateQuantiles")
    assert picture["layout"]["shapes"][0]["x0"] == 0.5
    texts = [note["text"] for note in picture["layout"]["annotations"]]
    assert any("recursive halving" in text for text in texts)
    sizes = [note["font"]["size"] for note in picture["layout"]["annotations"]]
    assert min(sizes) >= (20 if look.presenting else 14.5)


def test_an_empty_sweep_is_an_empty_picture(swept):
    go.Figure(sweep_picture(swept.iloc[:0], Sweep("ε", "y", NAMES), Look(LIGHT)))


def test_words_are_moved_apart_in_their_order(rng):
    places = rng.random(6)
    found = spaced(places, 0.1)
    assert (np.diff(np.sort(found)) >= 0.1 - 1e-12).all()
    np.testing.assert_array_equal(np.argsort(found), np.argsort(places))
    far = np.array([0.1, 0.9, 0.5])
    np.testing.assert_allclose(spaced(far, 0.1), far)


def test_ticks_are_short():
    assert [short(v) for v in (0.05, 500, 20_000, 1e6)] == ["0.05", "500", "20k", "1M"]


@pytest.fixture
def searched():
    keys = ["mechanism", "kind", "size", "low", "high", "rate", "rate_low", "rate_high", "runs"]
    nan = np.nan
    rows = [
        ("ApproximateQuantiles", "tried", 0.1, nan, nan, 0.5, 0.4, 0.6, 100),
        ("ApproximateQuantiles", "tried", 0.2, nan, nan, 0.96, 0.9, 0.99, 100),
        ("ApproximateQuantiles", "answer", 0.19, 0.15, 0.22, 0.97, 0.9, 0.99, 100),
        ("AggTree", "tried", 0.2, nan, nan, 0.2, 0.1, 0.3, 100),
        ("AggTree", "answer", np.inf, 100.0, np.inf, nan, nan, nan, 0),
    ]
    return pd.DataFrame(rows, columns=keys)


@pytest.mark.parametrize("look", LOOKS)
def test_a_search_shows_what_was_tried_and_what_encloses_the_answer(searched, look):
    picture = search_picture(searched, Search(0.95, "ε", NAMES), look)
    go.Figure(picture)
    tried = next(one for one in picture["data"] if one["name"] == "recursive halving")
    assert tried["y"].tolist() == [50, 96]
    np.testing.assert_allclose(tried["error_y"]["array"], [10, 3])
    (answer,) = [one for one in picture["data"] if one["name"].endswith("answer")]
    assert answer["x"].tolist() == [0.15, 0.19, 0.22]
    assert answer["y"].tolist() == [95] * 3
    assert picture["layout"]["shapes"][0]["y0"] == 95
    low, high = picture["layout"]["xaxis"]["range"]
    assert (10**low, 10**high) == pytest.approx((0.05, 0.4))


@pytest.fixture
def places():
    return pd.DataFrame(
        {
            "size": [0.1, 1.0, 0.1],
            "n": [200.0, 200.0, 1000.0],
            "m": [3.0, 3.0, 9.0],
            "winner": ["ApproximateQuantiles", "AggTree", "AggTree"],
            "mean": [3.0, 2.0, 9.0],
            "second": ["AggTree", "ApproximateQuantiles", ""],
            "ratio": [1.5, 1.02, np.nan],
            "clear": [True, False, True],
        }
    )


@pytest.mark.parametrize("look", LOOKS)
def test_cells_name_their_winner_and_how_sure_it_is(places, look):
    drawn = Map([0.1, 1.0, 5.0], [200.0, 1000.0], [3, 9], "ε", NAMES, (0.8, 900.0, 9))
    picture = map_picture(places, drawn, look)
    go.Figure(picture)
    clear, unclear, other = picture["data"]
    assert clear["z"][0, 0] == 1.0
    assert np.isnan(clear["z"]).sum() == 5
    assert unclear["z"][0, 1] == 0.0
    assert unclear["text"][0, 1].endswith("?")
    assert "&lt;tree&gt;" in unclear["text"][0, 1]
    assert other["xaxis"] == "x2"
    assert clear["customdata"][0, 0].tolist() == ["3", "noisy &lt;tree&gt;", "1.5 ×"]
    (frame,) = picture["layout"]["shapes"]
    assert (frame["x0"], frame["y0"], frame["xref"]) == (0.5, 0.5, "x2")
    assert clear["textfont"]["size"] >= (18 if look.presenting else 13.5)


def test_a_map_in_the_making_keeps_its_shape(places):
    drawn = Map([0.1, 1.0], [200.0], [3, 9, 35], "ρ", NAMES)
    picture = map_picture(places.iloc[:0], drawn, Look(LIGHT))
    assert picture["data"] == []
    assert picture["layout"]["xaxis3"]["ticktext"] == ["ρ = 0.1", "1"]
    assert "shapes" in picture["layout"]
