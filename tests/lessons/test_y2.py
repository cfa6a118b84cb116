"""Prices of questions: one target, four sets of quantiles."""

from __future__ import annotations

import pytest

from dpviz.lessons import needs
from dpviz.lessons.try_it.y2 import SCENE, price
from tests.lessons.boxes import check_pictures, check_sentences, plain

INTERVALS = {
    "median": (0.012, 0.022),
    "quartiles": (0.043, 0.069),
    "deciles": (0.15, 0.20),
    "percentiles": (0.40, 0.50),
}


@pytest.mark.parametrize("question", SCENE.control.stops)
def test_the_sentence_is_that_of_the_script(question):
    said = SCENE.say(SCENE.numbers(question, 1)).sentence
    assert said == "Median 0.012, quartiles 0.047, deciles 0.17, percentiles 0.46."


@pytest.mark.parametrize("question", INTERVALS)
def test_the_intervals_are_those_of_the_script(question):
    found = needs.need(needs.SALARIES, question, 1.0)
    assert (found.low, found.high) == pytest.approx(INTERVALS[question], rel=0.05)


def test_ninety_nine_numbers_cost_about_thirty_seven_times_one():
    told = SCENE.numbers("percentiles", 1)
    assert round(told.times("percentiles")) == 37
    headline = plain(SCENE.say(told).headline)
    assert headline == "99 numbers cost about 37 times what one costs."
    assert "37" in SCENE.right.text


def test_exam_marks_cost_twice_as_much():
    need = needs.need("exam", "deciles", 1.0)
    assert [price(one) for one in (need.epsilon, need.low, need.high)] == ["0.35", "0.32", "0.41"]
    assert all(one in SCENE.answer for one in ("0.35", "0.32", "0.41"))


def test_bars_are_as_long_as_their_prices():
    told = SCENE.numbers("deciles", 1)
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", False)}
    for question, value in told.prices.items():
        assert marks[f"{question} bar"]["to"][0]["value"] == value
    assert len(marks["percentiles asked"]["x"]) == 99


def test_before_the_guess_there_is_no_price():
    marks = SCENE.marks(SCENE.numbers("deciles", 1), "predict", False)
    named = {mark["id"].split()[-1] for mark in marks if mark["kind"] != "axis"}
    assert named == {"card", "name", "count", "line", "asked"}


def test_sentences_fit_their_lines():
    check_sentences(SCENE)


def test_words_stay_apart():
    check_pictures(SCENE)
