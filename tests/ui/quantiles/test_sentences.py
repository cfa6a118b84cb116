"""The sentences of the Quantiles page."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES
from dpviz.figures.quantiles.answers import Answers, Writing
from dpviz.intake.samples import sample
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.quantiles import sentences
from dpviz.ui.quantiles.sentences import Ranked, Voice

EXAM = Voice(sample("exam").words, Writing.of(Bounds(0, 100), 1))
PAY = Voice(sample("salaries").words, Writing.of(Bounds(0, 500_000), 100))
PUBLISHED = np.array([35.0, 41, 48, 53, 58, 62, 68, 73, 80])
TRUTH = np.array([32.0, 41, 50, 53, 59, 64, 69, 74, 81])
NINE = Answers(DECILES, PUBLISHED, TRUTH)


def test_the_example_of_exam_marks():
    said = sentences.found(NINE, EXAM)
    assert said == "The median is published as :blue[58]; the truth is **59**."
    assert unmarked(sentences.how_far(NINE, EXAM)) == (
        "Nine deciles are off by 1.2 marks on average; "
        "the worst is the 10 % point: 35 instead of 32."
    )
    short = unmarked(sentences.how_far(NINE, EXAM, short=True))
    assert short == "Nine deciles are off by 1.2 marks on average."


def test_exact_and_single_answers():
    exact = Answers(QUARTILES, QUARTILES, QUARTILES)
    assert unmarked(sentences.how_far(exact, EXAM)) == "Three quartiles are exactly right."
    one = Answers(np.array([0.9]), np.array([80.0]), np.array([81.0]))
    assert unmarked(sentences.found(one, EXAM)).startswith("The 90 % point is published as 80")
    assert unmarked(sentences.how_far(one, EXAM)) == "It is off by 1.0 marks."


def test_the_release_alone():
    alone = Answers(DECILES, PUBLISHED)
    said = sentences.released(alone, EXAM, np.full(9, 1.0))
    assert said == "Half of the students have at most :blue[58] marks, give or take 1."
    assert "give or take" not in sentences.released(alone, EXAM, None)
    pay = Answers(DECILES, 1_000 * PUBLISHED)
    assert unmarked(sentences.released(pay, PAY, None)) == "Half of the people earn at most 58,000."
    tail = Answers(np.array([0.99]), np.array([97.0]))
    assert unmarked(sentences.released(tail, EXAM, None)) == (
        "99 % of the students have at most 97 marks."
    )


@pytest.mark.parametrize("key", ["ages", "uniform", "hours", "ratings", "waiting", "towns"])
def test_every_set_can_say_it(key):
    voice = Voice(sample(key).words, Writing(0, 1))
    said = unmarked(sentences.released(Answers(np.array([0.5]), np.array([41.0])), voice, None))
    assert said.startswith("Half of the ")
    assert "41" in said
    assert said.endswith(".")
    assert "  " not in said
    assert " ." not in said


def test_what_was_asked_in_words():
    assert sentences.asked_for(DECILES) == "nine deciles"
    assert sentences.asked_for(PERCENTILES) == "99 percentiles"
    assert sentences.asked_for(np.array([0.1, 0.5])) == "two quantiles"
    assert sentences.asked_for(np.array([0.5])) == "one median"


def ranked(name, mean, spread=0.1, median=0.5, runs=200):
    errors = mean + spread * np.tile([-1.0, 1.0], runs // 2)
    return Ranked(name, errors, median)


def test_the_better_method_is_named():
    order = [ranked("noisy tree", 0.7), ranked("recursive halving", 1.4, median=0.3)]
    assert sentences.closest(order, EXAM) == (
        "**Noisy tree** comes closest: off by :blue[0\\.7] marks on average."
    )
    assert unmarked(sentences.farthest(order, EXAM, "ε")) == (
        "Recursive halving misses by 1.4 marks, 2.0 times as much, for the same ε. For the median "
        "alone recursive halving is best, off by 0.3 marks."
    )


def test_a_gap_under_two_standard_errors_is_level():
    order = [ranked("all at once", 0.70, 0.5), ranked("recursive halving", 0.74, 0.5)]
    assert sentences.are_level(*order)
    assert unmarked(sentences.closest(order, EXAM)) == (
        "All at once and recursive halving are level: off by 0.7 marks."
    )
    assert "chance" in sentences.farthest(order, EXAM, "ε")
    assert not sentences.are_level(ranked("a", 0.7, 0.1), ranked("b", 0.8, 0.1))


def test_the_recursion():
    assert sentences.in_steps(9, 4, "ε", "nine deciles") == (
        "Nine deciles in four steps: each step may spend :blue[ε/4], not ε/9."
    )
    assert "all of ε" in sentences.in_steps(1, 1, "ε", "one median")
    words = sample("exam").words
    assert "from all 6,000 students" in unmarked(sentences.halves("the median", "59", words, 6_000))
    assert "students" not in sentences.halves("the median", "59", words, None)


def test_names_from_files_switch_no_markup_on():
    voice = Voice(sample("exam").words, Writing(1, 1))
    said = sentences.how_far(Answers(QUARTILES, QUARTILES, QUARTILES + 0.5), voice)
    assert unmarked(said).count("0.5") >= 1
