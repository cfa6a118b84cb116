"""The picture of a histogram in Decide, by its data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.decide.exact.histogram import HistogramBuys
from dpviz.figures.decide.histogram import FULL, PALE, histogram_picture
from dpviz.figures.kit.palette import LIGHT, translucent
from tests.figures.decide.test_count import LOOKS, NAMES, notes, traces
from tests.figures.decide.test_curve import across

FOUND = HistogramBuys(
    edges=np.array([0.0, 25, 50, 100]),
    counts=np.array([100.0, -20, 350]),
    half=61.0,
    asked=72.0,
    sure=0.95,
    truth=np.array([120.0, 10, 380]),
    errors=np.array([-20.0, -30, -30]),
    off=30.0,
    worst=1,
    is_made_up=False,
    is_published=False,
)


@pytest.mark.parametrize("look", LOOKS)
def test_bars_widths_ticks_and_errors(look):
    picture = histogram_picture(FOUND, NAMES, look)
    go.Figure(picture)
    (bars,), (truth,), (errors,) = (traces(picture, one) for one in ("bars", "truth", "errors"))
    assert bars["x"].tolist() == [12.5, 37.5, 75]
    assert bars["y"].tolist() == FOUND.counts.tolist()
    assert truth["y"].reshape(3, 3)[:, 0].tolist() == FOUND.truth.tolist()
    assert errors["y"].tolist() == FOUND.errors.tolist()
    wide = traces(picture, "widths")[0]["y"].reshape(3, -1)
    assert np.nanmin(wide, axis=1).tolist() == (FOUND.counts - 61).tolist()
    assert np.nanmax(wide, axis=1).tolist() == (FOUND.counts + 61).tolist()
    assert across(picture) == [(-61, 61), (0, 0), (-72, -72), (72, 72)]
    assert "your need: off by 72 students" in notes(picture)
    said = notes(picture).partition(" Off by")[0]
    where = {"How many students are in each part", "How many students are in each of 3 parts"}
    assert said in where
    assert look is not LOOKS[0] or said.endswith("of 3 parts")
    assert picture["layout"]["yaxis"]["range"][0] < -20


def test_bars_are_hollow_until_they_are_published():
    hidden = replace(FOUND, truth=None, errors=None, off=None, worst=None)
    colours = [
        traces(histogram_picture(one, NAMES, LOOKS[0]), "bars")[0]["marker"]["color"]
        for one in (hidden, replace(hidden, is_published=True))
    ]
    assert colours == [translucent(LIGHT.private, PALE), translucent(LIGHT.private, FULL)]
    made = histogram_picture(replace(hidden, is_made_up=True), NAMES, LOOKS[0])
    assert "made up" in notes(made)
    assert traces(made, "truth") == traces(made, "errors") == []
