"""Marks of a scene put together: hidden where absent, stepping in a beat, at rest for print."""

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.frames import label
from dpviz.figures.stage.places import At
from dpviz.lessons.staged import after, named, stage_of, stepping

A, B = (label(name, (At(0.5), At(0.5)), name) for name in ("one", "two"))


def drawn(stage):
    return svg(stage, 300, 200, Look())


def test_a_mark_is_hidden_where_a_state_lacks_it():
    states = {("1", "predict"): lambda: [A], ("1", "reveal"): lambda: [A, after(B, 300)]}
    asked = stage_of(states, ("1", "predict"))
    assert ">one<" in drawn(asked)
    assert ">two<" not in drawn(asked)
    assert ">two<" in drawn(asked.at(beat="reveal"))
    only = stage_of(states, ("1", "reveal"), only=True)
    assert len(only.layers[0].states) == 1
    assert ">two<" in drawn(only)


def test_steps_end_in_the_mark_itself():
    moved = stepping(A, [(0, A | {"text": "first"}), (100, A | {"text": "second"})])
    assert moved["through"] == [[0, {"text": "first"}], [100, {"text": "second"}], [140.0, {}]]
    assert ">one<" in drawn(stage_of({("1", "reveal"): lambda: [moved]}, ("1", "reveal")))
    assert stepping(A, []) == A


def test_a_browser_gets_one_picture_for_all_stops():
    moved, still = after(A, 300), A | {"text": "third"}
    states = {("1", "reveal"): lambda: [moved], ("2", "reveal"): lambda: [still, B]}
    stages = [stage_of(states, key) for key in states]
    first, second = (one.to_dict() | {"state": None} for one in stages)
    assert first == second
    assert ">one<" in drawn(stages[0])
    assert ">third<" in drawn(stages[1])
    there = stages[1].to_dict()
    assert "after" not in there["views"][0]["marks"][0]  # what one state says is no other's
    assert there["layers"][0]["states"]["1|reveal"]["one"]["after"] == 300


def test_two_marks_of_one_name_are_refused():
    with pytest.raises(InvalidParameter, match="one"):
        stage_of({("1", "reveal"): lambda: [A, A]}, ("1", "reveal"))


def test_stops_are_named_as_links_write_them():
    assert [named(one) for one in (0.1, 500, 1_234_567.0, "AQ")] == ["0.1", "500", "1234567", "AQ"]
