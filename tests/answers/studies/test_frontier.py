"""The frontier: who leads at each budget, place by place; and what is said of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.studies import frontier_said as said
from dpviz.answers.studies.frontier import Errors, FrontierNumbers, answer, pieces_of
from dpviz.answers.studies.names import StudyNames
from dpviz.answers.studies.needed import MethodNeed
from dpviz.answers.studies.needed import answer as needed_answer
from dpviz.intake.samples import Noun
from tests.answers.studies.curves import HIGH, sure
from tests.answers.studies.test_needed import question

GRID = np.logspace(-2, 1, 31)
NAMES = StudyNames("nine deciles", "Exam marks", Noun("student", "students"))


def method(key, errors, budgets=GRID):
    return Errors(key, np.array(budgets, dtype=float), np.minimum(np.array(errors, float), 1.0))


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
    need = needed_answer(question())
    found = answer(need)
    assert found.need is need
    order = [one.key for one in need.methods]
    methods = [method(key, sure(HIGH[key]), need.best.budgets) for key in order]
    for one, other in zip(found.pieces, pieces_of(methods), strict=True):
        assert one.key == other.key
        np.testing.assert_allclose(one.errors, other.errors)


# words

NEED = needed_answer(question())


def need(key, needed, **others):
    none = np.empty(0)
    return MethodNeed(key, none, none, none, none, 300, needed, **others)


FOUND = FrontierNumbers(
    replace(
        NEED,
        methods=(
            need("AggTree", 0.231), need("JointExp", 0.531, times=2.31), need("C", None),
            need("ApproximateQuantiles", None),
        ),
        size=0.24, percent=0.7, probability=0.9,
    ),
    (
        Errors("JointExp", np.array([0.01, 0.0712]), np.array([0.5, 0.3])),
        Errors("AggTree", np.array([0.0712, 0.253]), np.array([0.3, 0.2])),
        Errors("ApproximateQuantiles", np.array([0.253, 9.0]), np.array([0.2, 0.1])),
    ),
)  # fmt: skip


def with_need(**others):
    return replace(FOUND, need=replace(FOUND.need, **others))


def test_every_sentence_says_its_own_number():
    told = said.say(FOUND, NAMES)
    assert told.alt == (
        "Cheapest for nine deciles within 0.7 % of the places: from a noisy tree, at ε = 0.24; all "
        "at once takes 2.3 times as much."
    )
    assert told.headline().replace("\\", "") == told.alt.replace("ε = 0.24", ":blue[ε = 0.24]")
    assert told.second().replace("\\", "") == (
        "All at once errs least below ε = 0.071, noisy tree up to 0.25, recursive halving above."
    )
    assert told.strip == [
        ("computed on", "Exam marks"), ("methods", "4"), ("bold", "the least error"),
    ]  # fmt: skip
    about = said.sentence(with_need(is_about=True, symbol="ρ"), NAMES)
    assert "at about ρ = 0.24; " in about.bare
    assert about.number == "ρ = 0.24"


@pytest.mark.parametrize(
    ("others", "ends"),
    [
        ((need("JointExp", 0.24, times=1.04, is_level=True),), "; all at once takes as much."),
        ((need("JointExp", None),), "; no other method gets there."),
        ((), "ε = 0.24."),
    ],
)
def test_the_next_method(others, ends):
    found = with_need(methods=(FOUND.need.best, *others))
    assert said.sentence(found, NAMES).bare.endswith(ends)


def test_the_least_budget_that_was_computed_may_be_more_than_enough():
    first = replace(FOUND.need.best, is_first=True)
    other = need("JointExp", 0.5, times=2.17)
    found = said.sentence(with_need(methods=(first, other)), NAMES).bare
    assert found.endswith("at ε = 0.24 or less; all at once takes at least 2.2 times as much.")
    both = need("JointExp", 0.24, is_first=True, is_level=True, times=1.0)
    found = said.sentence(with_need(methods=(first, both)), NAMES).bare
    assert found.endswith("at ε = 0.24 or less; all at once is enough there, too.")


def test_no_method_gets_there():
    found = with_need(size=None, methods=(need("AggTree", None), need("JointExp", None)))
    told = said.say(found, NAMES)
    assert told.headline().replace("\\", "") == told.alt
    assert told.alt == (
        "No ε that was tried publishes nine deciles within 0.7 % of the places by any method."
    )
    alone = with_need(size=None, methods=(need("AggTree", None),))
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
    mean = with_need(is_largest=False)
    assert said.measured(mean, NAMES, brief=True) == "Mean error, 9 of 10 releases"
    assert said.wanted(FOUND) == "your need: 0.7 % of the places"
