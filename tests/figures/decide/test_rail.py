"""The rail: marks stand where the numbers say, words fit and keep apart, and the file is small."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from dpviz.answers.decide.budget.rail import answer, mound, say
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.answers.privacy.deployments import DEPLOYMENTS
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.figures.decide.rail import rail
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from tests.figures.decide.letters import boxes, faults
from tests.figures.privacy_pictures import LOOKS

NEED = Need(2, "value")
WIDTHS = (358, 700, 1110, 1376)
SVG = "{http://www.w3.org/2000/svg}"


def priced(size, **more):
    return Price((Way("all", size),), NEED, size, None if size is None else 1.5, **more)


def drawn(size=0.39, look=None, width=1110, spread=(0.28, 0.57), budget=None, **more):
    found = answer(priced(size), budget or PureDP(1), spread, **more)
    return found, rail(found, say(found, "pay"), look or Look(), width)


def kinds(picture, kind):
    return [one for one in ET.fromstring(picture).iter() if one.get("data-kind") == kind]


def across(found, size, width=1110):
    return 14 + (width - 28) * found.share(size)


def test_the_ring_and_the_spread_stand_at_their_budgets():
    found, picture = drawn()
    (ring,) = kinds(picture, "answer")
    assert float(ring.get("cx")) == pytest.approx(across(found, 0.39), abs=0.1)
    assert ring.get("fill") == LIGHT.page  # hollow: not published
    (pale,) = kinds(picture, "spread")
    start = float(pale.get("x"))
    assert start == pytest.approx(across(found, 0.28), abs=0.1)
    assert start + float(pale.get("width")) == pytest.approx(across(found, 0.57), abs=0.2)


def test_what_is_spent_is_filled():
    _, picture = drawn(is_spent=True)
    (ring,) = kinds(picture, "spent")
    assert ring.get("fill") == LIGHT.private
    assert not kinds(picture, "answer")
    assert not kinds(picture, "spread")


def test_others_stand_at_theirs():
    found, picture = drawn()
    wikipedia, apple, census = kinds(picture, "others")
    starts = [float(re.match(r"M([\d.]+)", one.get("d"))[1]) for one in (wikipedia, census)]
    assert starts == pytest.approx([across(found, 1.0), across(found, 19.61)], abs=0.1)
    assert float(apple.get("x")) == pytest.approx(across(found, 2.0), abs=0.1)
    assert float(apple.get("width")) == pytest.approx(
        across(found, 16.0) - across(found, 2.0), abs=0.2
    )
    texts = [one.text for one in boxes(picture)]
    for name, protects in say(found).others:
        assert name in texts
        assert protects in texts


def test_grains_are_those_of_the_numbers():
    found, picture = drawn()
    noise = mound(found.low, found.high)
    bare, private = (kinds(picture, kind)[0].get("d").count("M") for kind in ("bare", "private"))
    assert (bare, private) == (len(noise.bare), len(noise.private))
    at, high = noise.bare[700]
    points = re.findall(r"M(\d+)-(\d+)h0", kinds(picture, "bare")[0].get("d"))
    assert int(points[700][0]) == pytest.approx(at * (1110 - 28) * 2, abs=0.6)
    assert int(points[700][1]) == pytest.approx(high * 44 * 2, abs=0.6)


def test_ticks_stand_at_their_budgets():
    for width in WIDTHS:
        found, picture = drawn(width=width)
        ticks = found.ticks if width >= 700 else found.few
        marks = [float(one.get("x1")) for one in ET.fromstring(picture).iter(f"{SVG}line")]
        assert marks == pytest.approx([across(found, one, width) for one in ticks], abs=0.1)
        texts = [one.text for one in boxes(picture)]
        assert all(f"{one:g}" in texts for one in ticks)


@pytest.mark.few(8, 60)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("size", [None, 0.0002, 0.0103, 0.05, 0.39, 2.3, 9.9, 28.0])
def test_words_fit_and_keep_apart(look, width, size):
    _, picture = drawn(size, look, width)
    assert faults(picture, 20 if look.presenting else 13) == []
    assert len(picture.encode()) < 30_000


@pytest.mark.parametrize("size", [0.0002, 0.002, 0.02, 0.39, 28.0])
def test_names_of_others_never_touch(size):
    """A name that has no room is not there; its mark is."""
    for width in (1000, 1110, 1376):
        found, picture = drawn(size, width=width)
        names = [name for name, _ in say(found).others]
        boxed = sorted((one.left, one.right) for one in boxes(picture) if one.text in names)
        assert all(other[0] - one[1] > 8 for one, other in pairwise(boxed)), boxed
        assert len(boxed) >= len(names) - (size < 0.01)
        assert len(kinds(picture, "others")) == len(names)


def test_those_without_a_name_are_small_marks_at_theirs():
    found, picture = drawn()
    starts = [float(re.match(r"M([\d.]+)", one.get("d"))[1]) for one in kinds(picture, "further")]
    known = [one.low for one in DEPLOYMENTS if not one.on_rail and one.low < 30]
    assert starts == pytest.approx([across(found, one) for one in known], abs=0.1)
    assert len(known) == 8  # the axis ends below the ninth


@pytest.mark.parametrize("look", LOOKS)
def test_in_rho_others_are_left_out(look):
    found, picture = drawn(0.02, look, budget=ZCDP(1))
    assert not kinds(picture, "others")
    assert "Chosen" not in picture
    assert f"ρ = {found.size:g}" in picture


def test_presenting_and_narrow_rails_have_no_others():
    assert not kinds(drawn(look=Look(presenting=True))[1], "others")
    assert not kinds(drawn(width=358)[1], "others")


def test_without_an_answer_there_is_no_ring():
    _, picture = drawn(None)
    assert not kinds(picture, "answer")
    assert "No ε up to 10 does that." in picture
    empty = answer(None, PureDP(1))
    assert "<circle" not in rail(empty, say(empty), Look())


def test_both_papers_and_words_for_readers():
    for ink, other in ((LIGHT, DARK), (DARK, LIGHT)):
        found, picture = drawn(look=Look(ink))
        assert ink.private in picture
        assert other.private not in picture
        box = ET.fromstring(picture)
        assert (box.get("role"), box.get("aria-label")) == ("img", say(found, "pay").alt)


def test_notes_are_not_trusted():
    found = replace(answer(priced(0.39), PureDP(1)), spread=(0.1, 0.2))
    picture = rail(found, say(found, "<b>pay</b>"), Look())
    assert "<b>" not in picture
    ET.fromstring(picture)
