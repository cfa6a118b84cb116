"""The frontier: least errors, who leads, and names where there is room."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.figures.studies.answered import Answer, Line
from dpviz.figures.studies.frontier import LEVEL, frontier_of, frontier_picture
from tests.figures.trees.test_icicle import LOOKS

BUDGETS = np.logspace(-2, 1, 31)


def line(key, errors, needed=None, budgets=BUDGETS):
    errors = np.minimum(errors, 1.0)
    return Line(key, f"method {key}", budgets, errors / 2, errors / 1.5, errors, needed, "")


A = line("A", 0.01 / BUDGETS, needed=1.0)
B = line("B", 0.004 / BUDGETS**1.8)  # worse below about 0.3, better above
C = line("C", 0.5 / BUDGETS)


def test_pieces_are_the_least_errors_and_join():
    pieces = frontier_of([A, B, C])
    assert [one.key for one in pieces] == ["A", "B"]
    change = pieces[0].budgets[-1]
    crossing = 0.4 ** (1 / 0.8)
    assert crossing / LEVEL**2 < change < crossing * LEVEL**2
    assert pieces[1].budgets[0] == change
    for piece, own in zip(pieces, (A, B), strict=True):
        least = np.min([np.interp(piece.budgets, BUDGETS, one.high) for one in (A, B, C)], axis=0)
        assert (piece.errors <= least * LEVEL * 1.01).all()
        logs = np.interp(np.log(piece.budgets), np.log(BUDGETS), np.log(own.high))
        np.testing.assert_allclose(piece.errors, np.exp(logs))


def test_level_methods_do_not_take_turns():
    rng = np.random.default_rng(3)
    near = line("N", A.high * rng.uniform(0.98, 1.02, BUDGETS.size))
    assert len(frontier_of([A, near])) == 1


def test_where_nobody_errs_nobody_takes_over():
    none = np.where(BUDGETS > 3, 0.0, 1.0)
    first, second = line("A", 0.02 / BUDGETS * none), line("B", 0.01 / BUDGETS * none)
    assert [one.key for one in frontier_of([first, second])] == ["B"]
    assert [one.key for one in frontier_of([line("A", 0 * BUDGETS), line("B", 0 * BUDGETS)])] == [
        "A"
    ]


def named(*lines):
    """The names of leaders that stand in the picture."""
    answer = Answer(list(lines), 0.01, "error", "need", compared=True)
    drawn = frontier_picture(answer, frontier_of(lines), LOOKS[0])
    said = [one["text"] for one in drawn["layout"]["annotations"]]
    return [one for one in said if one.startswith("<b>method")]


def test_a_short_piece_is_named_where_the_need_is_met_and_an_unseen_one_never():
    steep = 0.02 / BUDGETS * np.where((BUDGETS > 0.19) & (BUDGETS < 0.3), 0.5, 2.0)
    rest = line("R", 0.02 / BUDGETS)
    assert "<b>method S</b>" in named(line("S", steep, needed=0.25), rest)
    assert "<b>method S</b>" not in named(line("S", steep, needed=1.0), rest)
    low = line("L", np.where(BUDGETS > 1, 5e-4, 0.02 / BUDGETS))  # below the picture from 1 on
    hidden = line("H", np.where(BUDGETS > 1.5, 1e-4, 1.0))
    assert [one.key for one in frontier_of([low, hidden])] == ["L", "H"]
    assert named(low, hidden) == ["<b>method L</b>"]


def test_the_frontier_is_no_convex_hull():
    """Two methods with a corner between them: the corner stays."""
    flat, steep = line("F", np.full(31, 0.1)), line("S", 0.1 * (0.3 / BUDGETS) ** 4)
    pieces = frontier_of([flat, steep])
    assert [one.key for one in pieces] == ["F", "S"]
    np.testing.assert_allclose(pieces[0].errors, 0.1)


def test_methods_without_errors_and_none_at_all():
    empty = line("E", np.empty(0), budgets=np.empty(0))
    assert [one.key for one in frontier_of([A, empty])] == ["A"]
    assert frontier_of([empty]) == ()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("needed", [1.0, None])
def test_every_method_is_drawn_and_leaders_are_named(look, needed):
    answer = Answer([line("A", A.high, needed), B, C], 0.01, "error", "need", compared=True)
    drawn = frontier_picture(answer, frontier_of(answer.lines), look)
    names = [one["name"] for one in drawn["data"]]
    assert names[:3] == ["method A", "method B", "method C"]
    assert {"method A leads", "method B leads"} <= set(names)
    assert ("method A, answer" in names) == (needed is not None)
    said = [one["text"] for one in drawn["layout"]["annotations"]]
    assert {"<b>method A</b>", "<b>method B</b>"} <= set(said)
    assert ("method C" in said) == (not look.phone)
