"""The frontier: all methods, those who lead in bold, and names where there is room."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.studies import frontier
from dpviz.answers.studies.frontier import FrontierNumbers, MethodNeed
from dpviz.figures.what_if.frontier import LEAST, Words, frontier_picture
from tests.figures.trees.test_icicle import LOOKS

BUDGETS = np.logspace(-2, 1, 31)


def line(key, errors, needed=None, budgets=BUDGETS):
    return MethodNeed(key, budgets, np.minimum(errors, 1.0), needed)


A = line("A", 0.01 / BUDGETS, needed=1.0)
B = line("B", 0.004 / BUDGETS**1.8)  # worse below about 0.3, better above
C = line("C", 0.5 / BUDGETS)


def drawn(*lines, look=LOOKS[0], percent=1.0, whole=None):
    found = FrontierNumbers(
        lines, percent, "ρ", 0.95, lines[0].needed, 0.01, frontier.pieces_of(lines), is_about=False
    )
    words = Words({one.key: f"method <{one.key}>" for one in lines}, "error", "need")
    return frontier_picture(found, words, look, whole)


def said(picture):
    return [one["text"] for one in picture["layout"]["annotations"]]


def named(*lines):
    """The names of leaders that stand in the picture."""
    return [one for one in said(drawn(*lines)) if one.startswith("<b>method")]


def test_a_short_piece_is_named_where_the_need_is_met_and_an_unseen_one_never():
    steep = 0.02 / BUDGETS * np.where((BUDGETS > 0.19) & (BUDGETS < 0.3), 0.5, 2.0)
    rest = line("R", 0.02 / BUDGETS)
    assert "<b>method &lt;S&gt;</b>" in named(line("S", steep, needed=0.25), rest)
    assert "<b>method &lt;S&gt;</b>" not in named(line("S", steep, needed=1.0), rest)
    low = line("L", np.where(BUDGETS > 1, 5e-4, 0.02 / BUDGETS))  # below the picture from 1 on
    hidden = line("H", np.where(BUDGETS > 1.5, 1e-4, 1.0))
    assert [one.key for one in frontier.pieces_of([low, hidden])] == ["L", "H"]
    assert named(low, hidden) == ["<b>method &lt;L&gt;</b>"]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("needed", [1.0, None])
def test_every_method_is_drawn_and_leaders_are_named(look, needed):
    picture = drawn(line("A", A.errors, needed), B, C, look=look)
    go.Figure(picture)  # refuses what plotly does not know
    names = [one["name"] for one in picture["data"]]
    assert names[:3] == ["method <A>", "method <B>", "method <C>"]
    assert {"method <A> leads", "method <B> leads"} <= set(names)
    assert ("method <A>, answer" in names) == (needed is not None)
    words = said(picture)
    assert {"<b>method &lt;A&gt;</b>", "<b>method &lt;B&gt;</b>", "error", "need"} <= set(words)
    assert ("method &lt;C&gt;" in words) == (not look.phone)
    sizes = [note["font"]["size"] for note in picture["layout"]["annotations"]]
    assert min(sizes) >= (20 if look.presenting else 13.5)


def test_the_answer_stands_where_the_line_crosses_the_target():
    picture = drawn(line("A", A.errors, 0.353), B)
    (mark,) = [one for one in picture["data"] if one["name"].endswith("answer")]
    assert (mark["x"].tolist(), mark["y"].tolist()) == ([0.353], [0.01])
    target, down = picture["layout"]["shapes"]
    assert (target["y0"], target["y1"], target["x0"], target["x1"]) == (0.01, 0.01, 0.01, 10.0)
    assert (down["x0"], down["x1"], down["y1"]) == (0.353, 0.353, 0.01)
    (own,) = [one for one in picture["data"] if one["name"] == "method <B>"]
    np.testing.assert_allclose(own["y"], np.maximum(B.errors, LEAST))


def test_without_an_answer_nothing_is_marked():
    picture = drawn(line("A", A.errors), B)
    assert not [one for one in picture["data"] if one["name"].endswith("answer")]
    assert len(picture["layout"]["shapes"]) == 1  # the target alone


def test_a_run_in_the_making_is_drawn_as_far_as_it_is():
    few = line("A", np.array([0.2, 0.1]), None, np.array([5.0, 10.0]))
    none = line("A", np.empty(0), None, np.empty(0))
    for one in (few, none):
        picture = drawn(one, whole=(0.01, 10.0))
        go.Figure(picture)
        assert picture["layout"]["xaxis"]["range"] == [-2, 1]
    assert drawn(none)["layout"]["xaxis"]["range"] == [-2, 1]


def test_a_small_target_is_on_the_picture_and_axes_say_their_units():
    low, high = drawn(A, percent=0.02)["layout"]["yaxis"]["range"]
    assert low < np.log10(2e-4) < high
    layout = drawn(A)["layout"]
    assert layout["yaxis"]["ticktext"][:2] == ["50 %", "20 %"]
    assert layout["xaxis"]["ticktext"][0] == "ρ = 0.01"
