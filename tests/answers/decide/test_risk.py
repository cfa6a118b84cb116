"""What a budget risks: people of a hundred, counted anew; and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpviz.answers.decide.risk import RiskNames, RiskNumbers, answer, say
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


def counted(before, log_odds):
    """The least whole number of people that the formula does not exceed, by trying all."""
    p = before / 100
    limit = 100 * p / (p + (1 - p) * math.exp(-log_odds))
    return next(people for people in range(101) if people >= limit - 1e-9)


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 0.23, 0.25, 0.39, 0.5, 1.0, 2.0, 5.0, 30.0, 1e4])
def test_people_are_counted_for_pure_budgets(epsilon):
    found = answer(PureDP(epsilon), ADD)
    assert found.before == 10
    assert found.after == counted(10, epsilon)
    assert found.added == found.after - 10
    assert found.guessed == counted(10, 2 * epsilon)
    assert (found.failure, found.exact) == (0, 100)
    replaced = answer(PureDP(epsilon), REPLACE)
    assert (replaced.after, replaced.guessed) == (found.after, found.after)


def test_the_numbers_of_the_design():
    found = [answer(PureDP(epsilon), ADD) for epsilon in (0.23, 0.25, 0.39, 0.5)]
    assert [one.after for one in found] == [13, 13, 15, 16]
    assert [one.guessed for one in found] == [15, 16, 20, 24]


def test_another_suspicion():
    assert answer(PureDP(1.0), ADD, before=50).after == counted(50, 1.0) == 74
    assert answer(PureDP(1.0), ADD, before=0).after == 0
    assert answer(PureDP(1.0), ADD, before=100).after == 100


def test_rho_is_read_at_a_chance():
    rho, delta = 0.02, 1e-5
    found = answer(ZCDP(rho), ADD, delta=delta)
    assert found.after == counted(10, rho + 2 * math.sqrt(rho * math.log(1 / delta)))
    twice = 4 * rho
    assert found.guessed == counted(10, twice + 2 * math.sqrt(twice * math.log(1 / delta)))
    assert found.failure == delta
    assert answer(ZCDP(rho), REPLACE, delta=delta).guessed == found.after


def test_an_epsilon_with_a_delta():
    found = answer(ApproxDP(0.3, 1e-6), ADD)
    assert found.after == counted(10, 0.3 + math.log(2))
    assert found.guessed == counted(10, 0.6 + math.log(2))
    assert found.failure == pytest.approx(2 * 1e-6 * (1 + math.exp(0.3)))
    assert answer(ApproxDP(0.3, 1e-6), REPLACE).failure == pytest.approx(2e-6)


def test_a_delta_that_promises_nothing():
    found = answer(ApproxDP(0.1, 0.5), ADD)
    assert (found.after, found.guessed, found.failure) == (100, 100, 1)
    assert "sets no limit" in say(found, RiskNames()).second()


@pytest.mark.parametrize(("after", "rows"), [(10, 2), (20, 2), (21, 3), (30, 3), (100, 10)])
def test_rows_hold_everybody_suspected(after, rows):
    assert replace(SHOWN, after=after).rows == rows


SHOWN = RiskNumbers(before=12, after=17, added=4, guessed=23, failure=0.0, exact=98)
NAMES = RiskNames("Ida", "her", "mark", "students")


def words(note):
    return "".join(text for text, _ in note)


def test_every_sentence_says_its_own_number():
    said = say(SHOWN, NAMES)
    assert said.headline() == "A suspicion of 12 in 100 grows to at most 17."
    assert said.headline(brief=True) == "12 in 100 grow to at most 17."
    assert said.small == "Suspected: 12 in 100, then at most 17."
    assert said.second() == "Somebody thinks Ida is in the file, and is right in 12 of 100 cases."
    assert said.released == "A suspicion of 12 in 100 has grown to **at most 17**."
    assert words(said.small_note) == "A suspicion of 12 in 100 has grown to at most 17."
    assert said.alt == (
        "A hundred figures of students: 12 in ink are suspected before, 4 in orange are added at "
        "most after the release, 83 are outlines. Guessing her mark instead: 12 grows to at most "
        "23. Exact numbers: no such limit, up to 98."
    )
    assert said.small_alt == (
        "12 filled figures of people, and 4 more in orange: a suspicion of 12 in 100 has grown to "
        "at most 17."
    )


def test_the_notes_beside_the_figures():
    notes = {name: [words(one) for one in rows] for name, rows in say(SHOWN, NAMES).notes.items()}
    assert notes == {
        "full": [
            "12 before",
            "+ 4, at most, after reading the release",
            "Guessing her mark instead: 12 grows to at most 23.",
            "Exact numbers: no such limit, up to 98.",
        ],
        "small": [
            "12 before",
            "+ 4, at most, after",
            "Guessing Ida’s mark: 12 grows to at most 23.",
            "Exact numbers: up to 98.",
        ],
        "large": ["12 before", "+ 4 after"],
    }


def test_a_failure_is_said():
    said = say(replace(SHOWN, failure=2e-6), NAMES)
    assert said.second().endswith("cases. The limits hold but for a chance of 2\\.0 × 10⁻⁶.")
    assert said.second(brief=True) == "But for a chance of 2\\.0 × 10⁻⁶."


def test_a_name_of_a_file_is_not_trusted():
    assert "\\*Ida\\*" in say(SHOWN, RiskNames(who="*Ida*")).second()
