"""The frontier over the rail: one axis for both, marks where the numbers say, words inside."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from dpviz.answers.decide.budget import rail, unfolded
from dpviz.answers.decide.exact.curve import CurveQuestion
from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.price import Need, price
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.figures.decide.rail import rail as rail_picture
from dpviz.figures.decide.unfolded import unfolded as picture_of
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import LIGHT, mark_of
from dpviz.intake.samples import Noun
from tests.figures.decide.letters import boxes
from tests.figures.privacy_pictures import LOOKS

FORM = CurveQuestion(
    bounds=Bounds(0, 100), step=1.0, is_secure=False, budget=PureDP(1.0), people=6_000
)
NAMES = NeedNames("marks", Noun("mark", "marks"), Noun("student", "students"))


@cache
def found():
    return price(FORM, Need(50, "people"))


@cache
def on():
    return rail.answer(found(), FORM.budget)


@cache
def numbers():
    return unfolded.answer(FORM, found(), on())


@cache
def said():
    return unfolded.say(numbers(), found(), "ε", NAMES, FORM.words)


def drawn(look=None, width=1110):
    return picture_of(numbers(), said(), on(), look or Look(), width)


def kinds(picture, kind):
    return [one for one in ET.fromstring(picture).iter() if one.get("data-kind") == kind]


@pytest.mark.parametrize("width", [350, 1110, 1180])
def test_the_answer_stands_above_its_ring_on_the_rail(width):
    (dot,) = kinds(drawn(width=width), "answer")
    (ring,) = kinds(rail_picture(on(), rail.say(on()), Look(), width=width), "answer")
    assert dot.get("cx") == ring.get("cx")
    (need,) = kinds(drawn(width=width), "need")
    assert dot.get("cy") == need.get("y1") == need.get("y2")
    bottom = float(ET.fromstring(drawn(width=width)).get("height"))
    wanted = bottom - (bottom - 26) * numbers().share(numbers().need)
    assert float(dot.get("cy")) == pytest.approx(wanted, abs=0.1)


def test_a_method_has_its_own_hue_here_too():
    ink = replace(LIGHT, marks={one.key: mark_of("pink") for one in numbers().lines[:1]})
    first, *rest = (kinds(drawn(Look(ink)), one.key)[0].get("stroke") for one in numbers().lines)
    assert first == LIGHT.of("pink")
    assert rest == [LIGHT.of(one) for one in ("amber", "green", "violet")[: len(rest)]]
    alone = kinds(drawn(), numbers().lines[0].key)[0].get("stroke")
    assert alone == LIGHT.of("blue")


def test_every_line_goes_through_its_points():
    picture = drawn()
    top, bottom = 26.0, float(ET.fromstring(picture).get("height"))
    for line in numbers().lines:
        (path,) = kinds(picture, line.key)
        points = re.findall(r"([\d.]+) ([\d.]+)", path.get("d"))
        assert len(points) == line.sizes.size
        for (x, y), size, off in zip(points, line.sizes, line.offs, strict=True):
            assert float(x) == pytest.approx(14 + 1082 * on().share(float(size)), abs=0.1)
            assert float(y) == pytest.approx(
                bottom - (bottom - top) * numbers().share(float(off)), abs=0.1
            )


def test_the_answering_method_is_bold_and_named_first():
    picture = drawn()
    widths = {
        one.key: float(kinds(picture, one.key)[0].get("stroke-width")) for one in numbers().lines
    }
    first = numbers().lines[0].key
    assert widths[first] > 2 * max(wide for key, wide in widths.items() if key != first)
    texts = [one.text for one in boxes(picture)]
    named = [said().names[one.key] for one in numbers().lines]
    assert [one for one in texts if one in named] == named
    colours = {kinds(picture, one.key)[0].get("stroke") for one in numbers().lines}
    assert len(colours) == len(numbers().lines)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("width", [350, 1110])
def test_words_lie_inside(look, width):
    if look.presenting and width == 350:
        return  # no screen of a room is so narrow
    picture = drawn(look, width)
    high = float(ET.fromstring(picture).get("height"))
    for one in boxes(picture):
        assert 0 <= one.left < one.right <= width, one
        assert 0 <= one.top < one.bottom <= high + 1, one


def test_without_an_answer_there_is_no_dot():
    none = replace(found(), size=None)
    shown = unfolded.answer(FORM, none, on())
    words = unfolded.say(shown, none, "ε", NAMES, FORM.words)
    assert kinds(picture_of(shown, words, on(), Look()), "answer") == []
