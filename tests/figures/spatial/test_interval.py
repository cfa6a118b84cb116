"""An answer on an axis of its own: with the truth where it is there."""

import plotly.graph_objects as go
import pytest

from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial.interval import interval_picture

ANSWER = RectangleNumbers(None, 4737.016, 132.347, 150.0, RectangleError(4797.0, -59.776, -0.208))
PUBLIC = RectangleNumbers(None, 4737.016, 132.347, 150.0)


@pytest.mark.parametrize("answer", [ANSWER, PUBLIC, RectangleNumbers(None, 0.0, 0.0, 0.0)])
@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_the_interval_shows_the_truth_only_if_it_is_there(answer, look):
    made = interval_picture(answer, look, "People")
    go.Figure(made)
    said = [note["text"] for note in made["layout"]["annotations"]]
    assert any("true" in text for text in said) == (answer.off is not None)
    low, high = made["layout"]["xaxis"]["range"]
    assert low < answer.margin[0] <= answer.margin[1] < high
    assert made["data"][-1]["x"] == [answer.private]


def test_the_band_ends_where_the_margin_does_and_says_so():
    made = interval_picture(ANSWER, Look(), "People")
    said = [note["text"] for note in made["layout"]["annotations"]]
    assert said == ["People", "4,478", "<b>4,737</b>", "4,996", "<b>4,797</b> true"]
    (band,) = made["layout"]["shapes"]
    assert (band["x0"], band["x1"]) == ANSWER.margin
