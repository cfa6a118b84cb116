"""Teach 4: with Ana, without Ana."""

import math
import re

import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.teach.promise.two_worlds import SCENE, numbers

STOPS = SCENE.control.stops


@pytest.mark.parametrize(
    ("eps", "most", "inside", "outside"),
    [
        (0.01, "10.1", 502, 498),
        (0.1, "11", 525, 475),
        (0.5, "15.5", 622, 378),
        (1.0, "23.2", 731, 269),
        (2.0, "45.1", 881, 119),
        (5.0, "94.3", 993, 7),
        (10.0, "99.96", 1000, 0),
    ],
)
def test_the_figures_of_the_script(eps, most, inside, outside):
    told = numbers(eps)
    assert told.at_most == most
    assert (round(1000 * told.high_with), round(1000 * told.high_without)) == (inside, outside)


@pytest.mark.parametrize("eps", STOPS)
def test_no_answer_is_a_lucky_one(eps):
    told = numbers(eps)
    assert (told.truth, told.without) == (16, 15)
    assert told.ratio == pytest.approx(math.exp(eps))
    ratios = [one / other for one, other in zip(told.with_law, told.without_law, strict=True)]
    assert ratios == pytest.approx([math.exp(-eps)] * 11 + [math.exp(eps)] * 11)
    assert told.shown >= told.truth


def test_the_laws_are_discrete_laplace():
    p = math.exp(-0.5)
    law = [(1 - p) / (1 + p) * p ** abs(k - 16) for k in range(5, 27)]
    assert numbers(0.5).with_law == pytest.approx(law)
    assert numbers(0.5).high_with == pytest.approx(1 / (1 + p))


def test_what_stands_after_at_most_is_rounded_up():
    assert [numbers(eps).times for eps in STOPS] == [
        "1.02", "1.03", "1.06", "1.11", "1.23", "1.65", "2.72", "7.39", "149", "22,027",
    ]  # fmt: skip
    assert [numbers(eps).likelier for eps in STOPS] == [
        "1.01", "1.02", "1.05", "1.11", "1.22", "1.65", "2.72", "7.39", "148", "22,026",
    ]  # fmt: skip
    for eps in STOPS:
        told = numbers(eps)
        assert float(told.likelier.replace(",", "")) == pytest.approx(math.exp(eps), rel=0.005)
        assert math.exp(eps) <= float(told.times.replace(",", "")) < 1.01 * math.exp(eps) + 0.01
    assert [numbers(eps).added for eps in STOPS] == [0, 0, 0, 1, 2, 5, 13, 35, 84, 90]


def test_the_sentences():
    said = SCENE.say(numbers(0.1))
    assert said.headline == "Whatever comes out, 10 in 100 becomes :orange[at most 11]."
    assert said.sentence == (
        "Odds × e^0.1: **10 : 90 × 1.105 = 11.05 : 90**. 16 or more: 525 in 1,000 if hers is bad, "
        "475 if not."
    )
    for eps in STOPS:
        power, times = re.match(r"Odds × e\^([\d.]+): \*\*10 : 90 × ([\d.,]+) = ",
                                SCENE.say(numbers(eps)).sentence).groups()  # fmt: skip
        assert float(times.replace(",", "")) == pytest.approx(math.exp(float(power)), rel=0.005)
        inside, many, outside = (
            float(one.replace(",", ""))
            for one in re.search(r"more: ([\d,]+) in ([\d,]+) if hers is bad, ([\d,]+) if not",
                                 SCENE.say(numbers(eps)).sentence).groups()
        )  # fmt: skip
        assert inside / many == pytest.approx(1 / (1 + math.exp(-eps)), abs=0.51 / many)
        assert outside / many == pytest.approx(1 / (1 + math.exp(eps)), abs=0.51 / many)
        assert outside > 0  # no answer is impossible
    assert "ε = 0.1" in SCENE.ask(numbers(0.1)).sentence
    assert "ten filled" in SCENE.alt(numbers(0.1)) or "10 filled" in SCENE.alt(numbers(0.1))


@pytest.mark.parametrize("eps", STOPS)
def test_the_odds_are_a_sum_that_holds(eps):
    told = numbers(eps)
    before, times, after = re.fullmatch(
        r"(10) : 90 × ([\d.,]+) = ([\d.,]+) : 90", told.odds
    ).groups()
    times, after = (float(one.replace(",", "")) for one in (times, after))
    assert times == pytest.approx(math.exp(eps), rel=6e-4)
    assert after == pytest.approx(float(before) * math.exp(eps), rel=6e-4)
    share = 100 * after / (after + 90)
    assert share - 0.05 <= float(told.at_most) <= share + 0.15  # rounded up


def test_a_guess_is_judged_by_the_odds_at_a_tenth():
    odds = 10 / 90 * math.exp(0.1)
    most = math.ceil(1000 * odds / (1 + odds)) / 10
    assert SCENE.right.text == f"{most:g} in 100"
    assert f"at most {most:g} in 100" in SCENE.verdict("d")


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_below_a_tenth_ratios_stand_in_place_of_bars(screen):
    for eps in STOPS:
        marks = {mark["id"]: mark for mark in SCENE.marks(numbers(eps), "reveal", screen)}
        assert ("with" in marks) == (eps >= 0.1) != ("less ratio" in marks)
        if eps < 0.1:
            words = [marks[f"{name} ratio"]["text"] for name in ("less", "more")]
            assert words == [f"× {math.exp(-eps):.2f}", f"× {math.exp(eps):.2f}"]
            assert (marks["less likely"]["high"], marks["more likely"]["low"]) == (15.5, 15.5)


def test_the_question_shows_neither_the_ratio_nor_what_an_answer_adds():
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(0.1), "predict", DESK)}
    assert (marks["people"]["before"], marks["people"]["added"]) == (10, 0)
    assert not {"times", "after", "came", "dot"} & set(marks)


def test_what_was_three_to_one_on_phones_is_this_epsilon():
    assert SCENE.formula.endswith("e^(1.1) = 3")
    assert round(math.log(3), 1) == 1.1
    assert round(math.exp(1.1), 1) == 3


def test_how_far_apart_worlds_are_is_said_on_screen():
    for eps in STOPS:
        told = numbers(eps)
        shown = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", DESK)}
        assert shown["apart"]["text"] == (
            "Good or absent: 1 lower. A replaced value costs up to 2ε."
        )
        assert told.truth - told.without == 1
        assert "apart" not in {mark["id"] for mark in SCENE.marks(told, "predict", DESK)}


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("eps", SCENE.control.stops)
def test_the_most_that_a_suspicion_becomes_stands_there_from_the_answer_on(eps, screen):
    ids = {
        beat: {mark["id"] for mark in SCENE.marks(numbers(eps), beat, screen)}
        for beat in ("predict", "reveal")
    }
    assert "after" in ids["reveal"] - ids["predict"]
