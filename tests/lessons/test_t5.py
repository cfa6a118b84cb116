"""Teach 5: the tank, and the mean of more and more answers."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.averaging import optimal_epsilon
from dpviz.lessons import averaged
from dpviz.lessons.averaged import numbers, places, reach_of_mean
from dpviz.lessons.teach.t5 import SCENE
from tests.lessons.boxes import check_pictures, check_sentences

STOPS = SCENE.control.stops


def test_the_figures_of_the_script():
    told = numbers(500)
    assert told.truth == 16
    means = [told.mean(k) for k in (1, 10, 100, 500, 1000)]
    assert means == pytest.approx([33, 18.8, 14.85, 16.0, 16.1], abs=0.05)
    assert [numbers(k).spent for k in (1, 10, 100, 500, 1000)] == [0.1, 1, 10, 50, 100]
    assert told.most == pytest.approx(0.232, abs=0.0005)
    assert (told.paid, told.over) == (10, 49)


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
    said = SCENE.say(numbers(500))
    assert said.headline == "500 answers later, the noise is gone: :orange[16.0]."
    assert said.sentence == (
        "First answer 33. After 10: 18.8. After 500: 16.0, the truth, and **ε = 50** is spent."
    )
    assert SCENE.say(numbers(1)).sentence == "First answer 33. ε = 0.1 of 1 is spent."
    assert ":blue[18.8]" in SCENE.say(numbers(10)).headline
    assert "overdrawn" in SCENE.say(numbers(100)).headline
    assert "nearly gone: :orange[16.1]" in SCENE.say(numbers(1000)).headline


def test_a_tank_that_is_kept_stops_at_ten_answers():
    said = SCENE.second.say(numbers(500))
    assert said.headline == "500 asked, 10 answered: the average is :blue[18.8]."
    assert "10 in 100 becomes at most 23.2" in said.sentence
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(500), "second", False)}
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
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(asked), "reveal", False)}
    assert (marks["tank"]["level"], marks["tank"]["over"]) == (level, over)
    assert marks["spent"]["text"] == words


def test_the_question_shows_the_first_answer_and_a_full_tank():
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(1), "predict", False)}
    assert (marks["tank"]["level"], marks["tank"]["over"]) == (1, 0)
    assert not {"run", "now number", "usual above", "more answers", "spent"} & set(marks)


def test_everything_fits():
    check_sentences(SCENE)
    check_pictures(SCENE)
