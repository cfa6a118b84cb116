"""Marks and stages are refused when they are made, not when they are drawn."""

import json
import math

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage import answers, findings, frames, people, tallies
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, On
from dpviz.figures.stage.stage import Layer, Stage, View, layer
from tests.rows import by_rows

X = frames.axis("x", "x", (0, 10), At(0), At(1))
BAR = answers.errorbar("e", "x", At(0), 5, 1)
BEAM = findings.beam("b", (At(0), At(0)), [(On("y", 1), At(0))])
WORD = frames.label("word", (At(0), At(0)), "one")


def axis(low, high, **others):
    return frames.axis("x", "x", (low, high), At(0), At(1), **others)


def heap(counts, span, split=0):
    return people.heap("h", "x", counts, span, base=At(1), top=At(0), split=split)


def label(x):
    return frames.label("l", (x, At(0)), "words")


def stage(state, one):
    return Stage((View((WORD,)),), state, (one,))


REFUSED = {
    "a place that is no number": lambda: At(math.nan),
    "a place on nothing": lambda: On("", 3),
    "an empty axis": lambda: axis(5, 5),
    "a log axis from 0": lambda: axis(0, 5, log=True),
    "ticks without a place": lambda: frames.axis(
        "x", "x", (0, 5), At(0), At(1), ticks=[Tick(1, "1")]
    ),
    "an infinite tick": lambda: frames.axis(
        "x", "x", (0, 5), At(0), At(1), at=At(0), ticks=[Tick(math.inf, "∞")]
    ),
    "a nameless label": lambda: frames.label("", (At(0), At(0)), "text"),
    "a silent alternative": lambda: frames.alternative(""),
    "a negative column": lambda: heap([1, -1], (0, 1)),
    "columns backwards": lambda: heap([1], (1, 0)),
    "a split beyond the columns": lambda: people.heap(
        "h", "x", [1], (0, 1), base=At(1), top=At(0), split=2
    ),
    "points of unequal length": lambda: people.points("p", ("x", "y"), [1], [1, 2]),
    "more in ink than there are": lambda: people.crowd("c", (At(0), At(0)), 3, 4),
    "no answers": lambda: answers.dots("d", ("x", "y"), []),
    "an answer that is no number": lambda: answers.dots("d", ("x", "y"), [math.nan]),
    "rows of nothing": lambda: answers.dots("d", ("x", "y"), [1], row=0),
    "a law below zero": lambda: answers.law("l", ("x", "y"), 0, [-1]),
    "cells that fill no row": lambda: answers.cells("c", ("x", "y"), (0, 1), (0, 1), 2, [1, 0, 1]),
    "a cell too deep": lambda: answers.cells("c", ("x", "y"), (0, 1), (0, 1), 1, [9]),
    "an error that reaches back": lambda: answers.errorbar("e", "x", At(0), 5, -1),
    "a curve that goes back": lambda: findings.curve("c", ("x", "y"), [2, 1], [0, 0]),
    "a curve of unequal length": lambda: findings.curve("c", ("x", "y"), [1], [0, 0]),
    "a stop beyond the curve": lambda: findings.curve("c", ("x", "y"), [1], [0], chosen=1),
    "a beam to nowhere": lambda: findings.beam("b", (At(0), At(0)), []),
    "a card without rows": lambda: findings.card("c", (At(0), At(0)), (At(1), At(1)), []),
    "tiles without words": lambda: tallies.tiles("t", (At(0), At(0)), ["a"], ["open"], []),
    "more people than there are": lambda: tallies.people("p", (At(0), At(0)), 60, 50),
    "a tank that is too full": lambda: tallies.tank("t", (At(0), At(0)), (At(1), At(1)), 1.1),
    "a beam from an axis that is missing": lambda: View((BEAM,)),
    "no privacy at all": lambda: answers.half_width(0),
    "two marks of one name": lambda: View((X, X)),
    "an unknown mark": lambda: View(({"kind": "cloud", "id": "c"},)),
    "a mark on an axis that comes later": lambda: View(
        (answers.errorbar("e", "x", At(0), 5, 1), X)
    ),
    "a place on an axis that is missing": lambda: View(
        (frames.label("l", (On("y", 1), At(0)), "a"),)
    ),
    "a scale tied to a missing axis": lambda: View(
        (frames.axis("y", "y", (0, 1), At(0), At(1), most=("x", 1)),)
    ),
    "a layer by an unknown control": lambda: Stage(
        (View((WORD,)),), {}, (Layer(("epsilon",), {"1": {}}),)
    ),
    "a layer of an unknown mark": lambda: Stage(
        (View((WORD,)),), {"a": "1"}, (Layer(("a",), {"1": {"other": {}}}),)
    ),
    "a state that no layer knows": lambda: Stage(
        (View((WORD,)),), {"a": "2"}, (Layer(("a",), {"1": {}}),)
    ),
}


@by_rows("what", REFUSED)
def test_what_cannot_be_drawn_is_refused_at_birth(what):
    with pytest.raises(InvalidParameter):
        REFUSED[what]()


def test_a_layer_keeps_what_changes_and_nothing_else():
    states = {
        ("1", "in"): [frames.label("word", (At(0), At(0)), "one"), X],
        ("2", "in"): [frames.label("word", (At(0), At(0)), "two"), X],
    }
    found = layer(["epsilon", "ida"], states)
    assert found == Layer(
        ("epsilon", "ida"), {"1|in": {"word": {"text": "one"}}, "2|in": {"word": {"text": "two"}}}
    )


def test_a_stage_is_plain_data_and_knows_its_states():
    one = Stage((View((X, WORD)),), {"a": "1"}, (Layer(("a",), {"1": {}, "2": {}}),), k=1.4)
    assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    assert one.at(a="2").state == {"a": "2"}
    with pytest.raises(InvalidParameter):
        one.at(a="3")


@pytest.mark.parametrize(("epsilon", "half"), [(1, 19), (0.25, 38), (0.01, 60), (100, 4)])
def test_the_barrier_is_thicker_for_a_smaller_epsilon(epsilon, half):
    assert answers.half_width(epsilon) == half
