"""The pictures of the Trees page's other views, by their data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.rows import rows_of
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.covariance import node_weights
from dpviz.experiments.papers.tree_study import (
    cdf_trials,
    honaker_simulation,
    simulated_by_level,
    variances_by_level,
)
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.trees.curve import Curve, round_step, tree_curve
from dpviz.figures.trees.icicle import Side
from dpviz.figures.trees.level_errors import level_errors_picture, levels_axis
from dpviz.figures.trees.released import released_tree
from dpviz.figures.trees.runs import simulation_picture, trials_picture
from dpviz.figures.trees.split_rows import SplitRow, split_rows_picture
from dpviz.figures.trees.weights import weights_picture
from dpviz.mechanisms.counting.count_tree import CountTree
from tests.figures.parts import said, traces

NAMES = Names("students", "mark", "marks")
LOOKS = [Look(LIGHT), Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone")]
every_look = pytest.mark.parametrize("look", LOOKS)


def curve(**changes):
    fields = {
        "edges": np.arange(5.0),
        "counts": np.array([0.0, 3, 2, 6, 8]),
        "band": np.array([0.0, 1, 1, 1, 2]),
    }
    return Curve(**{**fields, **changes})


@every_look
def test_the_cdf_has_bands_around_what_is_read(look):
    shown = curve(wider=3.0, smooth=np.array([0.0, 2.5, 2.5, 6, 8]), truth=np.arange(5.0))
    picture = tree_curve(shown, NAMES, look, said="Students", sure="sure")
    go.Figure(picture)
    (narrow,), (wide,) = traces(picture, "each"), traces(picture, "all together")
    np.testing.assert_array_equal(narrow["y"][:5], shown.counts - shown.band)
    np.testing.assert_array_equal(wide["y"][5:], (shown.counts + 3)[::-1])
    (raw,), (smooth,) = traces(picture, "as read"), traces(picture, "smoothed")
    assert raw["line"]["dash"] == "dot" != smooth["line"].get("dash", "solid")
    assert traces(picture, "truth")[0]["line"]["color"] == look.ink.truth
    assert "sure" in said(picture)


def test_nothing_true_is_left_without_the_truth():
    picture = tree_curve(curve(), NAMES, LOOKS[0], said="Students")
    assert not traces(picture, "truth")
    assert "true" not in str(traces(picture, "numbers"))


def test_long_curves_are_thinned_and_keep_their_ends():
    size = 2**16 + 1
    long = curve(edges=np.arange(float(size)), counts=np.arange(float(size)), band=np.ones(size))
    kept = long.thinned()
    assert kept.edges.size < 1100
    assert kept.edges[[0, -1]].tolist() == [0, 2**16]
    np.testing.assert_array_equal(kept.edges, kept.counts)
    assert kept.truth is None


@pytest.mark.parametrize(("top", "step"), [(6000, 2000), (1, 0.2), (99, 20), (105_000, 20_000)])
def test_axes_go_up_in_round_steps(top, step):
    assert round_step(top) == pytest.approx(step)
    assert 3 <= top / round_step(top) <= 7


@every_look
def test_a_release_shows_rows_above_its_cdf_and_nothing_true(look):
    counts = (np.array([8.0]), np.array([3.0, 5.0]))
    levels = Levels(2, counts, (np.asarray(4.0), np.asarray(1.0)))
    shown = curve(edges=np.array([0.0, 5, 10]), counts=np.array([0, 3.0, 8]), band=np.ones(3))
    side = Side("combined", rows_of(levels))
    picture = released_tree(side, shown, (0, 10), NAMES, look, noisiest=2.0, sure="19 in 20")
    go.Figure(picture)
    assert not traces(picture, "truth")
    assert traces(picture, "each")[0]["yaxis"] == "y2"
    assert "19 in 20" in said(picture)
    assert any("± 2" in one for one in said(picture))
    layout = picture["layout"]
    assert layout["yaxis2"]["domain"][1] < layout["yaxis"]["domain"][0]
    assert layout["xaxis"]["anchor"] == "y2"


@every_look
def test_weights_are_bars_around_zero_whatever_their_level(look):
    levels = TreeNoise(2, Noise.LAPLACE, (1.0, 1.0, 1.0), Root.RELEASED).blank()
    weights = node_weights(levels, 1, 0)
    picture = weights_picture(weights, (0, 8), NAMES, look, path=[(0, 0), (1, 0)], title="Weights")
    go.Figure(picture)
    carried = traces(picture, "cells")[0]["customdata"]
    np.testing.assert_allclose(carried[:, 4], np.concatenate(weights))
    for level, number in ((1, 1), (2, 0)):
        (bars,), zero = traces(picture, f"level {level}"), traces(picture, "0")[level]["y"][0]
        heights = bars["y"].reshape(-1, 4)[:, 1] - zero
        assert np.sign(heights).tolist() == np.sign(weights[level]).tolist(), number
    parts = [float(one.removesuffix(" %")) for one in said(picture) if one.endswith(" %")]
    assert sum(parts) == pytest.approx(100, abs=2)
    assert picture["layout"]["margin"]["r"] >= 10 + look.text(1) * 7 * len("100 %")  # room for them


def test_the_heaviest_node_of_a_deep_level_is_drawn():
    levels = TreeNoise(2, Noise.LAPLACE, (1.0,) * 11, Root.RELEASED).blank()
    weights = node_weights(levels, 10, 513)
    picture = weights_picture(weights, (0, 1), NAMES, LOOKS[0], path=[], title="")
    carried = traces(picture, "cells")[0]["customdata"]
    assert [10, 513] in carried[:, :2].tolist()


@every_look
def test_lines_are_standard_errors_and_points_their_simulation(look, rng):
    noise = TreeNoise(2, Noise.LAPLACE, (np.inf, 2.0, 1.0), Root.SUM)
    theory, simulated = variances_by_level(noise), simulated_by_level(noise, rng, 50)
    picture = level_errors_picture(theory, 2, NAMES, look, simulated=simulated)
    go.Figure(picture)
    (raw,) = traces(picture, "raw")
    assert list(raw["x"]) == [1, 2]  # the root is not released
    levels = ["all", "2", "4"] if look.phone else ["all students", "halves", "4 leaves"]
    assert picture["layout"]["xaxis"]["ticktext"] == levels
    few = levels_axis(6, 2, NAMES, Look(screen="phone"), few=2)
    assert (few["tickvals"], few["ticktext"]) == ([0, 6], ["all", "64"])
    np.testing.assert_allclose(raw["y"], np.sqrt([8, 2]))
    lines = [one for one in picture["data"] if one["mode"] == "lines"]
    assert len({one["line"]["dash"] for one in lines}) == 4
    (points,) = traces(picture, "efficient, simulated")
    rows = simulated[simulated["estimator"] == "efficient"]
    np.testing.assert_allclose(points["y"], np.sqrt(rows["mse"]))
    np.testing.assert_allclose(
        points["error_y"]["array"], rows["standard_error"] / np.sqrt(rows["mse"])
    )
    places = [n["y"] for n in picture["layout"]["annotations"] if n["yref"] == "y domain"]
    assert np.diff(np.sort(places)).min() > 0.06 * look.text(1)


@every_look
def test_splits_stand_best_first_with_their_errors(look):
    rows = [
        SplitRow("chosen", (0.5, 0.5), 12.0, in_use=True),
        SplitRow("best", (0.2, 0.8), 6.0),
        SplitRow("never", (1.0, 0.0), np.inf),
    ]
    picture = split_rows_picture(rows, 2, NAMES, look, title="Shares")
    go.Figure(picture)
    assert [one["name"] for one in picture["data"]] == ["cells", "best", "chosen", "never"]
    assert picture["layout"]["yaxis"]["ticktext"] == ["best", "<b>chosen</b>", "never"]
    np.testing.assert_array_equal(picture["data"][2]["customdata"], [0.5, 0.5])
    ends = [one for one in said(picture) if "span" in one]
    assert "2 ×" in ends[1]
    assert "×" not in ends[0]


@every_look
def test_honakers_simulation_has_three_panels(look, rng):
    frame = honaker_simulation(rng, trees=50)
    picture = simulation_picture(frame, look)
    go.Figure(picture)
    best = frame[frame["estimator"] == "efficient"]
    np.testing.assert_array_equal(picture["data"][0]["y"], best["mse"])
    np.testing.assert_array_equal(picture["data"][1]["y"], best["ratio"])
    assert [one["name"] for one in picture["data"][2:]] == [
        "raw", "from below", "from above", "efficient",
    ]  # fmt: skip
    assert not any(one["cliponaxis"] for one in picture["data"])  # the root, which is known, at 0
    for up in ("yaxis", "yaxis2", "yaxis3"):
        assert picture["layout"][up]["tickvals"][0] > 0  # the 0 below says it
    (keys,) = [one for one in picture["layout"]["annotations"] if "from below" in one["text"]]
    assert (keys["x"], keys["xanchor"]) == (1, "right")  # longer than its panel is wide


@every_look
def test_trials_stand_beside_their_expectation(look, rng):
    column = Column.from_values(rng.random(100), Bounds(0, 1))
    frame = cdf_trials(column, CountTree(2, 4), PureDP(1), rng, trials=3, band_runs=200)
    picture = trials_picture(frame, look)
    go.Figure(picture)
    np.testing.assert_array_equal(picture["data"][0]["y"], frame["raw"])
    (dashed,) = picture["layout"]["shapes"]
    assert dashed["y0"] == dashed["y1"] == frame["expected"].iloc[0]
