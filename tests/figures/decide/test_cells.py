"""The picture of a map in Decide, by its data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.decide.exact.cells import CellsBuys
from dpviz.core.bounds import Bounds, Box
from dpviz.figures.decide.cells import cells_picture
from tests.figures.decide.test_count import LOOKS, NAMES, notes, traces

DOTS = "data:image/png;base64,AA=="
FOUND = CellsBuys(
    box=Box(Bounds(0, 2), Bounds(0, 2)),
    side=2,
    block=1,
    boxes=np.array([[0.0, 1, 0, 1], [0, 1, 1, 2], [1, 2, 0, 1], [1, 2, 1, 2]]),
    counts=np.array([10.0, 2, 30, 40]),
    is_certain=np.array([True, False, True, True]),
    frame=np.array([1.0, 2, 0, 1]),
    width=1.0,
    height=1.0,
    count=1204.0,
    give=61.0,
    half=72.0,
    asked=83.0,
    sure=0.95,
    truth=1180.0,
    off=24.0,
    is_made_up=False,
    is_published=False,
)


def frames(picture):
    kept = [one for one in picture["layout"]["shapes"] if one.get("layer") == "above"]
    assert all((one["x0"], one["x1"], one["y0"], one["y1"]) == (1, 2, 0, 1) for one in kept)
    return [one["line"]["dash"] for one in kept]


@pytest.mark.law
@pytest.mark.parametrize("look", LOOKS)
def test_the_truth_beside_cells_with_one_frame(look):
    picture = cells_picture(FOUND, NAMES, look, dots=DOTS)
    go.Figure(picture)
    (cells,) = traces(picture, "cells")
    assert cells["z"].tolist() == [[10, 30], [-1, 40]]  # what is not sure is flat
    assert cells["customdata"].tolist() == [[10, 30], [2, 40]]
    assert cells["xaxis"] == "x2"
    assert picture["layout"]["images"][0]["source"] == DOTS
    assert frames(picture) == ["solid", "dash"]
    assert all(part in notes(picture) for part in ("1,204</b> ± 61", "1,180</b> true"))


def test_alone_without_the_truth_and_solid_when_published():
    hidden = replace(FOUND, truth=None, off=None, is_published=True)
    picture = cells_picture(hidden, NAMES, LOOKS[0], dots=DOTS)
    assert picture["layout"]["images"] == []
    assert frames(picture) == ["solid"]
    assert "Published: 2 × 2 counts" in notes(picture)
    made = cells_picture(replace(hidden, is_made_up=True, is_published=False), NAMES, LOOKS[0])
    assert "1,204" not in notes(made)
    assert "± 72" in notes(made)
    assert frames(made) == ["dash"]
