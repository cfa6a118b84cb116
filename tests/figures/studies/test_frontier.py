"""The frontier: all methods, those who lead in bold, and names where there is room."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.answers.studies import frontier
from dpviz.answers.studies.frontier import Errors
from dpviz.figures.studies.answered import Answer, Line
from dpviz.figures.studies.frontier import frontier_picture
from tests.figures.trees.test_icicle import LOOKS

BUDGETS = np.logspace(-2, 1, 31)


def line(key, errors, needed=None, budgets=BUDGETS):
    errors = np.minimum(errors, 1.0)
    return Line(key, f"method {key}", budgets, errors / 2, errors / 1.5, errors, needed, "")


A = line("A", 0.01 / BUDGETS, needed=1.0)
B = line("B", 0.004 / BUDGETS**1.8)  # worse below about 0.3, better above
C = line("C", 0.5 / BUDGETS)


def pieces_of(lines):
    return frontier.pieces_of([Errors(one.key, one.budgets, one.high) for one in lines])


def named(*lines):
    """The names of leaders that stand in the picture."""
    answer = Answer(list(lines), 0.01, "error", "need", compared=True)
    drawn = frontier_picture(answer, pieces_of(lines), LOOKS[0])
    said = [one["text"] for one in drawn["layout"]["annotations"]]
    return [one for one in said if one.startswith("<b>method")]


def test_a_short_piece_is_named_where_the_need_is_met_and_an_unseen_one_never():
    steep = 0.02 / BUDGETS * np.where((BUDGETS > 0.19) & (BUDGETS < 0.3), 0.5, 2.0)
    rest = line("R", 0.02 / BUDGETS)
    assert "<b>method S</b>" in named(line("S", steep, needed=0.25), rest)
    assert "<b>method S</b>" not in named(line("S", steep, needed=1.0), rest)
    low = line("L", np.where(BUDGETS > 1, 5e-4, 0.02 / BUDGETS))  # below the picture from 1 on
    hidden = line("H", np.where(BUDGETS > 1.5, 1e-4, 1.0))
    assert [one.key for one in pieces_of([low, hidden])] == ["L", "H"]
    assert named(low, hidden) == ["<b>method L</b>"]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("needed", [1.0, None])
def test_every_method_is_drawn_and_leaders_are_named(look, needed):
    answer = Answer([line("A", A.high, needed), B, C], 0.01, "error", "need", compared=True)
    drawn = frontier_picture(answer, pieces_of(answer.lines), look)
    names = [one["name"] for one in drawn["data"]]
    assert names[:3] == ["method A", "method B", "method C"]
    assert {"method A leads", "method B leads"} <= set(names)
    assert ("method A, answer" in names) == (needed is not None)
    said = [one["text"] for one in drawn["layout"]["annotations"]]
    assert {"<b>method A</b>", "<b>method B</b>"} <= set(said)
    assert ("method C" in said) == (not look.phone)
