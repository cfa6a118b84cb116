"""One release beside the truth and alone: each number worked out anew; and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Answers, Writing
from dpviz.answers.quantiles.one import AloneNumbers, Told, alone, answer
from dpviz.answers.quantiles.one_said import (
    alone_headline,
    alone_line,
    headline,
    how_exact,
    how_far,
    strip,
)
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import plain, unmarked
from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QUARTILES
from dpviz.intake.samples import sample

VALUES = sorted(float(v) for v in np.random.default_rng(2).beta(2, 5, 101).round(3) * 100)
COLUMN = Column.from_values(np.array(VALUES), Bounds(0, 100))
QS = (0.1, 0.3, 0.55, 0.9)
PUBLISHED = (12.0, 20.5, 41.0, 40.0)
TRUTH = tuple(VALUES[math.floor(q * 101 + 1e-9)] for q in QS)
DRAWS = np.random.default_rng(4).normal([10, 20, 30, 45], 6, (50, 4))
EXAM = Voice(sample("exam").words, Writing.of(Bounds(0, 100), 1))
PAY = Voice(sample("salaries").words, Writing.of(Bounds(0, 500_000), 100))


def beside(draws=DRAWS):
    return Answers(np.array(QS), np.array(PUBLISHED), np.array(TRUTH), draws)


def test_every_number():
    found = answer(beside(), COLUMN)
    errors = [abs(p - t) for p, t in zip(PUBLISHED, TRUTH, strict=True)]
    assert found.off == pytest.approx(sum(errors) / 4)
    at = errors.index(max(errors))
    assert at != 2  # else the worst could stand for the middle
    assert found.worst == Told(QS[at], PUBLISHED[at], TRUTH[at])
    assert found.middle == Told(0.55, 41.0, TRUTH[2])
    others = sorted(abs(float(d) - t) for run in DRAWS for d, t in zip(run, TRUTH, strict=True))
    place = 0.95 * (len(others) - 1)
    low = others[int(place)]
    assert found.nearly == pytest.approx(low + (place % 1) * (others[int(place) + 1] - low))
    missed = []
    for published, q in zip(PUBLISHED, QS, strict=True):
        rank = math.floor(q * 101 + 1e-9)
        under = sum(v < published for v in VALUES) - rank
        over = rank - sum(v <= published for v in VALUES)
        missed.append(max(under, over, 0))
    assert found.missed == pytest.approx(sum(missed) / 4)
    assert found.people == 101
    assert answer(beside(None), COLUMN).nearly is None


def test_a_release_alone():
    half = np.array([1.0, 4.0, 2.0, 3.0])
    found = alone(Answers(np.array(QS), np.array(PUBLISHED)), half)
    assert found == AloneNumbers(4, 0.55, 41.0, 2.0, 1.0, 4.0)
    unknown = alone(Answers(np.array(QS), np.array(PUBLISHED)), None)
    assert unknown == AloneNumbers(4, 0.55, 41.0, None, None, None)


def test_every_sentence_beside_the_truth_says_its_own_number():
    shown = replace(
        answer(beside(), COLUMN),
        middle=Told(0.5, 61.0, 62.0),
        worst=Told(0.9, 83.0, 94.0),
        off=1.2,
        nearly=3.4,
        missed=56.0,
        people=789,
    )
    assert headline(shown, EXAM) == "The median is published as :blue[61]; the truth is **62**."
    far = how_far(shown, EXAM)
    assert unmarked(far()) == (
        "Four quantiles are off by 1.2 marks on average; "
        "the worst is the 90 % point: 83 instead of 94."
    )
    assert unmarked(far(brief=True)) == "Four quantiles are off by 1.2 marks on average."
    assert strip(shown, EXAM, None, "ε = 7", about=False) == [
        ("this draw misses on average by", "1.2 marks"),
        ("19 of 20 other draws within", "3.4 marks"),
        ("in students", "56 of 789"),
        ("spent", "ε = 7"),
    ]
    assert strip(shown, EXAM, None, "", about=True)[1][1] == "about 3.4 marks"
    assert strip(shown, EXAM, 5.0, "", about=True)[1] == (
        "the median, give or take",
        "about 5 marks",
    )
    assert strip(shown, EXAM, 5.0, "", about=False, brief=True)[1] == ("give or take", "5 marks")
    assert strip(shown, EXAM, None, "", about=False, brief=True)[1][0].startswith("19 of 20")
    assert len(strip(replace(shown, nearly=None), EXAM, None, "", about=False)) == 3


def test_exact_and_single_answers():
    exact = answer(Answers(QUARTILES, QUARTILES, QUARTILES), COLUMN)
    assert unmarked(how_far(exact, EXAM)()) == "Three quartiles are exactly right."
    one = Answers(np.array([0.9]), np.array([80.0]), np.array([81.0]))
    found = answer(one, COLUMN)
    assert unmarked(headline(found, EXAM)).startswith("The 90 % point is published as 80")
    assert unmarked(how_far(found, EXAM)()) == "It is off by 1.0 marks."


def test_what_is_said_of_a_release_alone():
    found = AloneNumbers(9, 0.5, 58.0, 1.0, 2.0, 3.0)
    said = alone_headline(found, EXAM)
    assert said == "Half of the students have at most :blue[58] marks, give or take 1."
    assert alone_line(found)() == (
        "This is everything an outsider gets. The nine numbers, the error and the curve come from "
        "the release alone."
    )
    assert alone_line(found)(brief=True) == "This is everything an outsider gets."
    assert how_exact(found, EXAM, has_size=True) == (
        "about 19 in 20 within 2 to 3 marks, estimated from the release"
    )
    assert "within 3 marks" in how_exact(replace(found, least=3.0), EXAM, has_size=True)
    bare = AloneNumbers(1, 0.99, 97.0, None, None, None)
    assert unmarked(alone_headline(bare, EXAM)) == "99 % of the students have at most 97 marks."
    for many, words in ((1, "number"), (2, "two numbers"), (13, "13 numbers")):
        end = f"The {words} and the curve come from the release alone."
        assert alone_line(replace(bare, many=many))().endswith(end)
    assert how_exact(bare, EXAM, has_size=True) == (
        "not estimated: at this budget, or by this method, the numbers do not tell"
    )
    assert how_exact(bare, EXAM, has_size=False) == (
        "say under Data about how many people there are, and it is estimated"
    )
    quarters = [replace(bare, quantile=quantile) for quantile in (0.25, 0.75)]
    starts = [unmarked(alone_headline(quarter, EXAM)).partition(" of ")[0] for quarter in quarters]
    assert starts == ["A quarter", "Three quarters"]
    pay = AloneNumbers(9, 0.5, 58_000.0, None, None, None)
    assert unmarked(alone_headline(pay, PAY)) == "Half of the people earn at most 58,000."


@pytest.mark.parametrize("key", ["ages", "uniform", "hours", "ratings", "waiting", "towns"])
def test_every_set_can_say_it(key):
    voice = Voice(sample(key).words, Writing(0, 1))
    said = unmarked(alone_headline(alone(Answers(np.array([0.5]), np.array([41.0])), None), voice))
    assert said.startswith("Half of the ")
    assert "41" in said
    assert said.endswith(".")
    assert "  " not in said
    assert " ." not in said


def test_the_deciles_of_exam_marks():
    published = np.array([35.0, 41, 48, 53, 58, 62, 68, 73, 80])
    truth = np.array([32.0, 41, 50, 53, 59, 64, 69, 74, 81])
    found = answer(Answers(DECILES, published, truth), COLUMN)
    assert unmarked(how_far(found, EXAM)()) == (
        "Nine deciles are off by 1.2 marks on average; "
        "the worst is the 10 % point: 35 instead of 32."
    )


def test_words_of_a_file_switch_no_markup_on():
    words = replace(EXAM.words, people=replace(EXAM.words.people, many="*x*"))
    said = alone_headline(AloneNumbers(1, 0.5, 1.0, None, None, None), Voice(words, Writing(0, 1)))
    assert plain("*x*") in said
