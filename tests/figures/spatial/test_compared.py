"""The comparison of methods: sorted, on one scale, closed by a sentence that names the best."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.spatial.compared import Comparison, compared_picture, comparison_sentence

FOUND = Comparison(
    ("uniform grid", "kd-tree", "quadtree, optimal"),
    ("1 × 1", "10 × 10"),
    np.array([[4.0, 16.0], [8.0, 2.0], [1.0, 4.0]]),
    {"kd-tree": "green", "quadtree, optimal": "blue"},
)


def test_rows_are_sorted_by_the_geometric_mean():
    assert FOUND.order == [2, 1, 0]
    assert FOUND.factor(0) == pytest.approx(4.0)
    assert FOUND.factor(2) == 1.0


def test_the_sentence_names_the_best_and_the_factor_of_the_last():
    assert comparison_sentence(FOUND) == (
        "Quadtree, optimal comes closest; uniform grid is off by 4 times as much."
    )
    level = Comparison(("a", "b"), ("1 × 1",), np.array([[1.0], [1.05]]), {})
    assert comparison_sentence(level) == "A and b are level."
    three = Comparison(("a", "b", "c"), ("1",), np.array([[1.0], [1.05], [3.0]]), {})
    assert comparison_sentence(three) == "A and b are level; c is off by 3 times as much."


@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_each_method_has_a_dot_in_each_panel_on_one_scale(look):
    made = compared_picture(FOUND, look)
    go.Figure(made)
    layout = made["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"]
    places = {(one["name"], one["xaxis"]): one["x"][0] for one in made["data"]}
    assert places[("uniform grid", "x2")] == 16.0
    assert len(places) == 6
    names = [note["text"] for note in layout["annotations"]] + list(layout["yaxis"]["ticktext"])
    assert set(FOUND.methods) <= set(names)
