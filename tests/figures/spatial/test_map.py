"""The picture of a decomposition: its raster against a plain loop, what lies on it, its frame."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.spatial.boxes import midpoint_boxes
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.spatial.map import MapView, map_figure
from dpviz.figures.spatial.raster import outline, rasterised
from tests.figures.inks import DARK, LIGHT

BOX = Box(Bounds(-2, 6), Bounds(10, 14))


def view(**more):
    boxes = midpoint_boxes(BOX, 2)
    return MapView(BOX, boxes, np.arange(16.0), "count", boxes, **more)


def said(figure):
    return [note.text for note in figure.layout.annotations]


def slow_raster(boxes, values, rows, columns):
    grid = np.full((rows, columns), np.nan)
    for row in range(rows):
        for column in range(columns):
            x = BOX.x.low + (column + 0.5) * BOX.x.width / columns
            y = BOX.y.low + (row + 0.5) * BOX.y.width / rows
            over = [
                value
                for (x0, x1, y0, y1), value in zip(boxes, values, strict=True)
                if x0 <= x < x1 and y0 <= y < y1 and np.isfinite(value)
            ]
            grid[row, column] = np.mean(over) if over else np.nan
    return grid


def test_the_raster_is_that_of_a_plain_loop(rng):
    boxes = midpoint_boxes(BOX, 2)
    values = rng.normal(size=16)
    values[3] = np.nan
    more = np.array([[-2.0, 2.0, 10.0, 12.0]])  # overlaps some: a pixel shows the mean
    boxes, values = np.concatenate((boxes, more)), np.append(values, 5.0)
    found = rasterised(BOX, boxes, values, columns=120)
    np.testing.assert_allclose(found, slow_raster(boxes, values, *found.shape))


def test_an_outline_goes_round_each_cell_and_lifts_the_pen():
    x, y = outline(np.array([[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]))
    np.testing.assert_array_equal(x, [0, 1, 1, 0, 0, np.nan, 4, 5, 5, 4, 4, np.nan])
    np.testing.assert_array_equal(y, [2, 2, 3, 3, 2, np.nan, 6, 6, 7, 7, 6, np.nan])


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_the_map_stands_right_under_its_colour_bar(ink):
    figure = map_figure(view(names=("east", "<b>")), ink)
    assert figure.layout.yaxis.constraintoward == "top"
    (cells,) = [trace for trace in figure.data if trace.name == "cells"]
    assert (cells.colorbar.y, cells.colorbar.yanchor) == (1.0, "bottom")
    assert figure.layout.yaxis.title.text == "&lt;b&gt;"
    assert figure.layout.xaxis.range == (-2, 6)
    assert said(figure) == ["east"]  # nothing true, no notice


def test_a_picture_with_true_points_says_so():
    figure = map_figure(view(points=(np.array([1.0]), np.array([11.0]))), LIGHT)
    assert said(figure) == [NOTICE, "x"]
    assert {note.yref for note in figure.layout.annotations} == {"y domain"}
    assert "true points (confidential)" in [trace.name for trace in figure.data]


def test_marks_carry_the_node_and_lie_at_its_centre():
    numbers = np.array([5, 6])
    boxes = midpoint_boxes(BOX, 2)[numbers]
    figure = map_figure(view(nodes=(2, numbers, boxes)), LIGHT)
    (marks,) = [trace for trace in figure.data if trace.name == "nodes to choose"]
    assert np.array(marks.customdata).tolist() == [[2, 5], [2, 6]]
    np.testing.assert_allclose(marks.x, boxes[:, :2].mean(axis=1))
    np.testing.assert_allclose(marks.y, boxes[:, 2:].mean(axis=1))
    assert figure.layout.dragmode == "pan"  # a drag would draw a rectangle otherwise
    assert map_figure(view(), LIGHT).layout.dragmode == "select"
