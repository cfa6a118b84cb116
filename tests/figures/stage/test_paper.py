"""What a frame writes into the picture (paper.js): shapes that changed, and nothing else."""

import json

import pytest
import quickjs

from dpviz.figures.stage.engine import staging

PAPER = """
const theme = { page: "white" }, wrote = [];
const circle = (i, cx) => ({ tag: "circle", key: `m/${i}`, cx, cy: 1, r: 2 });
const held = { shapes: [], texts: [], group: {
  children: [0, 1, 2, 3, 4].map((i) => ({ set outerHTML(text) { wrote.push([i, text]); } })),
  set innerHTML(text) { wrote.push(["all", text]); },
} };
const first = [0, 1, 2, 3, 4].map((i) => circle(i, i));
const filled = (shapes, paper = theme) => {
  wrote.length = 0;
  $paper.fill(held, shapes, paper);
  return JSON.stringify(wrote);
};
var at = (...cx) => filled(cx.map((one, i) => (one === i ? first[i] : circle(i, one))));
const words = [{ tag: "text", key: "m/0", x: 1, y: 2, text: "said", size: 10, font: "serif" }];
var said = (serif) => filled(words, { serif });
"""


@pytest.fixture
def engine():
    context = quickjs.Context()
    context.eval(staging())
    context.eval(PAPER)
    return lambda call: json.loads(context.eval(call))


def test_the_first_frame_writes_all_and_an_equal_one_nothing(engine):
    ((what, text),) = engine("at(0, 1, 2, 3, 4)")
    assert what == "all"
    assert text.count("<circle") == 5
    assert engine("at(0, 1, 2, 3, 4)") == []


def test_one_that_moves_is_written_alone(engine):
    engine("at(0, 1, 2, 3, 4)")
    ((what, text),) = engine("at(0, 1, 2, 7.5, 4)")
    assert what == 3
    assert 'cx="7.5"' in text
    assert text.count("<circle") == 1
    assert [what for what, _ in engine("at(9, 1, 2, 3, 4)")] == [0, 3]  # the other one goes back
    assert [what for what, _ in engine("at(0.001, 1, 2, 3, 4)")] == [0]
    assert engine("at(0.002, 1, 2, 3, 4)") == []  # less than can be seen


def test_most_of_them_fewer_or_others_are_written_at_once(engine):
    engine("at(0, 1, 2, 3, 4)")
    assert [what for what, _ in engine("at(9, 8, 7, 3, 4)")] == ["all"]
    ((what, text),) = engine("at(9, 8)")
    assert (what, text.count("<circle")) == ("all", 2)
    assert engine("at()") == [["all", ""]]


def test_the_same_shape_is_written_anew_with_another_theme(engine):
    for face in ("Georgia", "Times"):
        ((what, text),) = engine(f"said('{face}')")
        assert what == "all"
        assert face in text
    assert engine("said('Times')") == []
