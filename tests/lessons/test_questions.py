"""Prices of questions: one target, four sets of quantiles."""

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.figures.stage.screen import DESK
from dpviz.intake.samples import sample_column
from dpviz.lessons import needs
from dpviz.lessons.try_it.questions import SCENE, price
from dpviz.metrics.quantiles import gaps
from tests.lessons.boxes import plain

MIDDLE = {"quartiles": 0.052, "deciles": 0.17, "percentiles": 0.46, needs.ONE_BY_ONE: 6.9}


@pytest.mark.parametrize("question", SCENE.control.stops)
def test_the_sentence_is_that_of_the_script(question):
    said = SCENE.say(SCENE.numbers(question, 1)).sentence
    assert said == (
        "Median 0.017, quartiles 0.053, deciles 0.17, percentiles 0.45; one by one 7.0, about 400 "
        "times."
    )


@pytest.mark.parametrize("question", MIDDLE)
def test_the_intervals_hold_the_prices_of_the_script(question):
    found = needs.need(needs.SALARIES, question, 1.0)
    assert found.low <= found.epsilon <= found.high
    assert found.low <= MIDDLE[question] <= found.high
    assert found.high < 1.1 * found.low  # 5,000 runs


@pytest.mark.law
def test_the_median_is_told_by_its_law():
    """The slow twin: how many of 10,000 medians are within 150 records of the true one."""
    need = needs.need(needs.SALARIES, "median", 1.0)
    assert need.low == need.epsilon == need.high
    column, rng = sample_column("salaries"), np.random.default_rng(2)
    shares = []
    for epsilon in (0.8 * need.epsilon, need.epsilon, 1.25 * need.epsilon):
        drawn = needs.MECHANISM.release_many(column, [0.5], PureDP(epsilon), rng, 10_000)
        shares.append((gaps(column, [0.5], drawn) <= 150).mean())
    assert shares[1] == pytest.approx(0.95, abs=6 * (0.95 * 0.05 / 10_000) ** 0.5)
    assert shares[0] < 0.93  # a fifth of ε is seen
    assert shares[2] > 0.965


def test_ninety_nine_numbers_cost_about_twenty_seven_times_one():
    told = SCENE.numbers("percentiles", 1)
    times = {one: told.prices[one] / told.prices["median"] for one in told.prices}
    assert [round(times[one]) for one in ("quartiles", "deciles", "percentiles")] == [3, 10, 27]
    headline = plain(SCENE.say(told).headline)
    assert headline == f"99 numbers cost about {times['percentiles']:.0f} times what one costs."
    assert SCENE.right.text == f"About {times['percentiles']:.0f} times"
    assert SCENE.verdict("a").endswith(f"about {times['percentiles']:.0f} times**.")


def test_one_by_one_costs_even_more_than_ninety_nine_times():
    told = SCENE.numbers("percentiles", 1)
    times = needs.need(needs.SALARIES, needs.ONE_BY_ONE, 1.0).epsilon / told.prices["median"]
    assert round(times, -2) == told.times_one_by_one == 400
    (wrong,) = [one for one in SCENE.options if one.text.startswith("99 times")]
    assert wrong.reason.startswith("One by one is even about 400:")


def test_exam_marks_cost_twice_as_much():
    need = needs.need("exam", "deciles", 1.0)
    prices = [price(one) for one in (need.epsilon, need.low, need.high)]
    assert all(one in SCENE.answer for one in prices)
    assert need.epsilon / needs.need(needs.SALARIES, "deciles", 1.0).epsilon == pytest.approx(
        2, abs=0.25
    )


def test_bars_are_as_long_as_their_prices():
    told = SCENE.numbers("deciles", 1)
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", DESK)}
    for question, value in told.prices.items():
        assert marks[f"{question} bar"]["to"][0]["value"] == value
    assert len(marks["percentiles asked"]["x"]) == 99


def test_before_the_guess_there_is_no_price():
    marks = SCENE.marks(SCENE.numbers("deciles", 1), "predict", DESK)
    named = {mark["id"].split()[-1] for mark in marks if mark["kind"] != "axis"}
    assert named == {"card", "name", "count", "line", "asked"}
