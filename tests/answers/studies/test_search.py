"""An exact search: what was tried and found, row by row; and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.answers.studies import search_said as said
from dpviz.answers.studies.names import StudyNames
from dpviz.answers.studies.search import SearchAnswer, SearchQuestion, answer
from dpviz.experiments.planning.smallest_epsilon import COLUMNS


def two_up(number):
    """Rounded up to two digits: tried one after the other."""
    power = 10.0 ** math.floor(math.log10(number))
    for tenth in range(10, 101):
        if tenth / 10 * power >= number * (1 - 1e-9):
            return float(f"{tenth / 10 * power:.3g}")
    raise AssertionError(number)


NAN, NAMES = math.nan, StudyNames("nine deciles", "Exam *marks*", why="On a stand-in.")
ROWS = [
    ("AggTree", "tried", 0.9, NAN, NAN, 0.97, 0.931, 0.99, 300),
    ("AggTree", "tried", 0.2, NAN, NAN, 0.31, 0.25, 0.372, 300),
    ("AggTree", "answer", 0.7123, 0.2011, 0.7441, 0.953, 0.9249, 0.974, 300),
    ("JointExp", "tried", 100.0, NAN, NAN, 0.02, 0.01, 0.05, 300),
    ("JointExp", "answer", math.inf, 100.0, math.inf, NAN, NAN, NAN, 0),
    ("IndependentExp", "tried", 0.3, NAN, NAN, 0.88, 0.84, 0.91, 200),
    ("IndependentExp", "answer", 0.2611, 0.2512, 0.2653, 0.96, 0.93, 0.98, 200),
    ("PrefixQuantiles", "tried", 0.001, NAN, NAN, 1.0, 0.98, 1.0, 200),
    ("PrefixQuantiles", "answer", 0.001, 0.0, 0.001, 1.0, 0.9817, 1.0, 200),
]
METHODS = ("JointExp", "IndependentExp", "AggTree", "PrefixQuantiles", "SliceQuantiles")


def question(rows=ROWS, **others):
    frame = pd.DataFrame(rows, columns=COLUMNS)
    asked = SearchQuestion(frame, METHODS, percent=0.7, probability=0.9, symbol="ρ", seconds=12.4)
    return replace(asked, **others)


FOUND = answer(question())


def test_answers_are_those_of_the_rows_the_thriftiest_first():
    rows = sorted((row for row in ROWS if row[1] == "answer"), key=lambda row: row[2])
    assert len(FOUND.answers) == len(rows)
    for one, row in zip(FOUND.answers, rows, strict=True):
        key, _, size, low, high, rate, at_least, _, runs = row
        assert (one.key, one.size, one.low, one.high, one.runs) == (key, size, low, high, runs)
        np.testing.assert_equal((one.rate, one.at_least), (rate, at_least))
        finite = math.isfinite(size)
        assert one.is_found is finite
        assert one.is_enclosed is (finite and low > 0 and math.isfinite(high))
    assert (FOUND.percent, FOUND.probability, FOUND.symbol, FOUND.seconds) == (0.7, 0.9, "ρ", 12.4)


def test_a_budget_is_rounded_up_inside_its_interval():
    by_key = {one.key: one for one in FOUND.answers}
    assert by_key["AggTree"].said == two_up(0.7123) == 0.72
    assert two_up(0.2611) > 0.2653
    assert by_key["IndependentExp"].said == 0.262
    assert by_key["JointExp"].said == math.inf
    assert by_key["PrefixQuantiles"].said == 0.001


def test_what_was_tried_stands_in_the_order_of_the_methods():
    assert [one.key for one in FOUND.tried] == list(METHODS[:4])
    for one in FOUND.tried:
        rows = sorted(
            (row for row in ROWS if row[:2] == (one.key, "tried")), key=lambda row: row[2]
        )
        assert one.budgets.tolist() == [row[2] for row in rows]
        for shares, column in ((one.rates, 5), (one.low, 6), (one.high, 7)):
            np.testing.assert_allclose(shares, [100 * row[column] for row in rows])


def test_a_search_in_the_making_has_what_there_is():
    assert answer(question([])).tried == ()
    few = answer(question(ROWS[:1]))
    assert [one.key for one in few.tried] == ["AggTree"]
    assert few.answers == ()
    assert said.so_far(few) == ""


TREE = SearchAnswer("AggTree", 0.7123, 0.6011, 0.7441, 0.72, 0.953, 0.9249, 311)
NONE = SearchAnswer("JointExp", math.inf, 100.0, math.inf, math.inf, NAN, NAN, 0)
LEAST = SearchAnswer("PrefixQuantiles", 0.001, 0.0, 0.001, 0.001, 1.0, 0.9817, 200)


def test_every_sentence_says_its_own_number():
    told = said.say(replace(FOUND, answers=(TREE, NONE)), NAMES)
    assert told.alt == "Noisy tree needs ρ = 0.72, between 0.601 and 0.744."
    assert told.headline().replace("\\", "") == (
        "Noisy tree needs :blue[ρ = 0.72], between 0.601 and 0.744."
    )
    assert told.second() == (
        r"nine deciles of Exam \*marks\* within 0\.7 % of the places, 9 of 10 releases\."
    )
    assert told.strip == [("took", "12 s")]
    (table,) = told.tables
    assert table.columns == ("Method", "Smallest ρ", "95 % interval", "Fresh check")
    assert table.alt == "Smallest ρ of each method, with intervals"
    assert table.rows == (
        ("noisy tree", "0.712", "0.601 to 0.744", "95.3% of 311 runs (at least 92.4%)"),
        ("all at once", "more than 100", "100 to more than 100", "none"),
    )


def test_the_least_and_the_largest_budget():
    assert said.sentence(replace(FOUND, answers=(NONE,))).bare == (
        "No ρ up to 100 reaches the target."
    )
    assert said.sentence(replace(FOUND, answers=(LEAST,))).bare == (
        "Running counts needs ρ = 0.001, between 0 and 0.001."
    )


def test_what_is_known_while_others_are_searched_for():
    assert said.so_far(replace(FOUND, answers=(TREE, NONE))) == (
        "noisy tree: 0.712. all at once: more than 100."
    )


def test_before_a_search():
    told = said.before(NAMES, 0.3, 0.99, "ρ")
    assert told.headline() == "Search for the exact ρ of each method, with an interval."
    assert told.second().replace("\\", "") == (
        "For nine deciles within 0.3 % of the places, 99 of 100 releases. The picture is the "
        "frontier of the sentence, without a search. On a stand-in."
    )


@pytest.mark.parametrize(
    ("size", "text"), [(0.25345, "0.253"), (12.0, "12"), (0.0, "0"), (math.inf, "more than 100")]
)
def test_budgets_have_three_digits(size, text):
    assert said.size_text(size) == text
