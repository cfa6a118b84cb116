"""A count in Decide: its exact width, its numbers by loops, and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.exact.count import COUNT, CountQuestion, buys, release, said
from dpviz.answers.decide.exact.frame import Names, amount, half_of
from dpviz.answers.decide.price import Need, Price, Way, bought, price
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter

VALUES = [10.0, 20, 20, 50, 50, 50, 70, 90, 90, 100]
COLUMN = Column.from_values(VALUES, Bounds(0, 100), 10)
NAMES = Names("student", "students", "marks")
QUESTION = CountQuestion(PureDP(1), above=20, below=90, people=10)


def slow_reach(epsilon, sure):
    """The least t with P(|k| <= t) >= sure, by adding up the law of discrete Laplace noise."""
    p = math.exp(-epsilon)
    reach, inside = 0, (1 - p) / (1 + p)
    while inside < sure:
        reach += 1
        inside += 2 * (1 - p) / (1 + p) * p**reach
    return reach


@pytest.mark.parametrize("sure", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("epsilon", [0.05, 0.29, 0.5, 3.0])
def test_the_width_is_that_of_the_law(epsilon, sure):
    found = QUESTION.off(COUNT, epsilon, Need(1, "people", sure))
    assert found == slow_reach(epsilon, sure)
    share = QUESTION.off(COUNT, epsilon, Need(1, "share", sure))
    assert share == pytest.approx(100 * found / 10)


def test_numbers_of_the_design():
    question = CountQuestion(PureDP(1), above=20, people=5000)
    assert bought(question, 0.5, Need(1, "people")).off == 6
    assert bought(question, 0.5, Need(1, "share")).off == pytest.approx(0.12)
    found = price(question, Need(10, "people"))
    sizes = [float(f"{k}e-2") for k in range(1, 100)]
    assert found.size == next(one for one in sizes if slow_reach(one, 0.95) <= 10)
    assert found.chosen.key == COUNT


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1), ApproxDP(1, 1e-6)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_more_budget_never_errs_more_in_any_notion(budget, neighbours):
    question = CountQuestion(budget, above=20, neighbours=neighbours)
    offs = [question.off(COUNT, size, Need(1, "people")) for size in (0.01, 0.1, 1.0, 10.0)]
    assert offs == sorted(offs, reverse=True)
    assert offs[0] > offs[-1]


def test_the_release_is_that_of_the_mechanism_at_this_size():
    draws = [release(QUESTION, COLUMN, COUNT, 0.25, np.random.default_rng(k)) for k in range(400)]
    assert draws[0].spent == PureDP(0.25)
    assert (draws[0].parameters["above"], draws[0].parameters["below"]) == (20, 90)
    reach = QUESTION.off(COUNT, 0.25, Need(1, "people"))
    off = [abs(one.value - 4) for one in draws]
    assert 0.9 < np.mean([one <= reach for one in off]) < 0.995
    assert np.mean([one <= reach / 2 for one in off]) < 0.9  # a wrong width is seen


def asked(size=0.25, amount_=12.0, unit="people"):
    need = Need(amount_, unit)
    off = QUESTION.off(COUNT, size, need)
    return Price((Way(COUNT, size),), need, size, off)


def test_every_number_by_loops():
    found = buys(QUESTION, asked(), COLUMN, np.random.default_rng(3))
    drawn = release(QUESTION, COLUMN, COUNT, 0.25, np.random.default_rng(3)).value
    truth = sum(1 for value in VALUES if 20 < value < 90)
    assert (found.count, found.truth, found.off) == (drawn, truth, abs(drawn - truth))
    assert (found.half, found.asked, found.sure) == (slow_reach(0.25, 0.95), 12, 0.95)
    assert found.middle == truth
    p = math.exp(-0.25)
    for error, chance in zip(found.errors, found.chances, strict=True):
        assert chance == pytest.approx((1 - p) / (1 + p) * p ** abs(error))
    assert found.width == 1
    assert 0.999 <= sum(found.chances) < 1
    assert not found.is_published


def test_wide_noise_is_drawn_in_few_bars():
    found = buys(QUESTION, asked(size=0.001), None)
    p, half = math.exp(-0.001), found.width // 2
    assert found.width > 1
    assert found.errors.size <= 125
    at = found.errors.size // 2 + 3
    group = range(int(found.errors[at]) - half, int(found.errors[at]) + half + 1)
    assert len(group) == found.width
    chance = sum((1 - p) / (1 + p) * p ** abs(k) for k in group)
    assert found.chances[at] == pytest.approx(chance)
    np.testing.assert_allclose(found.chances, found.chances[::-1])


def test_a_share_is_said_in_people_and_a_release_is_shown_as_it_is():
    released = release(QUESTION, COLUMN, COUNT, 0.25, np.random.default_rng(9))
    found = buys(QUESTION, asked(amount_=50.0, unit="share"), None, released=released)
    assert found.asked == pytest.approx(5)
    given = replace(asked(amount_=50.6031), is_given=True)
    assert buys(QUESTION, given, None, released=released).asked == 51  # as the sentence says it
    assert found.half == slow_reach(0.25, 0.95)
    assert (found.count, found.is_published) == (released.value, True)
    assert (found.truth, found.off) == (None, None)
    assert found.middle == released.value


def test_the_hidden_truth_is_nowhere():
    found = buys(QUESTION, asked(), COLUMN, np.random.default_rng(3), is_true=False)
    assert (found.truth, found.off) == (None, None)
    assert "true" not in repr(said(found, NAMES))
    alone = buys(QUESTION, asked(), None)
    assert (alone.count, alone.truth, alone.middle) == (None, None, None)
    assert "true" not in repr(said(alone, NAMES))


def test_every_sentence_says_its_own_number():
    found = buys(QUESTION, asked(), COLUMN, np.random.default_rng(3))
    shown = replace(found, count=1204.0, half=61.0, asked=72.5, sure=0.9, truth=33.0, off=44.0)
    told = said(shown, NAMES)
    assert told.headline() == (
        "About :blue[1,204] students have marks over 20 and under 90, give or take :blue[61]."
    )
    assert told.headline(brief=True) == ":blue[1,204] students, give or take :blue[61]."
    assert "truth" in told.second()
    assert "1,204" in told.alt
    for column, unit, told_of in (("pay", "euros", "50 euros"), ("exam marks", "marks", "50,")):
        names = Names("student", "students", column, unit)
        one_end = said(replace(shown, above=50.0, below=None), names)
        assert f"have {column} over {told_of}" in one_end.headline()
    alone = said(replace(shown, count=None, off=None, truth=None), NAMES)
    assert alone.headline() == "The count is off by at most :blue[61] students, 9 times of 10."
    one = said(replace(shown, count=1.0), NAMES).headline()
    assert one.startswith("About :blue[1] student ")


def test_words_of_numbers():
    assert [amount(one) for one in (-3.0, -0.2, 1234.4)] == ["−3", "0", "1,234"]
    assert [half_of(one) for one in (11.0, 11.0000000001, 11.2)] == [11, 11, 12]


def test_nonsense_is_refused_in_words():
    with pytest.raises(InvalidParameter, match="share of the people"):
        CountQuestion(PureDP(1), above=1).off(COUNT, 1, Need(1, "share"))
    with pytest.raises(InvalidParameter, match="in people or a share"):
        QUESTION.off(COUNT, 1, Need(1, "places"))
    with pytest.raises(InvalidParameter, match="whole number from 1"):
        CountQuestion(PureDP(1), above=1, people=0)
    with pytest.raises(InvalidParameter, match="No budget"):
        buys(QUESTION, replace(asked(), size=None), None)
    with pytest.raises(InvalidParameter, match="random source"):
        buys(QUESTION, asked(), COLUMN)
