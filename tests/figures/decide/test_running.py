"""The picture of running counts in Decide, by its data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.decide.exact.running import RunningBuys
from dpviz.figures.decide.curve import running_picture
from tests.figures.decide.test_count import LOOKS, NAMES, notes, traces
from tests.figures.decide.test_curve import across

FOUND = RunningBuys(
    edges=np.array([0.0, 1, 2, 3]),
    counts=np.array([0.0, 100, 300, 494]),
    last=494.0,
    half=61.0,
    asked=72.0,
    sure=0.95,
    truth=np.array([0.0, 120, 290, 500]),
    errors=np.array([0.0, -20, 10, -6]),
    off=20.0,
    is_made_up=False,
    is_published=False,
)


@pytest.mark.parametrize("look", LOOKS)
def test_counts_their_errors_and_the_last_one(look):
    picture = running_picture(FOUND, NAMES, look)
    go.Figure(picture)
    assert traces(picture, "counts")[0]["y"].tolist() == FOUND.counts.tolist()
    assert traces(picture, "truth")[0]["y"].tolist() == FOUND.truth.tolist()
    assert traces(picture, "errors")[0]["y"].tolist() == FOUND.errors.tolist()
    assert across(picture) == [(-61, 61), (0, 0), (-72, -72), (72, 72)]
    assert "<b>494</b> at the end" in notes(picture)


def test_made_up_counts_have_no_last_one():
    made = replace(FOUND, truth=None, errors=None, off=None, is_made_up=True)
    picture = running_picture(made, NAMES, LOOKS[0])
    assert "494" not in notes(picture)
    assert "made up" in notes(picture)
