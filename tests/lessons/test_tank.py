"""Teach 5: the tank, and the mean of more and more answers."""

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.averaging import optimal_epsilon
from dpviz.figures.stage.screen import DESK
from dpviz.lessons import averaged
from dpviz.lessons.averaged import mean_error, numbers, places, reach_of_mean, within
from dpviz.lessons.teach.noise.tank import SCENE, about

STOPS = SCENE.control.stops


def drawn():
    """The slow twin: 40 people ask 1,000 times each, one answer after the other."""
    rng = np.random.default_rng([5, 100])
    answers = 16 + Noise.DISCRETE_LAPLACE.draw(10.0, (40_000,), rng)
    return np.array([answers[1_000 * i : 1_000 * (i + 1)] for i in range(40)])


def chances(count):
    """The slow twin: the law of a sum of noises, folded one by one, on −3,000 … 3,000."""
    p, found = np.exp(-0.1), np.ones(1)
    one = (1 - p) / (1 + p) * p ** np.abs(np.arange(-300.0, 301))
    for _ in range(count):
        found = np.convolve(found, one)
        cut = max(0, (found.size - 6_001) // 2)
        found = found[cut : found.size - cut]
    return found, np.abs(np.arange(found.size) - found.size // 2)


def test_the_figures_of_the_script():
    told = numbers(100)
    averages = drawn()[:, :100].mean(axis=1)
    assert told.truth == 16
    assert told.averages == pytest.approx(averages)
    assert told.span == pytest.approx((averages.min(), averages.max()))
    assert [round(one, 1) for one in told.span] == [13.5, 19.3]
    assert told.near == (np.abs(averages - 16) <= 1).sum() == 27
    assert [numbers(k).spent for k in (1, 10, 100, 500, 1000)] == [0.1, 1, 10, 50, 100]
    assert told.most == pytest.approx(0.232, abs=0.0005)
    assert (told.paid, told.over, numbers(500).over) == (10, 9, 49)


@pytest.mark.parametrize("count", [1, 10, 100])
def test_mean_errors_are_those_of_the_law(count):
    law, off = chances(count)
    told = numbers(count)
    assert told.off == pytest.approx((law * off).sum() / count, rel=1e-6)
    assert told.very_near == pytest.approx(law[off <= 0.05 * count].sum(), rel=1e-6)


def test_mean_errors_of_the_script():
    found = [mean_error(k) for k in (1, 10, 100, 500, 1000)]
    assert found == pytest.approx([10, 3.5, 1.13, 0.50, 0.36], abs=0.025)
    assert about(found[0]) == "10"
    assert [about(one) for one in found[1:]] == ["3.5", "1", "0.5", "0.36"]
    for k in STOPS:
        assert float(about(mean_error(k))) == pytest.approx(mean_error(k), rel=0.12)


def test_the_run_that_is_drawn_begins_as_far_off_as_answers_are():
    told = numbers(1)
    assert abs(told.mean(1) - told.truth) == pytest.approx(mean_error(1), abs=0.5)
    assert told.mean(1) == drawn()[told.run, 0]


def test_the_teachers_line_of_what_the_mean_tells():
    """A mean above 15.5 says that Ana's mark is in: so often it is right."""
    share = (1 + within(1_000, 0.499)) / 2 + (within(1_000, 0.5) - within(1_000, 0.499)) / 4
    assert f"in {round(100 * share)} of 100 tries" in " ".join(SCENE.teacher.split())


def test_the_best_account_of_the_teachers_line():
    found = [optimal_epsilon(0.1, k, averaged.DELTA) for k in (10, 100, 500, 1000)]
    assert found == pytest.approx([1, 4.8, 12.5, 19.3], abs=0.05)


def test_nineteen_of_twenty_means_are_within_reach():
    found = [reach_of_mean(k) for k in (1, 10, 100, 500, 1000)]
    assert found == pytest.approx([30, 8.9, 2.8, 1.2, 0.9], abs=0.05)
    assert found[0] == averaged.QUERY.noise.reach(averaged.QUERY.scale(PureDP(0.1)), 0.95)


def test_the_law_of_a_sum_is_that_of_noises_added_up():
    """The slow twin folds the chances of one noise with themselves."""
    p = np.exp(-0.1)
    one = (1 - p) / (1 + p) * p ** np.abs(np.arange(-400.0, 401))
    three = np.convolve(np.convolve(one, one), one)
    middle = three.size // 2
    least = next(s for s in range(200) if three[middle - s : middle + s + 1].sum() >= 0.95)
    assert reach_of_mean(3) == least / 3


def test_places_are_whole_and_grow():
    assert (places()[0], places()[-1]) == (1, 1000)
    assert np.all(np.diff(places()) > 0)
    assert len(numbers(1).at) == len(numbers(1).reach)


def test_the_sentences():
    said = SCENE.say(numbers(100))
    assert said.headline == "A hundred answers, averaged: off by :orange[about 1], not 10."
    assert said.sentence == (
        "Four times the answers, half the error. 27 of 40 averages are within 1 of 16; ε = 10 is "
        "spent."
    )
    assert SCENE.say(numbers(1)).sentence == "This one is 6. ε = 0.1 of 1 is spent."
    assert ":blue[about 3.5]" in SCENE.say(numbers(10)).headline
    assert "Within 0.05 of the truth: 6 in 100" in SCENE.say(numbers(500)).sentence
    for stop in STOPS:
        assert "gone" not in SCENE.say(numbers(stop)).headline


def test_a_guess_is_judged_at_a_hundred_answers():
    assert SCENE.control.revealed == 100
    assert SCENE.verdict("a") == (
        "You said “10: noise stays noise”. An average of 100 answers: **off by 1.13 on average, 19 "
        "of 20 within 2.8**."
    )
    assert SCENE.right.text == about(mean_error(100))


def test_a_tank_that_is_kept_stops_at_ten_answers():
    said = SCENE.second.say(numbers(500))
    assert said.headline == "500 asked, 10 answered: off by :blue[about 3.5]."
    assert "10 in 100 becomes at most 23.2" in said.sentence
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(500), "second", DESK)}
    assert (marks["run"]["until"], marks["tank"]["over"], marks["tank"]["level"]) == (10, 0, 0)
    assert marks["spent"]["text"] == "490 refused"


@pytest.mark.parametrize(
    ("asked", "level", "over", "words"),
    [
        (1, 0.9, 0, "0.1 of 1 spent"),
        (10, 0, 0, "1.0 of 1 spent"),
        (20, 0, 1, "1 tank too many"),
        (500, 0, 49, "49 tanks too many"),
        (1000, 0, 99, "99 tanks too many"),
    ],
)
def test_the_tank_is_what_the_answers_left(asked, level, over, words):
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(asked), "reveal", DESK)}
    assert (marks["tank"]["level"], marks["tank"]["over"]) == (level, over)
    assert marks["spent"]["text"] == words


def test_the_question_shows_the_first_answer_and_a_full_tank():
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(1), "predict", DESK)}
    assert (marks["tank"]["level"], marks["tank"]["over"]) == (1, 0)
    assert not {"run", "now number", "usual above", "more answers", "spent"} & set(marks)
