"""The picture of a curve in Decide, by its data: two panels that the other forms share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.decide.exact.curve import CurveBuys
from dpviz.figures.decide.curve import curve_picture
from dpviz.figures.kit.palette import LIGHT
from tests.figures.decide.test_count import LOOKS, NAMES, notes, traces

FOUND = CurveBuys(
    edges=np.array([0.0, 25, 50, 75, 100]),
    counts=np.array([0.0, 100, 300, 350, 500]),
    half=61.0,
    asked=72.0,
    sure=0.95,
    middle=250.0,
    median=43.75,
    median_low=25.0,
    median_high=75.0,
    truth=np.array([0.0, 120, 290, 380, 520]),
    errors=np.array([0.0, -20, 10, -30, -20]),
    off=30.0,
    is_made_up=False,
    is_published=False,
)


def across(picture):
    """Heights of the lines across the second panel."""
    return [(one["y0"], one["y1"]) for one in picture["layout"]["shapes"]]


@pytest.mark.parametrize("look", LOOKS)
def test_both_panels_show_their_numbers(look):
    picture = curve_picture(FOUND, NAMES, look)
    go.Figure(picture)
    (band,), (counts,) = traces(picture, "all together"), traces(picture, "counts")
    assert band["y"].tolist() == [*(FOUND.counts - 61), *(FOUND.counts + 61)[::-1]]
    assert counts["y"].tolist() == FOUND.counts.tolist()
    assert traces(picture, "truth")[0]["y"].tolist() == FOUND.truth.tolist()
    assert traces(picture, "errors")[0]["y"].tolist() == FOUND.errors.tolist()
    assert traces(picture, "marks")[0]["marker"]["color"] == look.ink.page
    assert across(picture) == [(-61, 61), (0, 0), (-72, -72), (72, 72)]
    texts = ("± 61", "your need: off by 72 students", "43.75")
    assert all(part in notes(picture) for part in texts)
    domain = picture["layout"]["xaxis2"]["domain"]
    assert (domain == [0, 1]) == look.phone


def test_a_published_curve_is_filled_and_a_made_up_one_is_grey():
    shown = replace(FOUND, truth=None, errors=None, off=None, is_published=True)
    picture = curve_picture(shown, NAMES, LOOKS[0])
    assert traces(picture, "marks")[0]["marker"]["color"] == LIGHT.private
    assert traces(picture, "truth") == traces(picture, "errors") == []
    assert LIGHT.truth not in [one["line"].get("color") for one in picture["layout"]["shapes"][:2]]
    made = curve_picture(replace(shown, is_published=False, is_made_up=True), NAMES, LOOKS[0])
    assert traces(made, "counts")[0]["line"]["color"] == LIGHT.grain
    assert "made up" in notes(made)


def test_texts_of_a_file_are_not_markup():
    picture = curve_picture(FOUND, NAMES, LOOKS[0])
    assert "<b>marks" not in picture["layout"]["xaxis"]["ticktext"][0]
