"""A hundred people: each kind is counted, and every word fits."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from dpviz.answers.decide.risk import RiskNames, answer, say
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.figures.decide.risks import risks, small_risks
from dpviz.figures.decide.svg import wrapped
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from tests.figures.decide.letters import boxes, faults
from tests.figures.privacy_pictures import LOOKS

NUMBERS = answer(PureDP(0.39), Neighbours.ADD_REMOVE)
SAID = say(NUMBERS, RiskNames(value="salary"))
SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("before", "added", "others")


def people(picture):
    """How many heads each kind has: a figure is two closed outlines."""
    found = {one.get("data-kind"): one for one in ET.fromstring(picture).iter(f"{SVG}path")}
    return tuple(found[kind].get("d").count("z") // 2 if kind in found else 0 for kind in KINDS)


def lines(picture):
    return [one.text for one in boxes(picture)]


@pytest.mark.parametrize("look", LOOKS)
def test_people_are_those_of_the_numbers(look):
    assert people(risks(NUMBERS, SAID, look)) == (10, 5, 85)
    assert people(small_risks(NUMBERS, SAID, look)) == (10, 5, 5)


@pytest.mark.parametrize(("after", "all_of_them"), [(10, (10, 0, 90)), (100, (10, 90, 0))])
def test_nobody_and_everybody_is_added(after, all_of_them):
    found = replace(NUMBERS, after=after, added=after - 10)
    assert people(risks(found, SAID, Look())) == all_of_them


@pytest.mark.parametrize(("after", "others"), [(21, 9), (30, 0), (100, 0)])
def test_the_small_picture_has_as_many_rows_as_it_takes(after, others):
    found = replace(NUMBERS, after=after, added=after - 10)
    assert people(small_risks(found, SAID, Look())) == (10, after - 10, others)


@pytest.mark.few(12, 37)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("value", ["mark", "salary", "monthly household income"])
@pytest.mark.parametrize("epsilon", [0.01, 0.39, 9.0])
def test_every_word_fits(look, value, epsilon):
    found = answer(PureDP(epsilon), Neighbours.ADD_REMOVE)
    said = say(found, RiskNames(value=value))
    for draw in (risks, small_risks):
        least = 20 if look.presenting and not look.phone else 14.5
        assert faults(draw(found, said, look), least) == []


def test_notes_stand_beside_their_rows():
    drawn = boxes(risks(NUMBERS, SAID, Look()))
    assert [one.text for one in drawn[:2]] == ["10 before", "+ 5, at most, after"]
    for row, one in enumerate(drawn[:2]):
        assert (one.top + one.bottom) / 2 == pytest.approx(31 * (row + 0.5), abs=2)
    assert lines(risks(NUMBERS, SAID, Look(presenting=True))) == ["10 before", "+ 5 after"]
    phone = " ".join(lines(risks(NUMBERS, SAID, Look(screen="phone"))))
    assert risks(NUMBERS, SAID, Look(screen="narrow")) == risks(NUMBERS, SAID, Look(screen="phone"))
    assert phone.endswith(
        "Guessing Ida’s salary: 10 grows to at most 20. Exact numbers: up to 100."
    )


def test_both_papers():
    for ink in (LIGHT, DARK):
        drawn = risks(NUMBERS, SAID, Look(ink))
        assert ink.truth in drawn
        assert ink.danger in drawn
        assert ink.danger_text in drawn
        other = DARK if ink is LIGHT else LIGHT
        assert other.truth not in drawn


def test_it_is_an_image_with_words():
    box = ET.fromstring(risks(NUMBERS, SAID, Look()))
    assert box.get("role") == "img"
    assert box.get("aria-label") == SAID.alt
    small = ET.fromstring(small_risks(NUMBERS, SAID, Look()))
    assert small.get("aria-label") == SAID.small_alt


def test_names_are_not_trusted():
    said = say(answer(ZCDP(0.02), Neighbours.ADD_REMOVE), RiskNames(value='<b a="1">&'))
    drawn = risks(NUMBERS, said, Look())
    assert "<b" not in drawn
    ET.fromstring(drawn)


def test_lines_break_at_spaces_and_keep_their_styles():
    note = (("+ 5", "strong"), (", at most, after reading", "plain"))
    assert wrapped(note, 13) == [
        [("+ 5", "strong"), (", at most,", "plain")],
        [("after reading", "plain")],
    ]
    number = (("grows to at most ", "plain"), ("100", "strong"), (".", "plain"))
    assert wrapped(number, 20)[1:] == [[("100", "strong"), (".", "plain")]]  # no stop stands alone
    assert len(wrapped(number, 21)) == 1
    assert wrapped((("a-very-long-word b", "x"),), 4) == [[("a-very-long-word", "x")], [("b", "x")]]
