"""What a view says whole: both sentences, the alternative text, and the strip of every room."""

import pytest

from dpviz.answers.privacy import audit_said, belief_said, budget_said, one_count_said
from dpviz.answers.privacy import one_quantile_said as quantile_said
from dpviz.answers.privacy.belief import BeliefNumbers
from dpviz.answers.privacy.one_count import answer
from dpviz.answers.privacy.one_quantile import QuantileOdds
from dpviz.core.budgets import Neighbours, PureDP
from tests.answers.privacy import test_audit, test_budget, test_one_person

BUDGET = PureDP(0.7)
BELIEF = BeliefNumbers(0.15, 0.081, 0.2345, 0.7, 3e-6)
ODDS = QuantileOdds(0.31, 0.7, 0.31 / 0.7, 41.5)
MEDIAN = quantile_said.QuantileOf("median", "ida")
COUNT = answer(test_one_person.WHOLE, 867, 0.3)
AUDIT = test_audit.numbers()
CHIPS = ["a chip"]
SAID = {
    "count": one_count_said.say(COUNT, test_one_person.IDA, "How many?", CHIPS),
    "quantile": quantile_said.say(ODDS, MEDIAN, "Both are exact.", BUDGET, "41.5"),
    "belief": belief_said.say(BELIEF, BUDGET, Neighbours.ADD_REMOVE),
    "budget": budget_said.say(test_budget.SHOWN, test_budget.PEOPLE, "how many?", CHIPS),
    "audit": audit_said.say(AUDIT, test_audit.IDA, CHIPS),
}


@pytest.mark.parametrize("view", SAID)
def test_the_alternative_text_is_both_sentences_without_marks(view):
    said = SAID[view]
    assert not set(said.alt) & set("*[]\\")
    words = [part for part in said.alt.split() if part.isalpha()]
    whole = f"{said.headline()} {said.second()}"
    assert all(word in whole for word in words)
    ends = {
        "count": "With or without Ida|come from either.", "quantile": "Ida can|Both are exact.",
        "belief": "A suspicion of 15 %|does not hide.", "budget": "1,234 answers|pays for 77.",
        "audit": "The broken twin|never confirm one.",
    }[view].split("|")  # fmt: skip
    assert said.alt.startswith(ends[0])
    assert said.alt.endswith(ends[1])
    assert list(said.chips) == (CHIPS if view in {"count", "budget", "audit"} else [])


def test_the_sentences_are_those_of_the_numbers():
    assert SAID["belief"].headline() == belief_said.headline(BELIEF)
    assert SAID["belief"].second() == belief_said.second(BELIEF, Neighbours.ADD_REMOVE)()
    other = belief_said.say(BELIEF, BUDGET, Neighbours.REPLACE_ONE)
    assert "and not another" in other.second()
    assert SAID["quantile"].headline() == quantile_said.headline(ODDS, MEDIAN)
    made_up = one_count_said.say(COUNT, test_one_person.IDA)
    assert "Nothing of the data is on screen." in made_up.second()


def test_strips_where_room_is_scarce():
    count = SAID["count"]
    assert count.strip == one_count_said.strip(COUNT, narrow=False)
    assert count.strips == {"narrow": one_count_said.strip(COUNT, narrow=True)}
    assert SAID["quantile"].strip == [
        ("this person uses", "44 % of ε"), ("true median", "41.5"),
        ("one answer spends", "ε = 0.7"),
    ]  # fmt: skip
    hidden = quantile_said.say(ODDS, MEDIAN, "Both are exact.", BUDGET)
    assert [words for words, _ in hidden.strip] == ["this person uses", "one answer spends"]
    assert SAID["belief"].strip == belief_said.strip(BELIEF, BUDGET)
    budget = SAID["budget"]
    assert [words for words, _ in budget.strip] == [
        "one answer is off by", "the average of 1,234 by", "added up",
        "best account at δ = 2.0 × 10⁻⁶",
    ]  # fmt: skip
    assert budget.strips == {"low": budget.strip[1:], "narrow": budget.strip[2:]}
    audit = SAID["audit"]
    assert audit.strip == audit_said.strip(AUDIT, test_audit.IDA)
    ends = [audit.strip[0], audit.strip[3]]
    assert audit.strips == {"low": ends, "narrow": ends}
