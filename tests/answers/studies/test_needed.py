"""The smallest budget for an accuracy: each number worked out anew, and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.markup import plain
from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.studies import needed_said as said
from dpviz.answers.studies.names import StudyNames
from dpviz.answers.studies.needed import Card, NeedQuestion, Reach, answer
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.planning.closed_forms import independent_tail
from dpviz.intake.samples import Noun
from tests.answers.studies.curves import (
    BUDGETS,
    CURVES,
    HIGH,
    curve,
    error_at,
    needed,
    sure,
    two_up,
)

METHODS = tuple(HIGH)
VALUES = [0.5, 1, 1, 2, 3.5, 4, 4, 4, 7, 9, 10.5, 11, 12, 20, 21, 21.5, 30, 41, 41, 60]
PEOPLE = Column.from_values(VALUES, Bounds(0, 90), 0.5)
NAMES = StudyNames("nine deciles", "Exam marks", Noun("student", "students"), Noun("mark", "marks"))
STAND_IN = replace(NAMES, why="Computed on a stand-in.", is_stand_in=True)


def question(percent=1.0, quantiles=DECILES, **others):
    asked = {
        "curves": CURVES, "methods": METHODS, "budget": PureDP(1.0), "people": 6_000,
        "neighbours": Neighbours.ADD_REMOVE, "suspicion": 5.0,
    }  # fmt: skip
    return NeedQuestion(percent=percent, quantiles=QuantileSet.of(quantiles), **(asked | others))


def plainly(text):
    return text.replace("\\", "")


# numbers


@pytest.mark.parametrize("percent", [0.05, 0.3, 1.0, 2.3, 5.0, 25.0, 95.0])
@pytest.mark.parametrize("people", [6_000, 731])
def test_every_method_and_its_budget(percent, people):
    found = answer(question(percent, people=people))
    target = percent / 100
    needs = {key: needed(high, target) for key, high in HIGH.items()}
    order = sorted(
        METHODS,
        key=lambda key: (math.inf if needs[key] is None else needs[key], sure(HIGH[key])[-1]),
    )
    assert [one.key for one in found.methods] == order
    best = needs[order[0]]
    for one in found.methods:
        need = needs[one.key]
        assert one.needed == (None if need is None else pytest.approx(need))
        np.testing.assert_array_equal(one.budgets, BUDGETS)
        np.testing.assert_allclose(one.high, sure(HIGH[one.key]))
        np.testing.assert_allclose(one.low, [error / 5 for error in HIGH[one.key]])
        np.testing.assert_allclose(one.middle, [error / 3 for error in HIGH[one.key]])
        assert one.runs == CURVES[one.key].runs
        first = need is not None and sure(HIGH[one.key])[0] <= target
        assert one.is_first == first
        if need is None or best is None:
            assert (one.times, one.is_level) == (None, False)
            continue
        assert one.times == pytest.approx(need / best)
        both = first == (sure(HIGH[order[0]])[0] <= target)
        assert one.is_level == (need <= 1.08 * best and both)
    assert (found.percent, found.target) == (percent, target)
    assert found.places == max(places for places in range(people + 1) if places <= target * people)
    assert found.size == (None if best is None else pytest.approx(two_up(best)))
    assert found.product == (None if best is None else pytest.approx(two_up(best * people)))
    assert (found.largest, found.least) == (10.0, 0.01)
    assert found.runs == (300, 600)
    assert (found.symbol, found.quantiles, found.people) == ("ε", 9, people)
    assert (found.suspicion, found.probability, found.is_largest) == (5.0, 0.95, True)


def test_methods_that_are_not_looked_at_or_have_no_curve_are_left_out():
    found = answer(question(methods=("IndependentExp", "PrefixQuantiles", "AggTree")))
    assert [one.key for one in found.methods] == ["AggTree", "IndependentExp"]
    assert found.runs == (500, 600)


def test_methods_are_level_within_what_chance_explains():
    high = np.array(HIGH["AggTree"])
    for factor, level in ((1.04, True), (1.3, False)):
        both = {"AggTree": curve(high), "JointExp": curve(high * factor)}
        best, other = answer(question(curves=both)).methods
        assert best.key == "AggTree"
        assert other.is_level is level


def test_below_the_first_budget_only_those_that_are_enough_there_are_level():
    low = {
        "AggTree": curve([0.2, 0.1], [0.01, 0.1]),
        "JointExp": curve([0.25, 0.1], [0.01, 0.1]),
        "IndependentExp": curve([0.251, 0.1], [0.01, 0.1]),
    }
    best, second, third = answer(question(25.0, curves=low)).methods
    assert third.key == "IndependentExp"
    assert (best.is_first, second.is_first, third.is_first) == (True, True, False)
    assert (second.is_level, third.is_level) == (True, False)
    assert third.needed < 1.08 * best.needed


def farthest(q, missed):
    """How far a value can lie from a quantile and miss so few people: by trying every half."""
    rank = math.floor(q * len(VALUES) + 1e-9)
    ordered, far = sorted(VALUES), 0.0
    for half in range(181):
        at = half / 2
        below = sum(one < at for one in ordered)
        up_to = sum(one <= at for one in ordered)
        if max(below - rank, rank - up_to, 0) <= missed:
            far = max(far, abs(at - ordered[rank]))
    return far


@pytest.mark.parametrize("percent", [5.0, 12.0, 35.0])
@pytest.mark.parametrize("asked", [[0.25, 0.5, 0.8], [0.5], [0.3], [0.1, 0.9]])
def test_what_the_target_is_in_values(percent, asked):
    far = answer(question(percent, asked, column=PEOPLE)).reach
    each = [farthest(q, math.floor(percent / 100 * 20 + 1e-9)) for q in asked]
    assert far.worst == max(each)
    assert far.alone == (len(asked) == 1)
    assert far.median == (each[asked.index(0.5)] if 0.5 in asked else None)
    assert far.writing == Writing(1, 1)


def test_a_mean_over_quantiles_says_nothing_of_values():
    assert answer(question(column=PEOPLE, metric=MEAN_GAP)).reach is None
    assert answer(question()).reach is None


def half_way(falling, wanted):
    """Where a falling function of η passes a value, by halving."""
    low, high = 1e-6, 50.0
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if falling(middle) > wanted else (low, middle)
    return low


@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize(("q", "percent", "chance"), [(0.3, 0.1, 0.95), (0.8, 0.05, 0.9)])
def test_the_formula_of_one_quantile(relation, q, percent, chance):
    asked = question(percent, [q], neighbours=relation, probability=chance, by_formula=True)
    found = answer(asked)
    ranks = math.floor(percent / 100 * 6_000 + 1e-9)
    even = half_way(lambda eta: 2 * math.exp(-eta * (ranks + 1)) / (1 + math.exp(-eta)), 1 - chance)
    apart = half_way(lambda eta: independent_tail(eta, ranks), 1 - chance)
    delta = 1.0 if relation is Neighbours.REPLACE_ONE else max(q, 1 - q)
    assert found.formula == pytest.approx((2 * delta * even, 2 * delta * apart), rel=1e-5)


@pytest.mark.parametrize(
    "others",
    [{"quantiles": DECILES}, {"budget": ZCDP(1)}, {"budget": ApproxDP(1, 1e-6)},
     {"is_declared": False}, {"by_formula": False}],
)  # fmt: skip
def test_no_formula_for_several_quantiles_other_notions_and_unknown_people(others):
    one = {"quantiles": [0.5], "by_formula": True}
    assert answer(question(**(one | others))).formula is None


@pytest.mark.parametrize("percent", [0.3, 1.0, 2.3, 95.0])
@pytest.mark.parametrize("suspicion", [1, 20])
def test_cards_are_half_the_answer_the_answer_and_twice(percent, suspicion):
    found = answer(question(percent, suspicion=suspicion))
    assert [card.size for card in found.cards] == [
        pytest.approx(found.size / 2), found.size, pytest.approx(2 * found.size),
    ]  # fmt: skip
    for card in found.cards:
        error = error_at(HIGH[found.best.key], card.size)
        assert card.error == (None if error is None else pytest.approx(error))
        odds = suspicion / (100 - suspicion) * math.exp(card.size)
        assert card.belief == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize("budget", [ZCDP(0.5), ApproxDP(1.0, 1e-6)])
def test_odds_are_those_of_pure_privacy_alone(budget):
    """In (ε, δ) odds can grow by more than e^ε."""
    found = answer(question(budget=budget))
    assert [card.belief for card in found.cards] == [None] * 3
    assert found.symbol == budget.symbol


def test_no_cards_without_an_answer():
    found = answer(question(0.5, methods=("IndependentExp",)))
    assert (found.size, found.product, found.cards) == (None, None, ())


def test_under_way_no_budget_is_the_smallest():
    few = {"AggTree": curve([0.004, 0.001], [1.0, 10.0]), "JointExp": curve([0.2, 0.005], [2, 10])}
    found = answer(question(curves=few, is_under_way=True))
    assert [(one.key, one.needed is None) for one in found.methods] == [
        ("AggTree", True), ("JointExp", False),
    ]  # fmt: skip
    assert (found.size, found.least) == (None, 1.0)
    assert said.so_far(found) == (
        f"All at once needs ε = {two_up(needed([0.2, 0.005], 0.01, [2, 10])):g} for 1 % of the "
        "places."
    )
    nothing = {"AggTree": curve([], [], 0), "JointExp": curve([], [], 0)}
    empty = answer(question(curves=nothing, is_under_way=True))
    assert [one.key for one in empty.methods] == ["JointExp", "AggTree"]
    assert (empty.least, empty.largest, said.so_far(empty)) == (None, None, "")
    only = answer(question(curves={"AggTree": few["AggTree"]}, is_under_way=True))
    assert said.so_far(only) == "Budgets down to ε = 1 are drawn."


# words

FOUND = answer(question(column=PEOPLE))


def shown(found=FOUND, names=NAMES, *, brief=False):
    one = said.say(found, names)
    return plainly(one.headline(brief=brief)), plainly(one.second(brief=brief)), one.alt


def test_every_sentence_says_its_own_number():
    found = replace(
        FOUND, percent=2.5, size=0.123, places=77, people=8_123, product=9.9, largest=7.0,
        least=0.5, probability=0.9, quantiles=4,
        reach=Reach(12.5, 3.5, False, Writing(1, 1)),
    )  # fmt: skip
    head, below, alt = shown(found)
    assert head == (
        "You need :blue[ε = 0.123] to publish nine deciles, by recursive halving, within 2.5 % of "
        "the places."
    )
    assert alt == head.replace(":blue[", "").replace("]", "")
    assert below.startswith(
        "9 of 10 releases are then off by at most 77 of 8,123 students, at every one: the median "
        "by 3.5 marks, none by more than 12.5 marks."
    )
    assert below.endswith(" Noisy tree would need ε = 1.1.")
    assert "for nine deciles" in shown(found, brief=True)[0]
    assert "would need" not in shown(found, brief=True)[1]


def test_a_stand_in_says_how_many_people_there_are_taken_to_be():
    found = replace(FOUND, people=5_123, size=0.2, is_about=True)
    head, below, _ = shown(found, STAND_IN)
    assert head.startswith("You need about :blue[ε = 0.2] for nine deciles, ")
    assert head.endswith("within 1 % of the places, if there are about 5,123.")
    assert below.endswith(". Computed on a stand-in.")


def test_nobody_said_how_many_people_there_are():
    found = replace(FOUND, people=15_123, product=1_912.0, size=0.3, is_declared=False)
    head, below, alt = shown(found, replace(STAND_IN, people=Noun("person", "people")))
    assert alt == ("Nine deciles within 1 % of the places take about ε = 1,912 / people.")
    assert head == alt.replace("ε = 1,912 / people", ":blue[ε = 1,912 / people]")
    assert shown(replace(found, quantiles=1), replace(STAND_IN, what="the median"))[2] == (
        "The median within 1 % of the places takes about ε = 1,912 / people."
    )
    assert below == (
        "Say about how many people there are, from public knowledge: more of them need less. The "
        "picture is for 15,123 made-up ones. Computed on a stand-in."
    )


def test_no_budget_is_enough():
    found = replace(FOUND, size=None, product=None, largest=12.0, symbol="ρ", cards=())
    head, below, alt = shown(found)
    assert head == alt == "No ρ up to 12 publishes nine deciles within 1 % of the places."
    assert "19 of 20 releases were to be off by at most 60 of 6,000 students" in below
    assert "then" not in below
    assert "would need" not in below
    assert said.odds(found, NAMES) == ""
    assert said.cards(found, NAMES) == []


def test_the_first_budget_is_enough_already():
    best = replace(FOUND.best, is_first=True)
    found = replace(FOUND, methods=(best, *FOUND.methods[1:]), size=0.011)
    assert shown(found)[0].startswith(
        ":blue[ε = 0.011] is already enough to publish nine deciles, "
    )
    assert shown(found)[2].startswith("ε = 0.011 is already enough to publish nine deciles, ")
    both = replace(FOUND.methods[1], is_first=True, is_level=True)
    found = replace(found, methods=(best, both))
    assert shown(found)[1].endswith("is enough there, too.")


def test_the_next_method():
    best, second = FOUND.methods[:2]
    name = "Noisy tree"
    for other, ends in (
        (replace(second, is_level=True), f"{name} is level with it."),
        (replace(second, needed=None), f"{name} does not get there."),
        (replace(second, needed=4.321, is_level=False), f"{name} would need ε = 4.4."),
    ):
        assert shown(replace(FOUND, methods=(best, other)))[1].endswith(ends)
    alone = shown(replace(FOUND, methods=(best,)))[1]
    assert alone.endswith("marks.")


@pytest.mark.parametrize(
    ("reach", "words"),
    [
        (
            Reach(12.5, 3.5, False, Writing(1, 1)),
            ": the median by 3.5 marks, none by more than 12.5 marks",
        ),
        (Reach(1.0, None, False, Writing(0, 0)), ", up to 1 mark"),
        (Reach(7.0, 3.0, True, Writing(0, 0)), ", or 7 marks"),
        (None, ""),
    ],
)  # fmt: skip
def test_the_target_in_values(reach, words):
    assert said.in_values(replace(FOUND, reach=reach), NAMES) == words


def test_means_and_single_quantiles():
    assert "students on average" in shown(replace(FOUND, is_largest=False, reach=None))[1]
    assert (
        "students, or"
        in shown(replace(FOUND, quantiles=1, reach=Reach(7.0, 3.0, True, Writing(0, 0))))[1]
    )


def test_the_strip_says_what_was_computed_and_what_a_formula_says():
    found = replace(FOUND, runs=(310, 1_234))
    rows = [
        ("computed on", "Exam marks"),
        ("releases each", "310 to 1,234"),
        ("measured in", "places of the ranking"),
    ]
    assert said.say(found, NAMES).strip == rows
    one = replace(found, runs=(1_234, 1_234), formula=(0.4561, 0.4719))
    rows[1] = ("releases each", "1,234")
    formula = ("by formula", "ε = 0.46 without ties, evenly apart; 0.47 by chance")
    assert said.strip(one, NAMES) == [*rows, formula]
    assert said.formula_text(0.0501, 0.0499) == "ε = 0.05 without ties"


CARDS = (Card(0.155, None, 0.0671), Card(0.31, 0.00912, 0.12401), Card(0.62, 0.0041, None))


def test_cards_say_their_own_budget_error_and_odds():
    found = replace(FOUND, cards=CARDS, suspicion=6.0, symbol="ε")
    (half, low), (same, middle), (twice, high) = said.cards(found, NAMES)
    assert half == "Half the budget: ε = 0.155"
    assert same == "Your answer: ε = 0.31"
    assert twice == "Twice the budget: ε = 0.62"
    grows = "A suspicion of 6 % that one student is in the data grows by their record to at most "
    assert plainly(low) == f"More than the picture shows. {grows}**6.8 %**."
    assert plainly(middle) == f"Off by at most **0.92 %**. {grows}**12.5 %**."
    assert plainly(high) == "Off by at most **0.41 %**."


def test_a_room_hears_the_odds_of_the_answer():
    found = replace(FOUND, cards=CARDS, suspicion=6.0, probability=0.99)
    assert plainly(said.odds(found, NAMES)) == (
        "99 of 100 releases are that close. A suspicion of 6 % that one student is in the data "
        "grows to at most **12.5 %**."
    )
    silent = replace(found, cards=(CARDS[0], replace(CARDS[1], belief=None), CARDS[2]))
    assert said.odds(silent, NAMES) == ""


@pytest.mark.parametrize("epsilon", [0.1, 0.18, 0.36, 0.71, 2.0])
@pytest.mark.parametrize("before", [1, 10, 50])
def test_a_suspicion_is_never_made_smaller_by_rounding(before, epsilon):
    share = before / 100
    exact = share * math.exp(epsilon) / (1 - share + share * math.exp(epsilon))
    told = float(said.belief_text(exact).removesuffix(" %"))
    assert 100 * exact <= told < 100 * exact + 0.1


def test_the_words_of_the_picture():
    found = replace(FOUND, percent=0.7)
    assert said.measured(found, NAMES) == (
        "Largest error of nine deciles, as a share of the students"
    )
    mean = replace(found, is_largest=False)
    assert said.measured(mean, NAMES, brief=True) == "Mean error, as a share of the students"
    assert said.wanted(found) == "your target: 0.7 % of the places"
    assert said.wanted(found, brief=True) == "target 0.7 % of the places"
    one = replace(FOUND.methods[1], needed=0.4321)
    assert said.label(one, "ρ") == "ρ = 0.44"
    assert said.label(replace(one, needed=None), "ρ") == "not reached"
    assert said.label(replace(one, needed=None), "ρ", "still open") == "still open"


def test_what_a_file_calls_itself_is_switched_off():
    names = replace(NAMES, people=Noun("*one*", "[many]"), what="3 *quantiles*")
    found = replace(FOUND, cards=CARDS)
    for text in (
        *said.cards(found, names)[1],
        said.odds(found, names),
        said.say(found, names).second(),
    ):
        assert "*one*" not in text
        assert "[many]" not in text
    assert plain("3 *quantiles*") in said.say(found, names).headline()
