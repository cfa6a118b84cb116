"""Who reads alone is asked "Sure?": whose controls hold the line, which choice is marked."""

import json
from itertools import product

import pytest
import quickjs

from dpviz.figures.stage.engine import staging
from dpviz.lessons.stories.listing import BY_KEY, scene
from dpviz.lessons.stories.telling import SKIPPED, SURE, Place, controls
from dpviz.site.scenes import told
from dpviz.ui.learn.picture import Seen, drawn, picture_of
from dpviz.ui.learn.steps import step_of

LINE = {"kind": "sure", "name": "sure", "text": SURE}
ASKED = [
    Place(story, one, None, "predict", one.control.start)
    for story in BY_KEY.values()
    for one in story.scenes
]


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(staging())
    context.eval("const marked = (...given) => $controls.marked(...given.map(JSON.parse));")
    context.eval("var asked = (a, b, c) => marked(a, b, JSON.stringify(c));")
    return context


def is_marked(engine, row, state, value):
    return engine.get("asked")(json.dumps(row), json.dumps(state), value)


def test_the_line_stands_below_answers_that_are_chosen_and_for_a_reader_alone():
    assert any(one.scene.drawing for one in ASKED)
    assert any(not one.scene.options for one in ASKED)
    for place in ASKED:
        chosen = bool(place.scene.options) and place.scene.drawing is None
        assert (LINE in controls(place, alone=True)) == chosen
        assert LINE not in controls(place)
        revealed = Place(place.story, place.scene, SKIPPED, "reveal", place.stop)
        assert LINE not in controls(revealed, alone=True)


@pytest.mark.law
def test_no_class_and_nobody_who_presents_is_asked_twice():
    place = next(one for one in ASKED if one.scene.name == "averages")
    for room, phone, presenting in product(("", "K7QMAB"), (False, True), (False, True)):
        one = picture_of(place, room, phone=phone, presenting=presenting)
        assert (LINE in json.loads(one.text)["controls"]) == (not room and not presenting)
        assert "sure" not in one.names  # it has no value that the page could follow
        _, seen = drawn(step_of(place), Seen(room, phone, presenting, right=False))
        assert LINE not in json.loads(seen.text)["controls"]


def test_the_static_edition_asks_the_same():
    one = scene("averages")
    row = told(BY_KEY["teach"], one)["controls"]
    assert LINE in row["predict"]
    assert LINE not in row["reveal"]


def test_the_first_answer_is_marked_and_every_later_one_counts(engine):
    place = next(one for one in ASKED if one.scene.name == "averages")
    row, free = controls(place, alone=True), controls(place)
    first, second = (one.key for one in place.scene.shuffled()[:2])
    state = {"stop": "none", "beat": "predict"}
    assert is_marked(engine, row, state, first)
    for again in (first, second):
        assert not is_marked(engine, row, state | {"chosen": first}, again)
    for wish in ("reveal", "back", "leave", "next"):  # what is no answer is done at once
        assert not is_marked(engine, row, state, wish)
    assert not is_marked(engine, free, state, first)
    # a phone of a class says "" while it has chosen nothing
    assert not is_marked(engine, free, state | {"chosen": ""}, first)


def test_the_line_is_said_once_something_is_marked_and_answers_alone_are_pressed(engine):
    """With a document of the few things that a control asks of one."""
    engine.eval(
        """
        const element = (tag) => ({
          tag, children: [], dataset: {}, style: { setProperty() {} }, textContent: "", said: {},
          append(one) { this.children.push(one); },
          addEventListener(name, act) { this[name] = act; },
          setAttribute(name, value) { this.said[name] = value; },
        });
        globalThis.document = { createElement: element };
        var shown = (controls, chosen) => {
          const row = element("div");
          const show = $controls.controlsIn(row, JSON.parse(controls), () => {}, {});
          show(chosen === "" ? {} : { chosen });
          return JSON.stringify(row.children.map((one) => [
            one.tag, one.dataset.control ?? "", one.textContent, one.said["aria-pressed"] ?? null,
          ]));
        };
        """
    )
    place = next(one for one in ASKED if one.scene.name == "averages")
    row = controls(place, alone=True)
    first = place.scene.shuffled()[0].key
    for chosen in ("", first):
        found = json.loads(engine.get("shown")(json.dumps(row), chosen))
        assert ["output", "", SURE if chosen else "", None] in found
        pressed = {name: said for tag, name, _, said in found if tag == "button"}
        options = [one.key for one in place.scene.options]
        wanted = {name: str(name == chosen).lower() for name in options} if chosen else {}
        assert pressed == {one["value"]: wanted.get(one["value"]) for one in row if "value" in one}
