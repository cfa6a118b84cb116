"""The pictures of the map, by their data: cells, colours, key, rectangle, and where they stand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers
from dpviz.core.bounds import Bounds, Box
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.spatial.field import Field
from dpviz.figures.spatial.pictures import (
    Side,
    TruePoints,
    node_picture,
    pair_picture,
    private_picture,
    two_picture,
)
from dpviz.figures.spatial.ramp import TOP, ticks
from tests.figures.parts import said

BOX = Box(Bounds(0, 100), Bounds(0, 80))
RECTANGLE = np.array([58.0, 82.0, 16.0, 38.0])
ANSWER = RectangleNumbers(RECTANGLE, 4737.2, 132.3, 150.0, RectangleError(4797.0, -59.6, -0.2))
TRUTH = TruePoints("data:image/png;base64,iVBORw0KGgo=", "True: 30,000 people")
LOOKS = [
    Look(),
    Look(DARK),
    Look(presenting=True, screen="low"),
    Look(screen="low"),
    Look(screen="phone"),
]


def field(**more):
    return Field(BOX, midpoint_boxes(BOX, 3), np.arange(-16.0, 48.0), **more)


def side(answer=ANSWER, **more):
    return Side("Private: 8 × 8 noisy cells", field(**more), answer)


def cells(picture):
    return [trace for trace in picture["data"] if trace["name"] == "cells"]


def sizes(picture):
    """How large every word is: of annotations, and of what is pointed at."""
    return [note["font"]["size"] for note in picture["layout"]["annotations"]]


@pytest.mark.few(2)
@pytest.mark.parametrize("look", LOOKS)
def test_every_picture_is_one_that_plotly_takes(look):
    marks = (1, np.arange(4), midpoint_boxes(BOX, 1))
    for made in (
        pair_picture(TRUTH, side(), look),
        private_picture(side(sure=np.arange(64) > 30), look),
        two_picture(side(), side(answer=None), look),
        node_picture(side(answer=None), midpoint_boxes(BOX, 1)[2], marks, look),
    ):
        go.Figure(made)
        assert min(sizes(made)) >= (18 if look.presenting else 13.5)


def test_both_maps_show_the_rectangle_with_its_answer():
    made = pair_picture(TRUTH, side(), Look())
    assert "<b>4,797</b> true" in said(made)
    assert "<b>4,737</b> ± 132" in said(made)
    frames = [one for one in made["layout"]["shapes"] if one.get("x0") == 58.0]
    assert {(one["xref"], one["line"]["color"]) for one in frames} == {
        ("x", LIGHT.truth),
        ("x2", LIGHT.private),
    }


def test_a_release_gives_its_margin_and_nothing_true():
    made = private_picture(
        replace(side(RectangleNumbers(RECTANGLE, 4737.2, 132.3, 150.0)), margin=True), Look()
    )
    assert "<b>4,737</b> ± 259" in said(made)
    assert not any("true" in text.lower() for text in said(made))
    assert made["layout"]["images"] == []


def test_the_whole_map_has_no_rectangle():
    made = pair_picture(TRUTH, side(replace(ANSWER, rectangle=None)), Look())
    assert not any("4,737" in text for text in said(made))


def test_maps_are_to_scale_and_zoom_together():
    made = pair_picture(TRUTH, side(), Look(), aspect=1.6)["layout"]
    assert made["yaxis"]["scaleanchor"] == "x"
    assert made["yaxis"]["scaleratio"] == 1.6
    assert made["xaxis2"]["matches"] == "x"
    assert made["yaxis2"]["matches"] == "y"
    assert {made[one]["constrain"] for one in ("xaxis", "yaxis", "xaxis2", "yaxis2")} == {"domain"}
    assert made["xaxis"]["constraintoward"] == "right"  # so that both meet in the middle
    assert made["xaxis2"]["constraintoward"] == "left"
    assert made["xaxis"]["range"] == [0, 100]
    assert "height" not in made
    assert "width" not in made


def test_on_a_phone_the_private_map_stands_above_without_a_key():
    made = pair_picture(TRUTH, side(), Look(screen="phone"))
    assert made["layout"]["yaxis2"]["domain"][0] > made["layout"]["yaxis"]["domain"][1]
    assert "below 0" not in said(made)
    assert "below 0" in said(pair_picture(TRUTH, side(), Look()))


@pytest.mark.parametrize(("shape", "screen"), [(0.6, "wide"), (0.9, "low")])
def test_a_narrow_map_has_no_room_for_a_key(shape, screen):
    box = Box(Bounds(0, 80 * shape), Bounds(0, 80))
    cells = Field(box, midpoint_boxes(box, 3), np.arange(-16.0, 48.0))
    one = Side("Private: 8 × 8 noisy cells", cells)
    assert "below 0" not in said(private_picture(one, Look(screen=screen)))
    assert "below 0" in said(private_picture(side(), Look(screen=screen)))


def test_a_long_title_leaves_no_room_for_a_key_where_words_are_large():
    for title, has_key in (
        ("Private: 64 × 64 cells", True),
        ("quadtree, optimal: 64 × 64 cells", False),
    ):
        wide = Box(Bounds(0, 100), Bounds(0, 80))
        one = Side(title, Field(wide, midpoint_boxes(wide, 3), np.arange(-16.0, 48.0)))
        large = said(private_picture(one, Look(screen="low", presenting=True)))
        assert ("below 0" in large) == has_key
        assert "below 0" in said(private_picture(one, Look()))


@pytest.mark.parametrize(("ink", "flat"), [(LIGHT, "#F3EBDB"), (DARK, "#2A251D")])
def test_counts_below_zero_are_flat_and_zero_is_paper(ink, flat):
    (heat,) = cells(private_picture(side(), Look(ink)))
    low, edge, zero, *above = heat["colorscale"]
    assert low == [0.0, flat]
    assert edge == [0.5, flat]
    assert zero == [0.5, ink.page]
    assert heat["zmin"] == -heat["zmax"]
    places = np.array([place for place, _ in above])
    np.testing.assert_allclose(np.sqrt(2 * places - 1), np.linspace(0, 1, 33)[1:])


def test_the_scale_ends_at_the_top_of_equal_parts_of_the_map():
    one = field()
    assert one.top == pytest.approx(np.quantile(np.arange(-16.0, 48.0), TOP))
    assert field(sure=np.arange(64) > 30).top == one.top  # the same colours with all cells
    boxes = np.array([[0, 99, 0, 80], [99, 100, 0, 0.01], [99, 100, 0.01, 80.0]])
    sliver = Field(BOX, boxes, np.array([1.0, 1e9, 2.0]))
    assert sliver.top == 2.0
    assert Field(BOX, boxes[:1], np.array([-1.0])).top == 1.0


def test_only_sure_cells_are_coloured_and_all_give_their_number():
    values = np.arange(-16.0, 48.0)
    (heat,) = cells(private_picture(side(sure=values > 30), Look()))
    grid = field().painted
    np.testing.assert_array_equal(heat["customdata"], grid.astype(np.float32))
    np.testing.assert_array_equal(heat["z"] > 0, grid > 30)
    assert "customdata" in heat["hovertemplate"]
    assert heat["colorscale"][0][1] == LIGHT.unsure


def test_cells_that_are_no_grid_are_a_raster_with_borders():
    boxes = np.concatenate((midpoint_boxes(BOX, 1)[:3], midpoint_boxes(BOX, 2)[12:]))
    one = Side("kd", Field(BOX, boxes, np.arange(7.0), borders=boxes))
    heat, border = private_picture(one, Look())["data"]
    assert heat["z"].shape == (256, 320)
    assert set(np.unique(heat["z"])) == set(range(7))
    assert heat["xgap"] == 0 or heat["z"].shape[1] <= 64
    assert border["x"].size == 6 * 7
    (grid,) = cells(private_picture(side(), Look()))
    assert grid["z"].shape == (8, 8)
    assert grid["xgap"] == 1


@pytest.mark.parametrize(
    "at", [(58, 82, 16, 38), (0, 100, 0, 80), (90, 100, 60, 80), (0, 5, 0, 79)]
)
def test_a_label_stays_on_the_map(at):
    look = Look()
    rectangle = np.array(at, dtype=float)
    made = private_picture(side(RectangleNumbers(rectangle, 12.0, 3.0, 4.0)), look)
    (label,) = [one for one in made["layout"]["annotations"] if "±" in one["text"]]
    if label["yanchor"] == "bottom":
        assert label["y"] <= 80 * 0.93
    else:
        assert label["y"] >= 80 * 0.08
    if label["xanchor"] == "left":
        assert label["x"] <= 76
    else:
        assert label["x"] >= 24


@pytest.mark.parametrize("top", [0.004, 1.0, 7.0, 290.0, 25_000.0, 3e6])
def test_a_key_has_round_numbers_that_do_not_touch(top):
    found = ticks(top, 150, 30)
    assert found[0] == ("0", 0.0)
    assert 2 <= len(found) <= 6
    for (left, start), (right, end) in pairwise(found):
        assert end - start >= max(30, 4 * (len(left) + len(right)))
    assert found[-1][1] <= 150


def test_marks_carry_the_node_and_a_click_chooses_instead_of_drawing():
    numbers = np.array([5, 6])
    boxes = midpoint_boxes(BOX, 2)[numbers]
    made = node_picture(side(answer=None), boxes[0], (2, numbers, boxes), Look())
    (marks,) = [trace for trace in made["data"] if trace["name"] == "nodes to choose"]
    assert np.array(marks["customdata"]).tolist() == [[2, 5], [2, 6]]
    np.testing.assert_allclose(marks["x"], boxes[:, :2].mean(axis=1))
    assert made["layout"]["dragmode"] == "pan"
    assert private_picture(side(), Look())["layout"]["dragmode"] == "select"
