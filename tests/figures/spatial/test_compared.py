"""The comparison of methods: sorted, on one scale."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.spatial.compared import ComparedNumbers
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial.compared import compared_picture

FOUND = ComparedNumbers.of(
    ("uniform grid", "kd-tree", "quadtree, optimal"),
    ((1.0, 1.0), (10.0, 10.0)),
    np.array([[4.0, 16.0], [8.0, 2.0], [1.0, 0.0004]]),
    300,
)
HUES = {"kd-tree": "green", "quadtree, optimal": "blue"}


@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_each_method_has_a_dot_in_each_panel_on_one_scale(look):
    made = compared_picture(FOUND, ("1 × 1 km", "10 × 10 km"), HUES, look)
    go.Figure(made)
    layout = made["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"]
    places = {(one["name"], one["xaxis"]): one["x"][0] for one in made["data"]}
    assert places[("uniform grid", "x2")] == 16.0
    assert places[("quadtree, optimal", "x2")] == 0.001  # at the end of the scale, and said to be
    assert len(places) == 6
    names = [note["text"] for note in layout["annotations"]] + list(layout["yaxis"]["ticktext"])
    assert {*FOUND.methods, "1 × 1 km", "10 × 10 km", "16 %", "below 0.001 %"} <= set(names)
    ticks = layout["xaxis"]["ticktext"]
    every = ["0.001 %", "0.01 %", "0.1 %", "1 %", "10 %", "100 %", "1,000 %"]
    assert ticks == (every[1::2] if look.phone or look.presenting else every)
    # a phone's panels have room on the side where the other panel is not
    sides = [note["xanchor"] for note in layout["annotations"] if note["text"] == "16 %"]
    assert sides == ["right" if look.phone else "left"]
    (shift,) = [note["xshift"] for note in layout["annotations"] if note["text"] == "16 %"]
    assert (shift < 0) == look.phone
