"""The tank: heights are shares of the promise."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from dpviz.answers.decide.tank import answer, say
from dpviz.figures.decide.tank import tank
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
ROOM = 72 - 4  # px between the rim and the ground


def drawn(found, look=None):
    box = ET.fromstring(tank(found, say(found), look or Look()))
    parts = {one.get("data-kind"): one for one in box.iter(f"{SVG}rect")}
    return box, {
        kind: (float(one.get("y")), float(one.get("height"))) for kind, one in parts.items()
    }


def test_before_a_release_what_it_takes_lies_on_top():
    _, parts = drawn(answer(1, 0.2, 0.39))
    top, high = parts["left"]
    assert high == pytest.approx(0.41 * ROOM, abs=0.1)
    assert top + high == pytest.approx(ROOM, abs=0.1)
    above, taken = parts["taken"]
    assert taken == pytest.approx(0.39 * ROOM, abs=0.1)
    assert above + taken == pytest.approx(top, abs=0.2)


def test_after_it_only_what_is_left():
    _, parts = drawn(answer(1, 0.39))
    assert parts.keys() == {"left"}
    assert parts["left"][1] == pytest.approx(0.61 * ROOM, abs=0.1)


def test_an_empty_tank_and_one_with_too_little():
    assert drawn(answer(1, 1))[1] == {}
    box, parts = drawn(answer(1, 0.8, 0.39))
    assert parts.keys() == {"taken"}
    assert parts["taken"][1] == pytest.approx(0.2 * ROOM, abs=0.1)
    (wall,) = box.iter(f"{SVG}path")
    assert wall.get("stroke-dasharray")
    (wall,) = drawn(answer(1, 0.8, 0.1))[0].iter(f"{SVG}path")
    assert not wall.get("stroke-dasharray")


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_it_says_itself_in_the_colour_of_its_paper(ink):
    found = answer(1, 0, 0.39)
    box, _ = drawn(found, Look(ink))
    assert (box.get("role"), box.get("aria-label")) == ("img", say(found).alt)
    (wall,) = box.iter(f"{SVG}path")
    assert wall.get("stroke") == ink.private
    assert float(drawn(found, Look(ink, presenting=True))[0].get("height")) == 108
