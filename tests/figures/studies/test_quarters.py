"""PSD's Fig. 1: every node has the paper's letter, its own count, and its place."""

import re

import numpy as np
import pytest

from dpviz.experiments.papers import psd_example as example
from dpviz.experiments.papers.stored.record import record
from dpviz.figures.studies.quarters import name_of, query_figure
from tests.figures.studies.drawn import LOOKS, checked, words

QUERY = {"b", "u5", "u7", "u9", "u10", "u13"}  # in print
ELSEWHERE = {"a", "c", "d", "e", "u6", "u8", "u11", "u12", "u14", "u15", "u16"}


def drawn(look, *, truth=True):
    rows = record().rows["quarters"]
    places = [[example.place_of(level, node) for node in range(4**level)] for level in range(3)]
    exact = example.levels_of(rows, "truth").counts if truth else None
    used, counts = example.ways()[example.CANONICAL], example.levels_of(rows).counts
    return query_figure(counts, places, used, example.WIDE, look, truth=exact)


def labels(picture):
    """Name → (text, x, y) of every count in the picture."""
    found = {}
    for note in picture["layout"]["annotations"]:
        text = re.sub(r"<[^>]+>", " ", note["text"]).replace(", all", "")
        found[text.split()[0]] = (text, note["x"], note["y"])
    return found


def _named(weights, sign):
    return {
        name_of(level, int(node))
        for level, each in enumerate(weights)
        for node in np.flatnonzero(each == sign)
    }


def test_the_query_is_answered_with_the_nodes_that_the_paper_names():
    used = example.ways()[example.CANONICAL]
    assert _named(used, 1) == QUERY
    other = example.ways()[example.BOTH]  # b's children, and c less u6 and u8
    signs = [_named(other, sign) for sign in (1, -1)]
    assert signs == [{"c", "u1", "u2", "u3", "u4", "u9", "u10", "u13"}, {"u6", "u8"}]


@pytest.mark.parametrize("look", LOOKS)
def test_every_node_but_the_children_of_b_is_named_with_its_counts(look):
    found = labels(checked(drawn(look)))
    assert set(found) == QUERY | ELSEWHERE
    rows = record().rows["quarters"]
    for level in range(3):
        part = rows[rows["level"] == level].reset_index(drop=True)
        for node in range(4**level):
            name = name_of(level, node)
            if name in found:
                text = found[name][0].replace("−", "-").split()
                assert text[1:] == [f"{part['noisy'][node]:.1f}", f"{part['truth'][node]:g}"]


def test_leaves_stand_in_their_cells_and_the_other_nodes_at_the_edge():
    found = labels(drawn(LOOKS[0]))
    for node in range(4, 16):
        column, row = example.place_of(2, node)
        assert found[f"u{node + 1}"][1:] == (column + 0.5, row + 0.5)
    assert found["b"][1:] == (1, 1)
    assert [found[name][1:] for name in "acde"] == [(1, 0), (3, 0), (1, 4), (3, 4)]


def test_without_the_truth_no_exact_count_is_drawn():
    shown, hidden = (labels(drawn(LOOKS[0], truth=one)) for one in (True, False))
    assert all(len(text.split()) == 3 for text, _, _ in shown.values())
    assert all(len(text.split()) == 2 for text, _, _ in hidden.values())


def test_cells_of_the_query_are_filled():
    filled = [one for one in drawn(LOOKS[0])["layout"]["shapes"]
              if "fillcolor" in one and not one["fillcolor"].endswith("0,0)")]  # fmt: skip
    corners = {(one["x0"], one["y0"], one["x1"] - one["x0"]) for one in filled}
    assert corners == {(0, 0, 2), (2, 0, 1), (2, 1, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1)}
    assert words(drawn(LOOKS[0]))
