"""Errors against the budget: what is drawn, and that no two names meet."""

import numpy as np
import pytest

from dpviz.figures.studies.trees.bucket_errors import APART, BUCKETS, bucket_errors_picture
from tests.figures.trees.test_icicle import LOOKS

EPSILONS = np.array([0.001, 0.01, 0.1, 1.0, 10.0])
ERRORS = {
    BUCKETS: np.array([900.0, 90, 20, 4, 0.11]),
    "plain noise": 1 / EPSILONS,
    "near": 1.02 / EPSILONS,
    "far": 9 / EPSILONS,
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_way_is_a_line_over_the_usual_one(look):
    drawn = bucket_errors_picture(EPSILONS, ERRORS, "plain noise", 0.5, "A bin", look)
    assert [mark["name"] for mark in drawn["data"]] == [BUCKETS, "plain noise", "near"]
    times = [0.9, 0.9, 2.0, 4.0, 1.1]
    for mark, expected in zip(drawn["data"], (times, [1] * 5, [1.02] * 5), strict=True):
        np.testing.assert_allclose(mark["y"], expected)
        np.testing.assert_array_equal(mark["x"], EPSILONS)
    said = [note["text"] for note in drawn["layout"]["annotations"]]
    assert said[0] == "<b>A bin</b>"
    assert "ε = 0.5" in said
    assert f"<b>{BUCKETS}</b>" in said
    colours = [mark["line"]["color"] for mark in drawn["data"]]
    assert colours[0] == look.ink.private
    assert colours[1] == colours[2] != colours[0]
    assert drawn["data"][1]["line"]["dash"] != drawn["data"][2]["line"]["dash"]
    names = [
        note
        for note in drawn["layout"]["annotations"]
        if note["yref"] == "y domain" and note["yanchor"] == "middle"
    ]
    heights = sorted(note["y"] for note in names)
    low, high = drawn["layout"]["yaxis"]["range"]
    assert low == 0
    assert high > 4
    assert len(heights) == 3
    assert all(np.diff(heights) > 0.99 * APART * look.text(1))


@pytest.mark.parametrize("own", [0.5, 1e-4, 50.0])
def test_the_budget_in_use_is_marked_where_it_is_on_the_axis(own):
    drawn = bucket_errors_picture(EPSILONS, ERRORS, "near", own, "A bin", LOOKS[0])
    rules = drawn["layout"].get("shapes", [])
    assert len(rules) == (0.001 <= own <= 10)
    assert all(one["x0"] == own for one in rules)
    assert drawn["layout"]["xaxis"]["ticktext"] == ["ε = 0.001", "0.01", "0.1", "1", "10"]
