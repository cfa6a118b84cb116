"""The tank: sums of decimals, its parts, and its words in every state."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpviz.answers.decide.tank import TankNumbers, answer, say


@pytest.mark.parametrize(
    ("promised", "spent", "takes"),
    [
        (1, 0, 0.39),
        (1, 0.39, None),
        (1, 0.61, 0.39),
        (0.3, 0.1, 0.1),
        (2.5, 0.7, 0.23),
        (1, 1, 0.1),
    ],
)
def test_sums_are_those_of_decimals(promised, spent, takes):
    found = answer(promised, spent, takes)
    left = Decimal(str(promised)) - Decimal(str(spent))
    then = left - Decimal(str(takes or 0))
    assert Decimal(repr(float(found.left))) == left
    assert Decimal(repr(float(found.then))) == max(then, 0)
    assert (found.promised, found.spent, found.takes) == (promised, spent, takes)
    assert found.is_too_low == (then < 0)


def test_what_takes_all_that_is_left_is_no_more_than_that():
    found = answer(1, 0.9, 0.1)
    assert not found.is_too_low
    assert (found.left, found.then) == (0.1, 0)
    assert answer(1, 0.9, 0.1000001).is_too_low


def test_more_spent_than_promised_leaves_nothing():
    found = answer(1, 1.5, 0.1)
    assert (found.left, found.then, found.is_too_low) == (0, 0, True)
    assert found.parts == (0, 0)


def test_parts_of_the_tank():
    assert answer(2, 0.5, 0.5).parts == pytest.approx((0.5, 0.25))
    assert answer(2, 0.5).parts == pytest.approx((0.75, 0))
    assert answer(2, 1.5, 0.7).parts == pytest.approx((0, 0.25))  # all that is left stands pale


SHOWN = TankNumbers(promised=3.5, spent=0.7, takes=0.31, left=2.9, then=2.4, is_rehearsal=False)


def test_before_the_release():
    said = say(SHOWN)
    assert said.title == "Budget of this file"
    assert said.lines == ("promised 3.5, spent 0.7", "then 2.4 is left")
    assert said.alt == "Budget of this file: promised 3.5, spent 0.7, then 2.4 is left"


def test_after_the_release():
    said = say(replace(SHOWN, takes=None))
    assert said.lines == ("promised 3.5, spent 0.7", "2.9 is left")
    assert say(answer(1, 0.39)).lines == ("promised 1, spent 0.39", "0.61 is left")
    assert say(answer(1, 0, 0.39)).alt == (
        "Budget of this file: promised 1, spent 0, then 0.61 is left"
    )


def test_a_rehearsal_has_a_promise_of_its_own():
    said = say(replace(SHOWN, is_rehearsal=True))
    assert said.title == "A rehearsal"
    assert said.lines == ("takes 0.31 of a", "promise of 3.5")
    assert said.alt == "A rehearsal takes 0.31 of a promise of 3.5"
    assert say(replace(SHOWN, is_rehearsal=True, takes=None)).title == "A rehearsal"


def test_too_little_is_left():
    said = say(replace(SHOWN, left=0.2, then=0))
    assert said.lines == ("promised 3.5, spent 0.7", "0.31 is more than the 0.2 left")
    assert said.alt == "Budget of this file: 0.31 is more than the 0.2 left"


def test_what_is_left_is_rounded_down_and_what_is_spent_up():
    said = say(answer(1, 0.12341, 0.2))
    assert said.lines == ("promised 1, spent 0.124", "then 0.676 is left")
    assert say(answer(12345, 0.1)).lines == ("promised 12,300, spent 0.1", "12,300 is left")
