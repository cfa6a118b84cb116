"""Pictures of trees are tested by their data, not by their pixels."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.papers.tree_study import cdf_trials, honaker_simulation
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.trees.cdf import CdfView, cdf_tree_figure, thinned, trials_figure
from dpviz.figures.trees.levels import honaker_figure
from dpviz.figures.trees.tree import tree_figure
from dpviz.figures.trees.view import TreeView, ancestors, level_raster, readable_depth
from dpviz.mechanisms.counting.count_tree import CountTree
from tests.figures.inks import DARK, LIGHT


def view(fanout=2, height=6, **changes):
    sizes = [fanout**level for level in range(height + 1)]
    fields = {
        "counts": [np.arange(size) + 100.0 * level for level, size in enumerate(sizes)],
        "shade": [np.full(size, 2.0 + level) for level, size in enumerate(sizes)],
        "edges": np.linspace(0, 10, sizes[-1] + 1),
    }
    return TreeView(fanout, **{**fields, **changes})


def says_truth(figure):
    return any(NOTICE in (note.text or "") for note in figure.layout.annotations)


@pytest.mark.parametrize("ink", [LIGHT, DARK])
@pytest.mark.parametrize(("fanout", "height"), [(2, 0), (2, 1), (2, 12), (10, 3), (64, 1)])
def test_every_level_is_drawn_once(ink, fanout, height):
    figure = tree_figure(view(fanout, height), ink, unit="<b>age</b>")
    nodes = next(
        trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers+text"
    )
    strips = [trace for trace in figure.data if trace.type == "heatmap"]
    drawn = {int(level) for level in nodes.customdata[:, 0]}
    striped = {int(level) for strip in strips for level in strip.y}
    assert drawn | striped == set(range(height + 1))
    assert not drawn & striped
    assert "<b>" not in figure.layout.xaxis.title.text
    json.loads(figure.to_json())


def test_a_marker_carries_its_node():
    counts = [np.array([5.0]), np.array([2.0, np.nan])]
    truth = [np.array([6.0]), np.array([1.0, 5.0])]
    shade = [np.array([1.0]), np.array([2.0, np.inf])]
    figure = tree_figure(view(2, 1, counts=counts, shade=shade, truth=truth), LIGHT)
    nodes = next(
        trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers+text"
    )
    np.testing.assert_array_equal(nodes.customdata[1], [1, 0, 0, 5, 2, 2, 1])
    assert nodes.marker.symbol[2] == "circle-open"
    assert list(nodes.text) == ["5<br>(6)", "2<br>(1)", "–<br>(5)"]
    assert nodes.x.tolist() == [5, 2.5, 7.5]
    assert says_truth(figure)


def test_pictures_without_truth_do_not_claim_to_have_it():
    assert not says_truth(tree_figure(view(), LIGHT))
    assert says_truth(tree_figure(view(shade_name="error", signed=True), LIGHT))


def test_signed_shades_are_centred():
    shade = [np.array([-3.0]), np.array([1.0, 2.0])]
    figure = tree_figure(view(2, 1, shade=shade, signed=True), LIGHT)
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (-3, 3)
    unknown = [np.array([np.inf]), np.array([np.inf, np.nan])]
    tree_figure(view(2, 1, shade=unknown), LIGHT)


def test_depth_paths_and_rasters():
    assert readable_depth(2, 20) == 5
    assert readable_depth(64, 2) == 0
    assert ancestors(3, 3, 22) == [(0, 0), (1, 2), (2, 7), (3, 22)]
    assert level_raster(np.array([1.0, 2.0]), 6).tolist() == [1, 1, 1, 2, 2, 2]
    assert level_raster(np.arange(8.0), 4).tolist() == [1, 3, 5, 7]
    strips = [trace for trace in tree_figure(view(2, 14), LIGHT).data if trace.type == "heatmap"]
    assert strips[0].z.shape == (9, 1024)


def test_honakers_figure_has_three_panels(rng):
    frame = honaker_simulation(rng, trees=50)
    figure = honaker_figure(frame, LIGHT)
    best = frame[frame["estimator"] == "efficient"]
    np.testing.assert_array_equal(figure.data[0].y, best["mse"])
    np.testing.assert_array_equal(figure.data[1].y, best["ratio"])
    assert [trace.name for trace in figure.data[2:]] == [
        "raw", "from below", "from above", "efficient",
    ]  # fmt: skip


def test_the_cdf_has_both_bands_around_the_raw_counts():
    edges, raw = np.arange(5.0), np.array([0.0, 3, 2, 6, 8])
    half = np.array([0.0, 1, 1, 1, 2])
    shown = CdfView(edges, raw, np.maximum.accumulate(raw), half, 3.0, ("one", "all"))
    figure = cdf_tree_figure(shown, LIGHT, unit="hours")
    wide, narrow, drawn, smooth = figure.data
    assert (wide.name, narrow.name, drawn.name, smooth.name) == ("all", "one", "raw", "smoothed")
    np.testing.assert_array_equal(narrow.y, np.concatenate([raw - half, (raw + half)[::-1]]))
    np.testing.assert_array_equal(wide.y, np.concatenate([raw - 3, (raw + 3)[::-1]]))
    assert drawn.line.dash != smooth.line.dash
    assert not says_truth(figure)
    true = CdfView(edges, None, raw, half, truth=raw)
    assert says_truth(cdf_tree_figure(true, LIGHT))


def test_long_curves_are_thinned_and_keep_their_ends():
    kept = thinned(2**20 + 1)
    assert kept.size == 2000
    assert kept[[0, -1]].tolist() == [0, 2**20]
    assert thinned(3).tolist() == [0, 1, 2]


def test_trials_stand_beside_their_expectation(rng):
    column = Column.from_values(rng.random(100), Bounds(0, 1))
    frame = cdf_trials(column, CountTree(2, 4), PureDP(1), rng, trials=3, band_runs=200)
    figure = trials_figure(frame, LIGHT)
    np.testing.assert_array_equal(figure.data[0].y, frame["raw"])
    assert says_truth(figure)
