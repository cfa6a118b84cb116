"""Errors of running counts as lines: each is named where nothing else is written."""

import numpy as np
import pytest

from dpviz.answers.trees.fanouts import Way
from dpviz.answers.trees.names import Names
from dpviz.answers.trees.running import EdgeErrors
from dpviz.figures.studies.trees.edge_errors import LEAST, edge_errors_picture
from dpviz.figures.studies.trees.fanouts import fanouts_picture
from tests.figures.trees.test_icicle import LOOKS

NAMES = Names("residents", "age", "years")


def line(name, level, first=False):
    edges = np.linspace(0, 120, 65)
    errors = level * np.sqrt(edges / 120)
    return EdgeErrors(name, edges, errors, level, first)


@pytest.mark.parametrize("look", LOOKS)
def test_every_line_is_there_with_its_name_and_number(look):
    every = (line("square root", 22.0, True), line("your tree", 26.0))
    drawn = edge_errors_picture(every, 20.5, (0.0, 120.0), NAMES, look)
    assert [one["name"] for one in drawn["data"]] == ["square root", "your tree", "least"]
    said = " ".join(one["text"] for one in drawn["layout"]["annotations"])
    assert "± 22" in said
    assert "± 26" in said
    assert LEAST in said
    top = drawn["layout"]["yaxis"]["range"]
    assert top[0] == 0
    assert top[1] > 26
    without = edge_errors_picture(every, None, (0.0, 120.0), NAMES, look)
    assert [one["name"] for one in without["data"]] == ["square root", "your tree"]
    most = (line("square root", 44.0, True), line("your tree", 55.0))
    over_time = edge_errors_picture(every, None, (0.0, 120.0), NAMES, look, most)
    assert [one["line"].get("dash") for one in over_time["data"]] == ["dot", "dot", None, None]
    assert over_time["layout"]["yaxis"]["range"][1] > 55
    said = " ".join(one["text"] for one in over_time["layout"]["annotations"])
    assert ("dotted: the largest so far" in said) == (not look.phone)


@pytest.mark.parametrize("look", LOOKS)
def test_fanouts_are_lines_and_the_best_is_named_at_its_dots(look):
    bins = 2 ** np.arange(4, 9)
    every = [
        Way("fanout 2", np.arange(5) + 5.0),
        Way("best fanout", np.arange(5) + 4.0, is_first=True, best=(7, 10, 12, 18, 9)),
        Way("square root", np.arange(5) + 3.0, is_tree=False),
    ]
    drawn = fanouts_picture(bins, every, 64, NAMES, look)
    lines = [one for one in drawn["data"] if one["mode"] == "lines"]
    assert [one["name"] for one in lines] == ["fanout 2", "best fanout", "square root"]
    assert [one["line"]["dash"] for one in lines] == ["solid", "solid", "dash"]
    texts = [one["text"] for one in drawn["layout"]["annotations"]]
    dots = ["7", "9"] if look.phone else ["7", "10", "12", "18", "9"]
    assert [text for text in texts if text in {"7", "10", "12", "18", "9"}] == dots
    for name, error in (("best fanout", 8), ("fanout 2", 9), ("square root", 7)):
        assert any(name in text and f"± {error}" in text for text in texts)
    assert "your tree" in texts
    assert drawn["layout"]["shapes"][0]["x0"] == 6
    parts = ["2<sup>4</sup>", "2<sup>8</sup>"] if look.phone else ["16", "256"]
    assert drawn["layout"]["xaxis"]["ticktext"] == parts
    outside = fanouts_picture(bins, every, 3, NAMES, look)
    assert "shapes" not in outside["layout"]
