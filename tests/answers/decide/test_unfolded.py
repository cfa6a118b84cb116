"""The unfolded frontier: its lines are those that the answer was read from, its point is it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.budget import rail, unfolded
from dpviz.answers.decide.exact.count import CountQuestion
from dpviz.answers.decide.exact.curve import CurveQuestion
from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.price import MOST, Need, bought, price, two_digits
from dpviz.answers.decide.quantiles import Sampled, question
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.intake.samples import Noun

PURE = PureDP(1.0)
NAMES = NeedNames("exam marks", Noun("mark", "marks"), Noun("student", "students"))
EXAM = question(QuantileSet.of(DECILES), 6_000, Sampled("exam", Bounds(0, 100), 1.0), PURE)
COUNT = CountQuestion(above=50.0, budget=PURE, people=6_000)
CURVE = CurveQuestion(bounds=Bounds(0, 100), step=1.0, is_secure=False, budget=PURE, people=6_000)
CASES = [
    (EXAM, Need(1, "unit")),
    (EXAM, Need(2, "value")),
    (EXAM, Need(1, "share", 0.8)),
    (EXAM, Need(60, "places")),
    (COUNT, Need(10, "people")),
    (CURVE, Need(50, "people", 0.9)),
]


def unfold(form, need, size=None):
    found = price(form, need) if size is None else bought(form, size, need)
    on = rail.answer(found, form.budget)
    return found, on, unfolded.answer(form, found, on)


@pytest.mark.few(1)
@pytest.mark.parametrize(("form", "need"), CASES)
def test_every_point_of_a_line_is_what_the_method_is_off_by(form, need):
    found, on, shown = unfold(form, need)
    assert [one.key for one in shown.lines] == [one.key for one in found.ways]
    for line in shown.lines:
        assert np.all(np.diff(line.sizes) > 0)
        assert line.sizes[-1] == pytest.approx(min(on.high, MOST))
        for size, off in zip(line.sizes, line.offs, strict=True):
            assert off == form.off(line.key, float(size), need)


@pytest.mark.parametrize(("form", "need"), CASES)
def test_the_point_is_the_budget_of_the_sentence_and_its_need(form, need):
    found, _, shown = unfold(form, need)
    assert shown.size == found.size
    assert shown.need == need.amount
    first = shown.lines[0]
    assert first.key == found.chosen.key
    (at,) = np.flatnonzero(first.sizes == found.size)
    assert first.offs[at] <= need.amount
    below = max(one for one in two_digits() if one < found.size)
    assert form.off(first.key, below, need) > need.amount


def test_the_axis_reaches_as_far_as_its_lines_and_no_farther_than_it_may():
    need = Need(10, "people")
    for form in (COUNT, EXAM):
        asked = need if form is COUNT else Need(2, "value")
        _, _, shown = unfold(form, asked)
        offs = [off for line in shown.lines for off in line.offs.tolist() if off > 0]
        low = max(min(offs), asked.amount / 30)
        high = min(max(offs), asked.amount * 60)
        assert shown.low == pytest.approx(min(low, asked.amount / 2) / 1.2)
        assert shown.high == pytest.approx(max(high, asked.amount * 2) * 1.2)
    deep = replace(COUNT, people=10**9)
    _, _, shown = unfold(deep, Need(5_000, "people"))
    assert shown.low == pytest.approx(5_000 / 30 / 1.2)


def test_a_given_budget_has_the_need_that_it_keeps():
    found, _, shown = unfold(COUNT, Need(0.0, "people"), 0.5)
    assert (shown.size, shown.need) == (0.5, found.off)
    said = unfolded.say(shown, found, "ρ", NAMES, str)
    assert said.need == "your ρ: 6 students"  # nobody needs them: they are what was typed keeps


@pytest.mark.parametrize(("form", "need"), CASES)
def test_the_need_stands_inside_the_axis_and_marks_are_round(form, need):
    _, _, shown = unfold(form, need)
    assert 0.1 < shown.share(shown.need) < 0.95
    assert shown.share(shown.low) == 0
    assert shown.share(shown.high) == 1
    assert shown.share(0.0) == 0
    assert shown.share(2 * shown.high) == 1
    middle = math.sqrt(shown.low * shown.high)
    assert shown.share(middle) == pytest.approx(0.5)
    for one in shown.ticks:
        assert shown.low * 0.999 <= one <= shown.high * 1.001
        assert f"{one:.0e}"[0] in "125"
    assert len(shown.ticks) >= 2


def test_a_need_of_nothing_has_no_place_on_it():
    found = price(EXAM, Need(0.0, "unit"))
    assert unfolded.answer(EXAM, found, rail.answer(found, PURE)) is None


def test_what_no_budget_keeps_has_lines_and_no_point():
    found, on, _ = unfold(EXAM, Need(1, "unit"))
    shown = unfolded.answer(EXAM, replace(found, size=None, off=None), on)
    assert shown.size is None
    assert len(shown.lines) == len(found.ways)
    said = unfolded.say(shown, found, "ε", NAMES, str)
    assert said.alt.endswith("your need: 1 mark.")


def test_the_words_say_unit_need_and_answer():
    found, _, shown = unfold(COUNT, Need(10, "people"))
    said = unfolded.say(shown, found, "ε", NAMES, lambda way: f"way {way}")
    assert said.title == "Off by at most (students), 19 times of 20"
    assert said.need == "your need: 10 students"
    assert said.names == {"count": "way count"}
    assert said.alt == (
        "Off by at most (students), 19 times of 20, at each ε: way count. your need: 10 students, "
        f"kept by way count at ε = {found.size:g}."
    )
    found, _, shown = unfold(EXAM, Need(1, "unit", 0.9))
    said = unfolded.say(shown, found, "ε", NAMES, str)
    assert said.title == "Off by at most (marks), 9 times of 10"
    assert said.need == "your need: 1 mark"


def test_in_rho_it_lies_over_the_axis_of_rho():
    form = CountQuestion(above=50.0, budget=ZCDP(1.0), people=6_000)
    found, on, shown = unfold(form, Need(10, "people"))
    assert shown.lines[0].sizes[0] == pytest.approx(on.low)
    assert found.size in shown.lines[0].sizes
