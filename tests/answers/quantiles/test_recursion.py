"""Inside recursive halving: every number in a slower way, sentences with numbers of their own."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.quantiles.recursion import NodeNumbers, RecursionNumbers, answer
from dpviz.answers.quantiles.recursion_said import say
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import unmarked
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.intake.samples import sample
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp

QS = (0.05, 0.3, 0.45, 0.6, 0.95)  # the middle one is no median
ASKED = QuantileSet.of(np.array(QS))
VALUES = np.random.default_rng(2).beta(2, 5, 300).round(3) * 100
COLUMN = Column.from_values(VALUES, Bounds(0, 100))
HALVING = ApproximateQuantiles()
EXAM = Voice(sample("exam").words, Writing.of(Bounds(0, 100), 1))


def asked_of(budget, mechanism=HALVING, **others):
    release = mechanism.release(COLUMN, QS, budget, np.random.default_rng(3))
    assert release.recursion is not None
    return release, answer(mechanism, release.recursion, release.values, ASKED, budget, **others)


@pytest.mark.parametrize("relation", Neighbours)
def test_every_number(relation):
    mechanism = ApproximateQuantiles(relation)
    sizes = np.array([41.0, 120.0, 300.0, 77.0, 180.0])
    release, found = asked_of(PureDP(0.6), mechanism, node=1, sizes=sizes)
    assert found.quantiles.tolist() == list(QS)
    assert found.steps == math.floor(math.log2(5)) + 1 == 3
    assert (found.first, found.value) == (0.45, release.values[2])  # the middle of five
    assert found.step == pytest.approx(0.6 / 3)
    assert found.each == pytest.approx(0.6 / 5)
    assert found.people == 300
    node = found.node  # drawn in the third step, between values of the second and the first
    assert (node.step, node.quantile, node.people) == (3, 0.3, 120)
    assert (node.low, node.high) == (release.values[0], release.values[2])
    share = (0.3 - 0.05) / (0.45 - 0.05)
    assert node.asked == pytest.approx(share)
    sensitivity = max(share, 1 - share) if relation is Neighbours.ADD_REMOVE else None
    if sensitivity is not None:
        assert node.eta == pytest.approx(0.2 / (2 * sensitivity))
    else:
        assert 0 < node.eta < 0.2


def test_parts_of_the_first_node_and_of_others_are_not_mixed_up():
    sizes = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    for at in range(5):
        _, found = asked_of(PureDP(1), node=at, sizes=sizes)
        assert found.people == 3
        assert found.node.people == at + 1
        assert found.node.quantile == QS[at]
    _, hidden = asked_of(PureDP(1), node=1)
    assert hidden.people is hidden.node.people is None
    assert asked_of(PureDP(1))[1].node is None


@pytest.mark.parametrize("budget", [ZCDP(0.02), ApproxDP(0.5, 1e-6), ApproxDP(3.0, 1e-3)])
def test_budgets_of_other_notions_are_those_of_the_mechanisms(budget):
    _, found = asked_of(budget)
    assert found.step == HALVING.level_epsilon(budget, 3)
    assert found.each == IndependentExp().each_epsilon(budget, 5)
    assert found.step > found.each


FOUND = RecursionNumbers(
    np.arange(1, 10) / 10, 4, 0.5, 61.0, 0.123, 0.0456, 6_789,
    NodeNumbers(3, 0.7, 12.0, 34.0, 0.21, 0.0654, 987),
)  # fmt: skip


def said(found=FOUND, budget=PureDP(0.1), *, parts=False):  # noqa: B008
    return say(found, EXAM, budget, "ε = 7", parts=parts)


def test_every_sentence_says_its_own_number():
    found = said(replace(FOUND, node=None))
    assert found.headline() == (
        "Nine deciles in four steps: each step may spend :blue[ε/4], not ε/9."
    )
    assert unmarked(found.second()).startswith(
        "The median came out as 61 from all 6,789 students. Each student is then in one half only"
    )
    assert found.strip == [
        ("one step", "ε = 0.12"),
        ("asked one by one, each would get", "ε = 0.046"),
        ("spent", "ε = 7"),
    ]


def test_a_node_says_its_own_numbers():
    assert said().strip == [
        ("step 3, the 70 % point", "drawn from 12 to 34"),
        ("asked of its part:", "the 21 % point"),
        ("in this part", "987 students"),
        ("η", "0.0654"),
    ]
    hidden = said(replace(FOUND, people=None, node=replace(FOUND.node, people=None)))
    assert "students" not in str(hidden.strip) + hidden.second()
    assert len(hidden.strip) == 3


def test_one_step_may_spend_everything():
    one = replace(FOUND, quantiles=np.array([0.5]), steps=1, node=None)
    assert said(one).headline() == "One median in one step: it may spend all of ε."
    assert said(one, ZCDP(0.1)).headline().endswith("all of ρ.")


def test_rho_is_shared_evenly_and_says_what_a_mechanism_gets():
    found = said(replace(FOUND, node=None), ZCDP(0.1))
    assert ":blue[ρ/4], not ρ/9" in found.headline()
    assert found.strip[0] == ("one step", "a mechanism with ε = 0.12")
    assert found.strip[1][1] == "a mechanism with ε = 0.046"


def test_under_delta_shares_are_no_fractions_so_the_numbers_are_said():
    """Many steps together spend less than their sum: 9 of 500 quantiles get more than ε/9 each."""
    found = said(replace(FOUND, node=None), ApproxDP(0.1, 1e-6))
    assert "each step may spend ε = 0.12, not 0.046." in unmarked(found.headline())
    budget = ApproxDP(1.0, 1e-3)
    assert HALVING.level_epsilon(budget, 9) > 1.0 / 9


def test_a_part_of_a_person_is_said():
    assert said(replace(FOUND, node=None), parts=True).strip[0][0] == "one step, a record"
