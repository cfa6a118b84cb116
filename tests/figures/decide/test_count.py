"""The picture of a count in Decide, by its data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.decide.exact.count import CountBuys
from dpviz.answers.decide.exact.frame import Names
from dpviz.figures.decide.count import count_picture
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from tests.figures.parts import traces

NAMES = Names("student", "students", "<b>marks", "marks")
LOOKS = [Look(LIGHT), Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone")]
FOUND = CountBuys(
    count=1204.0,
    half=61.0,
    asked=72.0,
    sure=0.95,
    errors=np.arange(-90.0, 91, 30),
    chances=np.array([0.01, 0.1, 0.2, 0.38, 0.2, 0.1, 0.01]),
    width=30,
    truth=1180.0,
    off=24.0,
    people=6000,
    above=50.0,
    below=None,
    is_published=False,
)


def notes(picture):
    return " ".join(one["text"] for one in picture["layout"]["annotations"])


@pytest.mark.parametrize("look", LOOKS)
def test_the_law_lies_around_the_truth_and_the_count_is_hollow(look):
    picture = count_picture(FOUND, NAMES, look)
    go.Figure(picture)
    (law,), (dot,) = traces(picture, "law"), traces(picture, "count")
    assert law["x"].tolist() == (1180 + FOUND.errors).tolist()
    assert law["y"].tolist() == FOUND.chances.tolist()
    assert dot["x"] == [1204.0]
    assert dot["marker"]["color"] == look.ink.page
    ends = [one["x0"] for one in picture["layout"]["shapes"]]
    assert ends == [1180, 1180 - 72, 1180 + 72]
    said = notes(picture)
    assert all(part in said for part in ("1,204", "± 61", "1,180", "your need: off by 72 students"))
    given = count_picture(replace(FOUND, asked=1.0), replace(NAMES, line="your ε"), look)
    assert "– – your ε: off by 1 student" in notes(given)


def test_without_the_truth_the_law_lies_around_the_count_in_blue():
    hidden = replace(FOUND, truth=None, off=None, is_published=True)
    picture = count_picture(hidden, NAMES, LOOKS[0])
    assert traces(picture, "law")[0]["x"].tolist() == (1204 + FOUND.errors).tolist()
    assert traces(picture, "count")[0]["marker"]["color"] == LIGHT.private
    middle = picture["layout"]["shapes"][0]
    assert middle["line"]["color"] == LIGHT.private
    assert "1,180" not in notes(picture)


def test_without_a_draw_there_is_the_noise_alone():
    picture = count_picture(replace(FOUND, truth=None, off=None, count=None), NAMES, LOOKS[0])
    assert traces(picture, "count") == []
    assert picture["layout"]["xaxis"]["ticktext"] == ["−61", "0", "+61"]
