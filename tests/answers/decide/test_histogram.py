"""A histogram in Decide: its exact width, its numbers by loops, and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.exact.histogram import HISTOGRAM, HistogramQuestion, buys, release, said
from dpviz.answers.decide.price import Need, bought, price
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.mechanisms.counting.histogram import Histogram

BOUNDS = Bounds(0, 100)
VALUES = [1.0, 5, 24, 25, 26, 49, 50, 74, 74, 75, 100]
COLUMN = Column.from_values(VALUES, BOUNDS)
QUESTION = HistogramQuestion(PureDP(1), BOUNDS, 4, people=11)
NAMES = Names("student", "students", "marks")


def slow_reach(epsilon, bars, sure=0.95):
    """The least t that all bars keep at once, by adding up the law of one and multiplying."""
    p = math.exp(-epsilon)
    reach, inside = 0, (1 - p) / (1 + p)
    while math.prod([inside] * bars) < sure:
        reach += 1
        inside += 2 * (1 - p) / (1 + p) * p**reach
    return reach


@pytest.mark.parametrize("bars", [2, 4, 25])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_all_bars_hold_at_once(epsilon, bars):
    question = HistogramQuestion(PureDP(1), BOUNDS, bars, people=5000)
    found = question.off(HISTOGRAM, epsilon, Need(1, "people"))
    assert found == slow_reach(epsilon, bars)
    assert question.off(HISTOGRAM, epsilon, Need(1, "share")) == pytest.approx(found / 50)
    replaced = replace(question, neighbours=Neighbours.REPLACE_ONE)
    assert replaced.off(HISTOGRAM, epsilon, Need(1, "people")) == slow_reach(epsilon / 2, bars)


def test_numbers_of_the_design():
    question = HistogramQuestion(PureDP(1), Bounds(0, 250_000), 25, people=5000)
    assert bought(question, 0.5, Need(1, "people")).off == 12
    assert price(question, Need(12, "people")).size == 0.5


@pytest.mark.parametrize("budget", [PureDP(0.3), ZCDP(0.3), ApproxDP(0.3, 1e-6)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_the_law_is_that_of_a_histogram(budget, neighbours):
    question = HistogramQuestion(budget, BOUNDS, 4, neighbours)
    other = Histogram(bins=4, neighbours=neighbours)
    found = release(question, COLUMN, HISTOGRAM, 0.3, np.random.default_rng(4))
    assert found.tree.scales == (math.inf, other.scale(budget))
    assert found.tree.noise is other.law(budget)
    assert found.spent == budget
    twin = other.release(COLUMN, budget, np.random.default_rng(4))
    np.testing.assert_array_equal(found.counts[-1], twin.counts)
    np.testing.assert_allclose(found.edges(), twin.edges)


def test_fresh_releases_keep_the_promise():
    reach = QUESTION.off(HISTOGRAM, 0.5, Need(1, "people"))
    tree = QUESTION.mechanism(HISTOGRAM)
    exact = np.zeros(1), np.zeros(4)
    noisy = tree.noisy(exact, PureDP(0.5), np.random.default_rng(8), 4000).counts[-1]
    worst = np.abs(noisy).max(axis=1)
    assert np.mean(worst <= reach) > 0.93
    assert np.mean(worst <= reach - 1) < 0.95  # the least one that does
    assert np.mean(worst <= 0.8 * reach) < 0.92


def test_every_number_by_loops():
    asked = price(QUESTION, Need(9, "people"))
    found = buys(QUESTION, asked, COLUMN, np.random.default_rng(1))
    drawn = release(QUESTION, COLUMN, HISTOGRAM, asked.size, np.random.default_rng(1)).counts[-1]
    truth = [sum(25 * k <= v < 25 * (k + 1) or (k == 3 and v == 100) for v in VALUES)
             for k in range(4)]  # fmt: skip
    assert found.truth.tolist() == truth == [3, 3, 3, 2]
    assert found.counts.tolist() == drawn.tolist()
    errors = [count - true for count, true in zip(drawn, truth, strict=True)]
    assert found.errors.tolist() == errors
    assert found.off == max(map(abs, errors)) == abs(errors[found.worst])
    assert found.edges.tolist() == [0, 25, 50, 75, 100]
    assert found.half == slow_reach(asked.size, 4) <= 9
    assert (found.asked, found.sure) == (9, 0.95)
    assert (found.is_made_up, found.is_published) == (False, False)


def test_before_a_release_bars_are_made_up_and_after_it_they_are_its_own():
    asked = price(QUESTION, Need(50, "share"))
    flat = buys(QUESTION, asked, None)
    assert flat.counts.tolist() == [11 / 4] * 4
    assert flat.is_made_up
    assert flat.asked == pytest.approx(5.5)
    unknown = buys(replace(QUESTION, people=None), price(QUESTION, Need(5, "people")), None)
    assert unknown.counts.tolist() == [6 * unknown.half] * 4
    shaped = buys(QUESTION, asked, None, stand_in=COLUMN)
    assert shaped.counts.tolist() == [3, 3, 3, 2]
    assert shaped.truth is None
    made = release(QUESTION, COLUMN, HISTOGRAM, asked.size, np.random.default_rng(2))
    shown = buys(QUESTION, asked, None, released=made)
    assert shown.counts.tolist() == made.counts[-1].tolist()
    assert (shown.is_made_up, shown.is_published, shown.truth) == (False, True, None)
    beside = buys(QUESTION, asked, COLUMN, released=made)  # nothing is drawn: that would take rng
    assert beside.counts.tolist() == made.counts[-1].tolist()
    assert beside.truth.tolist() == [3, 3, 3, 2]


def test_the_hidden_truth_is_nowhere():
    asked = price(QUESTION, Need(9, "people"))
    found = buys(QUESTION, asked, COLUMN, np.random.default_rng(1), is_true=False)
    assert (found.truth, found.errors, found.off, found.worst) == (None,) * 4
    assert "true" not in repr(said(found, NAMES))


def test_every_sentence_says_its_own_number():
    asked = price(QUESTION, Need(9, "people"))
    found = buys(QUESTION, asked, COLUMN, np.random.default_rng(1))
    told = said(replace(found, half=61.0, asked=72.0, sure=0.99, off=83.0), NAMES)
    assert told.headline() == "Every bar is within :blue[61] students, 99 times of 100."
    assert told.headline(brief=True) == "Every bar is within :blue[61] students."
    assert told.second().endswith("The worst bar here is off by **83**.")
    assert "Made up" in said(replace(found, is_made_up=True, off=None), NAMES).second()


@pytest.mark.parametrize("bins", [1, 1001])
def test_too_few_or_too_many_bars_are_refused(bins):
    with pytest.raises(InvalidParameter, match="bars"):
        HistogramQuestion(PureDP(1), BOUNDS, bins)
