"""What a budget can publish: lines of use first, amounts rounded up, unanswered ones left out."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.offers import Offered, headline, lines, method
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.intake.samples import Noun

NAMES = NeedNames("salary", Noun("mark", "marks"), Noun("student", "students"))
PEOPLE = 1_000


def offered(what: str, off: float | None, unit: str = "people", **others: object) -> Offered:
    price = Price((Way("m", 0.5),), Need(off or 0.0, unit), 0.5, off, is_given=True)
    return replace(Offered(what, what, "detail", price, "halving"), **others)


def only(one: Offered, people: int | None = PEOPLE):
    (found,) = lines([one], NAMES, people)
    return found


@pytest.mark.parametrize(
    ("off", "unit", "said"),
    [
        (5.2, "people", "6 students"),
        (0.3, "people", "1 student"),
        (0.0, "people", "exactly right"),
        (0.123, "value", "0.13 % of salary"),
        (1.0, "unit", "1 mark"),
        (7.01, "places", "8 places"),
    ],
)
def test_an_amount_is_rounded_up_with_its_unit(off, unit, said):
    assert only(offered("count", off, unit)).off == said


def test_an_answer_that_was_not_checked_is_about():
    one = offered("median", 1.0, "unit")
    about = replace(one, price=replace(one.price, is_about=True))
    assert only(about).off == "about 1 mark"
    nothing = replace(one, price=replace(one.price, off=0.0, is_about=True))
    assert only(nothing).off == "likely exactly right"  # as good as certain after a check alone


@pytest.mark.parametrize(
    ("off", "unit", "people", "coarse"),
    [
        (100.0, "people", PEOPLE, False),
        (101.0, "people", PEOPLE, True),
        (101.0, "people", None, False),  # of how many nobody said
        (10.0, "share", None, False),
        (10.1, "share", None, True),
        (10.1, "value", None, True),
        (500.0, "unit", PEOPLE, False),
        (101.0, "places", PEOPLE, True),
    ],
)
def test_more_than_a_tenth_is_too_coarse(off, unit, people, coarse):
    assert only(offered("count", off, unit), people).is_coarse is coarse


def test_lines_of_use_come_first_and_each_keeps_its_place():
    listed = [offered("a", 500.0), offered("b", 1.0), offered("c", 600.0), offered("d", 2.0)]
    assert [one.what for one in lines(listed, NAMES, PEOPLE)] == ["b", "d", "a", "c"]


@pytest.mark.parametrize("off", [None, math.inf])
def test_what_cannot_be_asked_is_left_out(off):
    unpriced = offered("b", 1.0, price=None, why="no")
    assert [one.what for one in lines([offered("a", 1.0), unpriced], NAMES, PEOPLE)] == ["a"]
    assert lines([offered("a", off)], NAMES, PEOPLE) == []


def test_only_exact_laws_are_called_exact():
    assert only(offered("count", 1.0, is_exact=True)).how == "noise alone: exact"
    assert only(offered("median", 1.0, "unit")).how == "halving"


@pytest.mark.parametrize(
    ("useful", "said"), [(7, "One of these seven."), (2, "One of these two."), (1, "Very little.")]
)
def test_the_end_of_the_sentence_counts_lines_of_use(useful, said):
    listed = [offered(f"{at}", 1.0) for at in range(useful)] + [offered("x", 900.0)]
    assert headline(lines(listed, NAMES, PEOPLE)) == said


def test_two_lines_need_two_budgets():
    assert "spends **all of it**; two lines need two budgets" in method("On a basis.")
