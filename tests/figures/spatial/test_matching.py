"""Record matching as areas: squares, and what is written in them."""

import plotly.graph_objects as go
import pytest

from dpviz.answers.spatial.matching import MatchingNumbers
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial.matching import matching_picture

FOUND = [
    MatchingNumbers("quadtree, optimal", 2_500.0, 40_000.0, 0.9876),
    MatchingNumbers("kd-tree", 90_000.0, 40_000.0, 0.5),
]


@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_areas_are_shares_of_all_pairs(look):
    made = matching_picture(FOUND, look)
    go.Figure(made)
    sides = [(one["x1"] - one["x0"], one["y1"]) for one in made["layout"]["shapes"]]
    assert [up for _, up in sides] == [1, 0.25, 1, 1]  # more than all pairs fill the square
    assert [across for across, _ in sides] == pytest.approx([1, 0.25, 1, 1])
    said = [note["text"] for note in made["layout"]["annotations"]]
    assert said[0].endswith("2,500 pairs compared")
    assert said[1:3] == ["6.2 % of 40,000 pairs", "keeps 98.8 % of the people"]
    assert said[4:] == ["225 % of 40,000 pairs", "keeps 50.0 % of the people"]
