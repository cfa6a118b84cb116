"""The frontier: what each method needs and who leads where, worked out anew; and what is said."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.markup import plain
from dpviz.answers.studies import frontier_said as said
from dpviz.answers.studies.frontier import (
    FrontierNumbers,
    FrontierQuestion,
    MethodNeed,
    Piece,
    answer,
    pieces_of,
)
from dpviz.answers.studies.names import StudyNames
from dpviz.intake.samples import Noun
from tests.answers.studies.curves import BUDGETS, CURVES, HIGH, curve, needed, sure, two_up

METHODS = tuple(HIGH)
GRID = np.logspace(-2, 1, 31)
NAMES = StudyNames("nine deciles", "Exam marks", Noun("student", "students"))


def question(percent=1.0, **others):
    asked = {"curves": CURVES, "methods": METHODS, "percent": percent, "symbol": "ε"}
    return FrontierQuestion(**(asked | others))


def method(key, errors, budgets=GRID):
    return Piece(key, np.array(budgets, dtype=float), np.minimum(np.array(errors, float), 1.0))


# what each method needs


@pytest.mark.parametrize("percent", [0.05, 0.3, 1.0, 2.3, 5.0, 25.0, 95.0])
def test_every_method_and_its_budget(percent):
    found = answer(question(percent, probability=0.9, is_about=True))
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
        np.testing.assert_allclose(one.errors, sure(HIGH[one.key]))
        first = need is not None and sure(HIGH[one.key])[0] <= target
        assert one.is_first == first
        if need is None or best is None:
            assert (one.times, one.is_level) == (None, False)
            continue
        assert one.times == pytest.approx(need / best)
        both = first == (sure(HIGH[order[0]])[0] <= target)
        assert one.is_level == (need <= 1.08 * best and both)
    assert (found.percent, found.target, found.best.key) == (percent, target, order[0])
    assert found.size == (None if best is None else pytest.approx(two_up(best)))
    assert (found.least, found.symbol, found.probability, found.is_about) == (0.01, "ε", 0.9, True)


def test_no_other_budget_is_named_than_the_sentence_says():
    told = {"AggTree": 0.31, "IndependentExp": 0.62}
    found = answer(question(methods=tuple(told), said=told))
    assert {one.key: one.needed for one in found.methods} == told
    assert (found.best.key, found.size, found.methods[1].times) == ("AggTree", 0.31, 2.0)
    assert "ε = 0.31" in said.say(found, NAMES).headline().replace("\\", "")
    none = answer(question(methods=tuple(told), said=dict.fromkeys(told)))
    assert none.size is None


def test_methods_that_are_not_looked_at_or_have_no_curve_are_left_out():
    found = answer(question(methods=("IndependentExp", "PrefixQuantiles", "AggTree")))
    assert [one.key for one in found.methods] == ["AggTree", "IndependentExp"]


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


def test_no_budget_is_enough():
    found = answer(question(0.5, methods=("IndependentExp",)))
    assert (found.size, found.best.needed) == (None, None)


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
    assert (empty.least, empty.pieces, said.so_far(empty)) == (None, (), "")
    only = answer(question(curves={"AggTree": few["AggTree"]}, is_under_way=True))
    assert said.so_far(only) == "Budgets down to ε = 1 are drawn."


# who leads where


A = method("A", 0.01 / GRID)
B = method("B", 0.004 / GRID**1.8)  # worse below about 0.3, better above
C = method("C", 0.5 / GRID)


def between(budgets, errors, at):
    """The error at a budget, on a line between two budgets on log scales."""
    errors = [max(one, 1e-5) for one in errors]
    if at <= budgets[0]:
        return errors[0]
    for place in range(1, len(budgets)):
        if at <= budgets[place] * (1 + 1e-12):
            low = budgets[place - 1]
            share = math.log(at / low) / math.log(budgets[place] / low)
            return errors[place - 1] * (errors[place] / errors[place - 1]) ** share
    return errors[-1]


def slowly(methods):
    """Budgets, and at each who leads and every method's error: from the largest budget on."""
    first = max(one.budgets[0] for one in methods)
    last = min(one.budgets[-1] for one in methods)
    budgets = [first * (last / first) ** (at / 399) for at in range(400)]
    errors = [[between(one.budgets, one.errors, at) for one in methods] for at in budgets]
    leads = [0] * 400
    telling = [at for at in range(400) if min(errors[at]) > 1e-5 * 1.08]
    start = telling[-1] if telling else 399
    leader = errors[start].index(min(errors[start]))
    leads[399] = leader
    for at in range(398, -1, -1):
        if errors[at][leader] > 1.08 * min(errors[at]) * (1 + 1e-12):
            leader = errors[at].index(min(errors[at]))
        leads[at] = leader
    return budgets, leads, errors


@pytest.mark.parametrize(
    "methods",
    [
        [A, B, C],
        [C, B, A],
        [method(key, sure(high), [0.01, 0.03, 0.1, 0.3, 1, 3, 10]) for key, high in HIGH.items()],
        [A, method("N", A.errors * np.random.default_rng(3).uniform(0.98, 1.02, 31))],
        [method("F", np.full(31, 0.1)), method("S", 0.1 * (0.3 / GRID) ** 4)],  # no convex hull
        [method(key, np.where(GRID > 3, 0, one / GRID)) for key, one in (("A", 0.02), ("B", 0.01))],
        [method("A", 0 * GRID), method("B", 0 * GRID)],
        [method("A", [0.5, 0.2, 0.1], [0.02, 0.3, 7]), method("B", [0.9, 0.1], [0.01, 4.0])],
    ],
)  # fmt: skip
def test_pieces_are_the_least_errors_of_whoever_leads(methods):
    budgets, leads, errors = slowly(methods)
    found = pieces_of(methods)
    keys, starts = [], []
    for at, leader in enumerate(leads):
        if not keys or keys[-1] != methods[leader].key:
            keys.append(methods[leader].key)
            starts.append(at)
    assert [one.key for one in found] == keys
    for piece, start, stop in zip(found, starts, [*starts[1:], 399], strict=True):
        np.testing.assert_allclose(piece.budgets, budgets[start : stop + 1])
        own = [errors[at][leads[start]] for at in range(start, stop + 1)]
        np.testing.assert_allclose(piece.errors, own)


def test_methods_without_errors_and_none_at_all():
    empty = method("E", [], [])
    assert [one.key for one in pieces_of([A, empty])] == ["A"]
    assert pieces_of([empty]) == ()


def test_pieces_are_made_of_the_errors_that_most_releases_stay_under():
    found = answer(question())
    order = [one.key for one in found.methods]
    methods = [method(key, sure(HIGH[key]), found.best.budgets) for key in order]
    for one, other in zip(found.pieces, pieces_of(methods), strict=True):
        assert one.key == other.key
        np.testing.assert_allclose(one.errors, other.errors)


# words


def need(key, needed, **others):
    none = np.empty(0)
    return MethodNeed(key, none, none, needed, **others)


FOUND = FrontierNumbers(
    methods=(
        need("AggTree", 0.231), need("JointExp", 0.531, times=2.31), need("C", None),
        need("ApproximateQuantiles", None),
    ),
    percent=0.7, symbol="ε", probability=0.9, size=0.24, least=0.01, is_about=False,
    pieces=(
        Piece("JointExp", np.array([0.01, 0.0712]), np.array([0.5, 0.3])),
        Piece("AggTree", np.array([0.0712, 0.253]), np.array([0.3, 0.2])),
        Piece("ApproximateQuantiles", np.array([0.253, 9.0]), np.array([0.2, 0.1])),
    ),
)  # fmt: skip


def test_every_sentence_says_its_own_number():
    told = said.say(FOUND, NAMES)
    assert told.alt == (
        "Cheapest for nine deciles within 0.7 % of the places: from a noisy tree, at ε = 0.24."
    )
    assert told.headline().replace("\\", "") == told.alt.replace("ε = 0.24", ":blue[ε = 0.24]")
    assert told.headline(brief=True).replace("\\", "") == (
        "Cheapest within 0.7 % of the places: from a noisy tree, at :blue[ε = 0.24]."
    )
    assert told.second().replace("\\", "") == (
        "All at once takes 2.3 times as much. All at once errs least below ε = 0.071, noisy tree "
        "up to 0.25, recursive halving above."
    )
    assert told.strip == [
        ("computed on", "Exam marks"), ("methods", "4"), ("bold", "the least error"),
    ]  # fmt: skip
    about = said.sentence(replace(FOUND, is_about=True, symbol="ρ"), NAMES)
    assert about.bare.endswith("at about ρ = 0.24.")
    assert about.number == "ρ = 0.24"


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ((need("JointExp", 0.24, times=1.04, is_level=True),), "All at once takes as much."),
        ((need("JointExp", None),), "No other method gets there."),
        ((), ""),
    ],
)
def test_the_next_method(others, words):
    found = replace(FOUND, methods=(FOUND.best, *others))
    assert said.next_text(found) == words
    assert said.next_text(replace(found, size=None)) == ""
    assert said.say(found, NAMES).second().startswith(plain(words))


def test_the_least_budget_that_was_computed_may_be_more_than_enough():
    first = replace(FOUND.best, is_first=True)
    other = need("JointExp", 0.5, times=2.17)
    found = replace(FOUND, methods=(first, other))
    assert said.sentence(found, NAMES).bare.endswith("at ε = 0.24 or less.")
    assert said.next_text(found) == "All at once takes at least 2.2 times as much."
    both = need("JointExp", 0.24, is_first=True, is_level=True, times=1.0)
    assert said.next_text(replace(FOUND, methods=(first, both))) == (
        "All at once is enough there, too."
    )


def test_no_method_gets_there():
    found = replace(FOUND, size=None, methods=(need("AggTree", None), need("JointExp", None)))
    told = said.say(found, NAMES)
    assert told.headline().replace("\\", "") == told.alt
    assert told.alt == (
        "No ε that was tried publishes nine deciles within 0.7 % of the places by any method."
    )
    alone = replace(FOUND, size=None, methods=(need("AggTree", None),))
    assert said.sentence(alone, NAMES).bare == (
        "No ε that was tried publishes nine deciles within 0.7 % of the places, from a noisy tree."
    )


def test_one_leader_and_two():
    assert said.leaders(replace(FOUND, pieces=FOUND.pieces[:1])) == (
        "All at once has the least error at every budget shown, or is level with it."
    )
    assert said.leaders(replace(FOUND, pieces=FOUND.pieces[:2])) == (
        "All at once errs least below ε = 0.071, noisy tree above."
    )
    assert said.leaders(replace(FOUND, pieces=())) == ""


def test_the_words_of_the_picture():
    assert said.measured(FOUND, NAMES) == (
        "Largest error of nine deciles that 9 of 10 releases stay under, as a share of the students"
    )
    assert said.measured(FOUND, NAMES, brief=True) == "Largest error, 9 of 10 releases"
    assert said.wanted(FOUND) == "your need: 0.7 % of the places"


def test_a_stand_in_says_why_it_is_one():
    told = said.say(FOUND, replace(NAMES, why="Computed on a stand-in.", is_stand_in=True))
    assert told.second().endswith(plain("recursive halving above. Computed on a stand-in."))


def test_what_a_file_calls_itself_is_switched_off():
    names = replace(NAMES, what="3 *quantiles*")
    assert plain("3 *quantiles*") in said.say(FOUND, names).headline()
