"""Bars, intervals, original ticks and errors stand where the numbers say, on every screen."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.quantiles.bins import EQUAL, BinChoice, answer
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.figures.kit.look import Look
from dpviz.figures.quantiles.bins import FEW, bins_picture
from dpviz.figures.quantiles.scale import Scale
from dpviz.mechanisms.counting.by_group import release_by_group

BOUNDS = Bounds(0, 16)
COLUMN = Column.from_values(np.random.default_rng(1).uniform(0, 16, 400), BOUNDS)
SCALE = Scale(BOUNDS, 0.0, "mark", (0.0, 16.0), Writing.of(BOUNDS, 0.0))


def found(groups=("",), bins=4, *, truth=True, edges=()):
    choice = BinChoice(EQUAL, bins, edges, PureDP(0.5), Neighbours.ADD_REMOVE)
    data = dict.fromkeys(groups, COLUMN)
    made = release_by_group(choice.mechanism, data, choice.budget, np.random.default_rng(2))
    return answer(choice, made.releases, data if truth else None)


def drawn(numbers, look=None, by=""):
    one = bins_picture(numbers, SCALE, "students", look or Look(), by)
    return {(mark["name"], mark["xaxis"]): mark for mark in one["data"]}, one["layout"]


def test_every_mark_stands_at_its_number():
    numbers = found()
    (one,) = numbers.groups
    marks, arranged = drawn(numbers)
    bars, half = marks["private", "x"], numbers.law.half
    assert bars["y"].tolist() == one.counts.tolist()
    assert bars["x"].tolist() == [2, 6, 10, 14]
    assert bars["customdata"].tolist() == [[0, 4], [4, 8], [8, 12], [12, 16]]
    y = marks["intervals", "x"]["y"]
    assert y[0::3].tolist() == (one.counts - half).tolist()
    assert y[1::3].tolist() == (one.counts + half).tolist()
    ticks = marks["original", "x"]
    assert ticks["y"][0::3].tolist() == ticks["y"][1::3].tolist() == one.truth.tolist()
    assert ticks["x"][0::3].tolist() == [0, 4, 8, 12]
    assert ticks["x"][1::3].tolist() == [4, 8, 12, 16]
    assert marks["errors", "x2"]["y"].tolist() == one.errors.tolist()
    (band,) = arranged["shapes"]
    assert (band["y0"], band["y1"], band["yref"]) == (-half, half, "y2")
    assert arranged["yaxis2"]["ticktext"] == [f"−{half:,.0f}", "0", f"+{half:,.0f}"]
    low, top = arranged["yaxis"]["range"]
    assert low < min(0, y[0::3].min())
    assert top > max(y[1::3].max(), one.truth.max())


def test_bars_of_own_edges_are_as_wide_as_their_bins():
    marks, _ = drawn(found(edges=(0.0, 1.0, 4.0, 16.0), bins=3))
    np.testing.assert_allclose(marks["private", "x"]["width"], [0.88, 2.88, 11.88])


def test_many_bars_have_a_band_in_place_of_whiskers():
    numbers = found(bins=FEW + 1)
    marks, _ = drawn(numbers)
    band = marks["intervals", "x"]
    assert band["fill"] == "toself"
    counts = numbers.groups[0].counts
    np.testing.assert_allclose(band["y"][: 2 * counts.size : 2], counts - numbers.law.half)
    np.testing.assert_allclose(band["y"][::-1][: 2 * counts.size : 2], counts + numbers.law.half)


@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_without_the_truth_there_are_bars_alone(screen):
    marks, arranged = drawn(found(truth=False), replace(Look(), screen=screen))
    assert {name for name, _ in marks} == {"private", "intervals"}
    assert "original" not in str(arranged)
    assert arranged["shapes"] == []


def test_a_group_has_a_panel_on_the_same_axis_of_counts():
    marks, arranged = drawn(found(("<b>", "b")), by="town")
    assert {axis for name, axis in marks if name == "private"} == {"x", "x2"}
    assert arranged["yaxis"]["range"] == arranged["yaxis2"]["range"]
    names = [one["text"] for one in arranged["annotations"]][1:]
    assert names == ["<b>town &lt;b&gt;</b>", "<b>town b</b>"]
    first, second = (arranged[name]["domain"] for name in ("xaxis", "xaxis2"))
    assert first[1] < second[0]
    _, phone = drawn(found(("a", "b")), replace(Look(), screen="phone"))
    assert phone["yaxis2"]["domain"][1] < phone["yaxis"]["domain"][0]
    assert not [name for name, _ in marks if name == "errors"]
