"""How shapes move (dpviz/figures/stage/motion.js), in the embedded engine."""

import json
from typing import Any

import pytest
import quickjs

from dpviz.figures.stage.engine import enclosed, module
from tests.rows import by_rows

PATH = {"from": [100, 80], "gate": [300, 80], "ink": "black"}
DOT = {"key": "dots/0", "cx": 420, "cy": 400, "r": 6, "fill": "blue", "flies": True}
FALL = (320 / 0.0032) ** 0.5


@pytest.fixture(scope="module")
def engine() -> quickjs.Context:
    context = quickjs.Context()
    context.eval(enclosed("motion", module("dpviz.figures.stage", "motion")))
    return context


def told(engine: quickjs.Context, call: str, *values: Any) -> Any:
    given = ", ".join(json.dumps(value) for value in values)
    return json.loads(engine.eval(f"JSON.stringify($motion.{call}({given}))"))


def test_shapes_glide_by_their_keys(engine):
    before = [{"key": "a", "x": 0, "points": [0, 0, 10, 10], "text": "old"}]
    after = [{"key": "a", "x": 10, "points": [0, 4, 10, 20], "text": "new"}, {"key": "b", "x": 1}]
    assert told(engine, "blend", before, after, 0.5) == [
        {"key": "a", "x": 5, "points": [0, 2, 10, 15], "text": "new"},
        {"key": "b", "x": 1, "opacity": 0.5},
    ]
    assert told(engine, "blend", before, after, 1) == after


def test_what_does_not_move_is_the_same_shape_in_each_frame(engine):
    """So that no text is made of it, neither while others move nor before its own time comes."""
    engine.eval(
        """
        var still = [{ key: "a", x: 1, points: [1, 2] }];
        var end = [{ key: "a", x: 1, points: [1, 2], text: "new" }];
        var later = [{ key: "a", x: 5, points: [1, 2], after: 300 }];
        """
    )
    for call in (
        "blend(still, end, 0.5)[0] === end[0]",
        "played(still, end, 100)[0] === end[0]",
        "played(still, later, 10)[0] === $motion.played(still, later, 200)[0]",
    ):
        assert engine.eval(f"$motion.{call}"), call
    assert told(
        engine, "played", *json.loads(engine.eval("JSON.stringify([still, later])")), 200
    ) == [{"key": "a", "x": 1, "points": [1, 2], "after": 300}]
    assert not engine.eval("$motion.blend(still, later, 0.5)[0] === later[0]")
    engine.eval("var other = [{ key: 'a', x: 3, points: [1, 2] }];")
    (moved,) = json.loads(engine.eval("JSON.stringify($motion.played(other, later, 200))"))
    assert moved["x"] == 3  # it waits where it is now, not where it was in an earlier beat


def test_every_number_of_a_shape_moves(engine):
    """By the law of a straight line; words, colours and what is not a number take the new value."""
    before = {"key": "a", "text": "old", "fill": "red", "from": None, "same": 7, "d": [0, 1]}
    names = ("x", "y", "cx", "cy", "r", "width", "height", "opacity", "size", "strokeWidth")
    after = before | {"text": "new", "fill": "blue", "d": [2, 4]}
    before |= {name: i for i, name in enumerate(names)}
    after |= {name: 10 * i + 4 for i, name in enumerate(names)}
    (found,) = told(engine, "blend", [before], [after], 0.25)
    for i, name in enumerate(names):
        assert found.pop(name) == pytest.approx(i + 0.25 * (9 * i + 4))
    assert found.pop("d") == [0.5, 1.75]
    assert found == {"key": "a", "text": "new", "fill": "blue", "from": None, "same": 7}


def test_lists_of_other_lengths_do_not_glide(engine):
    before, after = [{"key": "a", "points": [0, 0]}], [{"key": "a", "points": [1, 1, 2, 2]}]
    assert told(engine, "blend", before, after, 0.3) == after


@pytest.mark.parametrize(
    ("age", "cx", "cy", "fill"),
    [
        (0, 100, 80, "black"),
        (130, 200, 80, "black"),  # half of the way to the barrier
        (260, 300, 80, "blue"),  # there it turns blue
        (260 + 420, 420, 80, "blue"),  # over its column
        (680 + FALL / 2, 420, 160, "blue"),  # a quarter of the way down in half of the time
        (680 + FALL + 80, 420, 396, "blue"),  # bounces once, 4 px high
        (680 + FALL + 161, 420, 400, "blue"),
    ],
)
def test_a_dot_walks_drifts_falls_and_bounces(engine, age, cx, cy, fill):
    found = told(engine, "flight", DOT, PATH, age)
    assert (found["cx"], found["cy"]) == pytest.approx((cx, cy), abs=0.6)
    assert found["fill"] == fill


def test_a_dot_waits_until_it_leaves(engine):
    assert told(engine, "flight", DOT, PATH, -1) is None
    assert told(engine, "longest", [DOT], PATH) == pytest.approx(260 + 420 + FALL + 160)


@by_rows("age", range(0, 1200, 7))
def test_blue_is_beyond_the_barrier_only(engine, age):
    found = told(engine, "flight", DOT, PATH, age)
    assert (found["fill"] == "blue") == (found["cx"] >= 300)
