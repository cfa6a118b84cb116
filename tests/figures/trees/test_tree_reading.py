"""What can be read from the picture of a tree on any screen: its colours and its labels."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.figures.trees.tree import tree_figure
from dpviz.figures.trees.view import GLYPH, NARROW, TreeView
from tests.figures.inks import LIGHT


def view(fanout=2, height=6, **changes):
    sizes = [fanout**level for level in range(height + 1)]
    fields = {
        "counts": [np.full(size, 100.0) for size in sizes],
        "shade": [np.full(size, 2.0) for size in sizes],
        "edges": np.linspace(0, 10, sizes[-1] + 1),
    }
    return TreeView(fanout, **{**fields, **changes})


def nodes_of(figure):
    return next(
        trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers+text"
    )


def bar_of(figure):
    axis = figure.layout.coloraxis
    return axis.cmin, axis.cmax, axis.colorbar.title.text


def shades_of(*levels):
    return [np.array(level, dtype=float) for level in levels]


def test_colours_span_the_values_that_there_are_and_the_bar_says_which():
    figure = tree_figure(view(2, 1, shade=shades_of([70.28], [58.8, 77.06])), LIGHT)
    assert bar_of(figure) == (pytest.approx(58.8), pytest.approx(77.06), "variance: 58.8 to 77.1")


def test_rounding_is_no_contrast():
    low, high, said = bar_of(
        tree_figure(view(2, 1, shade=shades_of([100.0], [100.0, 100 + 1e-9])), LIGHT)
    )
    assert high - low > 4
    assert (low + high) / 2 == pytest.approx(100)
    assert said == "variance: 100 everywhere"


def test_an_exact_node_does_not_flatten_the_others():
    low, high, said = bar_of(tree_figure(view(2, 1, shade=shades_of([0], [1500, 2000])), LIGHT))
    assert (low, high) == (1500, 2000)
    assert said == "variance: 1,500 to 2,000, 0 where exact"
    assert bar_of(tree_figure(view(2, 0, shade=shades_of([0])), LIGHT))[2] == "variance: 0"
    unknown = tree_figure(view(2, 0, shade=shades_of([np.inf])), LIGHT)
    assert bar_of(unknown)[2] == "variance: not known"


@pytest.mark.parametrize(("size", "levels"), [(3, 4), (1_700, 3), (9_999_999, 2)])
def test_labels_are_narrower_than_their_nodes_on_a_phone(size, levels):
    counts = [np.full(2**level, float(size)) for level in range(7)]
    figure = tree_figure(view(2, 6, counts=counts, truth=counts), LIGHT)
    labelled = [text for text in nodes_of(figure).text if text]
    assert len(labelled) == 2**levels - 1
    longest = max(len(line) for text in labelled for line in text.split("<br>"))
    assert longest * GLYPH * 2 ** (levels - 1) < NARROW


def test_marks_of_one_level_do_not_cover_each_other():
    sizes = nodes_of(tree_figure(view(2, 6), LIGHT)).marker.size
    assert sizes[0] == 15
    assert sizes[-1] * 32 < NARROW
