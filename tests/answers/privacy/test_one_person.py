"""One person and one count, and beliefs: each number from the laws, slowly; and what is said."""

import math
from dataclasses import replace

import pytest

from dpviz.answers.privacy import belief, belief_said
from dpviz.answers.privacy.one_count import answer
from dpviz.answers.privacy.one_count_said import Named, facts, headline, second, strip
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.one_count import OneCount

IDA = Named("Ida", "with Ida", "without her")
WHOLE = OneCount(Noise.DISCRETE_LAPLACE, 2.0, 865, 864, Claim(0.5, 0.0))
NORMAL = OneCount(Noise.GAUSSIAN, 3.0, 865, 864, Claim(0.5, 1e-6))


def slow_belief(prior, likelier):
    return prior * likelier / (prior * likelier + 1 - prior)


@pytest.mark.parametrize(("published", "ratio"), [(867, math.exp(0.5)), (860, math.exp(-0.5))])
def test_beliefs_after_an_answer_with_whole_noise(published, ratio):
    found = answer(WHOLE, published, 0.3)
    assert (found.one, found.other, found.moved) == (865, 864, True)
    assert (found.answer, found.prior) == (published, 0.3)
    assert found.after == pytest.approx(slow_belief(0.3, ratio))
    assert found.worst == pytest.approx(slow_belief(0.1, math.exp(0.5)))
    assert (found.largest, found.beyond, found.exact_delta) == (0.5, 0.0, 0.0)


def test_beliefs_after_an_answer_with_normal_noise():
    found = answer(NORMAL, 870, 0.2)
    ratio = math.exp(((870 - 864) ** 2 - (870 - 865) ** 2) / (2 * 9))
    assert found.after == pytest.approx(slow_belief(0.2, ratio))
    low = 864.5 + 0.5 * 9  # where the ratio passes e^ε

    def above(centre):
        return 0.5 * math.erfc((low - centre) / 3 / math.sqrt(2))

    assert found.beyond == pytest.approx(above(865))
    assert found.exact_delta == pytest.approx(above(865) - math.exp(0.5) * above(864))
    assert found.beyond > found.exact_delta  # what is left out is said to be as large as it is


def test_somebody_who_is_not_counted_changes_nothing():
    found = answer(replace(WHOLE, other=865), 866, 0.3)
    assert not found.moved
    assert (found.after, found.worst) == pytest.approx((0.3, 0.1))
    assert (found.largest, found.beyond) == (0.0, 0.0)
    assert "the count is the same" in headline(found, IDA)
    assert "other side of the line" in second(found, IDA, "How many?")()


def test_every_sentence_says_its_own_number():
    shown = replace(
        answer(WHOLE, 867, 0.3),
        one=1234.0,
        other=987.0,
        epsilon=0.7,
        answer=1111,
        prior=0.25,
        after=0.33,
        worst=0.444,
        largest=0.35,
    )
    assert headline(shown, IDA) == (
        r"With or without Ida, every answer is at most :blue[2\.02 times] as likely."
    )
    assert headline(shown, replace(IDA, replaced=True)).startswith("Whatever Ida's number, every")
    line = second(shown, IDA, "How many earn more?")
    assert line() == (
        "How many earn more? With Ida **1,234**, without her **987**. Whatever is published could "
        "have come from either."
    )
    assert line(brief=True) == (
        "With Ida **1,234**, without her **987**: it could have come from either."
    )
    assert second(shown, IDA, "")(brief=True) == (
        "A made-up count: with Ida **1,234**, without her **987**. Nothing of the data is on "
        "screen."
    )
    assert strip(shown, narrow=False) == [
        ("if 1,111 is published: a suspicion of 25 % becomes", "33 %"),
        ("one of 10 % becomes at most", "44.4 %"),
    ]
    assert strip(shown, narrow=True)[0][0] == "if it is 1,111: 25 % become"
    assert facts(shown) == [
        ("largest |log ratio|:", "0.35"),
        ("ε, the limit:", "0.7"),
        ("share of ε used:", "50.0%"),
    ]
    failing = replace(shown, delta=2e-6, noise=Noise.GAUSSIAN, beyond=0.17, exact_delta=0.012)
    assert headline(failing, IDA).endswith("as likely, except with chance 0\\.17.")
    assert strip(failing, narrow=True)[1] == ("10 % at most", "44.4 %, but for 0.17")
    assert facts(failing) == [
        ("ε at δ = 2e-06:", "0.7"),
        ("outputs beyond ε:", "17.0 %"),
        ("exact δ(ε):", "0.012"),
    ]


@pytest.mark.parametrize(
    ("budget", "epsilon", "failure"),
    [
        (PureDP(0.5), 0.5, 0.0),
        (ApproxDP(0.5, 1e-5), 0.5 + math.log(2), 2e-5),
        (ZCDP(0.02), 0.02 + 2 * math.sqrt(0.02 * math.log(1e4)), 1e-4),
    ],
)
def test_beliefs_move_by_the_odds_of_the_budget(budget, epsilon, failure):
    found = belief.answer(budget, 1e-4, 0.2)
    assert (found.epsilon, found.failure) == pytest.approx((epsilon, failure))
    assert found.most == pytest.approx(slow_belief(0.2, math.exp(epsilon)))
    assert found.least == pytest.approx(slow_belief(0.2, math.exp(-epsilon)))
    assert found.prior == 0.2


def test_what_is_said_of_beliefs():
    shown = belief.BeliefNumbers(0.15, 0.081, 0.2345, 0.7, 3e-6)
    assert belief_said.headline(shown) == (
        r"A suspicion of 15 % becomes at most :blue[23\.5 %], but for a chance of 3\.0 × 10⁻⁶."
    )
    line = belief_said.second(shown, Neighbours.ADD_REMOVE)
    assert r"that one person is in the data believes it afterwards with at least 8\.1 %" in line()
    assert line(brief=True).startswith(r"At least 8\.1 %, even")
    other = belief_said.second(shown, Neighbours.REPLACE_ONE)()
    assert "one person has a certain value and not another believes" in other
    assert belief_said.strip(shown, PureDP(0.7)) == [
        ("odds move at most", "2.02 times"),
        ("that is e to the power of", "ε"),
    ]
    read = belief_said.strip(shown, ApproxDP(0.1, 1e-5))[1][1]
    assert read.startswith("ε + ln 2, read from ")
    assert belief_said.strip(shown, ZCDP(0.1))[1][1] == (
        "ρ + 2√(ρ ln 1/δ) = 0.7, read at δ = 3e-06"
    )
    pure = replace(shown, failure=0.0)
    assert belief_said.headline(pure).endswith("%].")
