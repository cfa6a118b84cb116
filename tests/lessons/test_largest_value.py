"""T6: bounds too tight and too wide; figures as in the script."""

import re

import numpy as np
import pytest

from dpviz.figures.stage.screen import DESK
from dpviz.intake.samples import load_sample
from dpviz.lessons import one_bound
from dpviz.lessons.one_bound import STOPS, numbers, piled
from dpviz.lessons.teach.noise.largest_value import SCENE
from tests.lessons.boxes import plain


def said(bound):
    words = SCENE.say(numbers(bound))
    return plain(words.headline), words.sentence


def test_errors_are_those_of_the_script():
    found = [numbers(stop).error for stop in STOPS]
    assert [round(one) for one in found] == [
        12_434, 5_597, 2_729, 958, 746, 1_333, 3_333, 33_333, 333_333,
    ]  # fmt: skip
    assert STOPS[numbers(STOPS[0]).best] == 1_000_000
    assert [round(one) for one in numbers(STOPS[0]).medians] == [59] * 7 + [58, 52]


def test_the_sentence_at_the_start_and_at_both_ends():
    true = "The true one is 49,146."
    assert said(500_000_000) == (
        "Nobody earns 500 million. The bound costs 333,333.",
        f"Three averages published under that bound: 57,121, 819,780 and −365,417. {true}",
    )
    assert said(500_000) == (
        "A bound of 500,000 cuts pay off: off by 958.",
        f"Three averages published under that bound: 48,216, 48,979 and 47,794. {true}",
    )
    assert said(50_000) == (
        "A bound of 50,000 cuts pay off: off by 12,434.",
        f"Three averages under that bound: 36,712, 36,789 and 36,670: precise, and wrong. {true}",
    )


def test_the_best_of_nine_bounds_is_not_the_curves_foot():
    """The slow twin clips every salary and draws the noise's mean error, one bound at a time."""
    pay, people = load_sample("salaries")[0], 15_000

    def off(bound):
        cut, scale = (pay - np.minimum(pay, bound)).sum() / people, bound / (0.1 * people)
        return cut + scale * np.exp(-cut / scale)

    told = numbers(1_000_000)
    assert told.error == pytest.approx(off(1_000_000))
    assert min(STOPS, key=off) == 1_000_000
    bound, error = told.foot
    every = {one: off(one) for one in range(500_000, 1_200_001, 1_000)}
    assert bound == min(every, key=every.__getitem__)
    assert error == pytest.approx(every[bound])
    assert said(1_000_000) == (
        "Of these nine bounds 1 million is best: off by 746.",
        "The curve’s foot is 705 at 790,000. No one may look for it in the file: that would leak.",
    )


def test_the_noise_per_head_is_the_bound_over_epsilon_and_people():
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(500_000_000), "reveal", DESK)}
    assert marks["wide sum"]["text"] == f"500 M/(0.1 × 15,000) = {500_000_000 / 1_500:,.0f}"


@pytest.mark.parametrize(
    ("bound", "words"),
    [(2e5, "200,000"), (5e6, "5 M"), (5e8, "500 M")],
    ids=["tight", "wide", "far"],
)
def test_the_teachers_line_of_a_medians_limits(bound, words):
    """The slow twin weighs every gap between 40 salaries by its width and its distance in rank.

    The mechanism spreads each salary over its step of 100 first, which moves the last figure by 2.
    """
    pay = np.sort(load_sample("office")[0])
    widths = np.diff(np.concatenate(([0.0], pay, [float(bound)])))
    weight = widths * np.exp(-0.5 * np.abs(np.arange(41) - 20))
    outside = 1_000 * (weight[0] + weight[-1]) / weight.sum()
    assert "by a search that ε pays for" in SCENE.teacher  # which “Declare the bounds” offers
    (told,) = re.findall(rf"(\d+) (?:median )?in 1,000 [^,]*{re.escape(words)}\b", SCENE.teacher)
    assert float(told) == pytest.approx(outside, rel=0.003, abs=0.5)


def test_a_guess_is_judged_at_500_million():
    assert SCENE.verdict("b").endswith(
        "A bound of 500 million: **off by 333,333 on average; the true one is 49,146**."
    )


def test_before_the_guess_only_the_first_bound_is_known():
    asked = SCENE.ask(numbers(SCENE.control.start))
    assert asked.headline == "To be safe: raise the bound to 500 million?"
    assert asked.sentence.startswith("Higher pay counts as the bound. 15,000 people")
    assert asked.sentence.endswith("Under 500,000: off by 958.")
    kinds = {mark["kind"] for mark in SCENE.marks(numbers(500_000), "predict", DESK)}
    assert "curve" not in kinds


@pytest.mark.parametrize("bound", [30_000, 50_000, 200_000, 5_000_000])
def test_a_pile_keeps_everybody_and_nobody_beyond_the_bound(bound):
    pay = one_bound._pay()
    free = piled(pay, np.inf, 90, 2_300_000)
    found = piled(pay, bound, 90, 2_300_000)
    assert sum(found) == pay.size
    assert max(found) == max(free)
    edges = np.geomspace(one_bound.LEAST, 2_300_000, 91)
    assert not any(found[i] for i in range(90) if edges[i] > bound)


def test_other_draws_move_only_what_is_drawn():
    one, other = numbers(500_000, 1), numbers(500_000, 2)
    assert one.averages != other.averages
    assert one.error == other.error
