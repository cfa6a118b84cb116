"""Many answers to one question: each number worked out anew; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.privacy.budget import Averages, BudgetNumbers, answer
from dpviz.answers.privacy.budget_said import average_text, headline, second, strip
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.budget import Attack, Bill
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import Noun, sample

PEOPLE = sample("exam").words.people
COUNT = CountQuery(50.0, noise=Noise.LAPLACE)
ANSWERS = [861.0, 868.5, 859.25, 870.0]


def numbers(query=COUNT, attack=True, promise=0.25):
    made = Attack(np.array(ANSWERS), 865.0, 10.0, 864.5, 1.0) if attack else None
    return answer(Bill(0.1, 4, promise), made, query, PureDP(0.1), 1e-6)


def test_every_number():
    found = numbers()
    bill = found.bill
    assert (bill.answers, bill.affordable, bill.is_overspent) == (4, 2, True)
    assert (bill.spent, bill.tanks) == pytest.approx((0.4, 1.6))
    assert (bill.promise, bill.symbol, found.delta) == (0.25, "ε", 1e-6)
    averages = found.averages
    mean = sum(ANSWERS) / 4
    assert averages.average == pytest.approx(mean)
    assert averages.one_is_off == pytest.approx(sum(abs(one - 865) for one in ANSWERS) / 4)
    assert averages.average_is_off == pytest.approx(abs(mean - 865))
    assert (averages.truth, averages.limit, averages.grid) == (865.0, 864.5, 1.0)
    assert averages.gives_away == (round(mean) == 865)
    assert found.best <= 0.4 + 1e-12
    assert found.is_count
    assert not numbers(QuantileQuery(0.5, Neighbours.ADD_REMOVE)).is_count
    assert numbers(attack=False).averages is None
    assert not numbers(promise=0.4).bill.is_overspent


SHOWN = BudgetNumbers(
    Bill(size=0.1, answers=1234, promise=7.7),
    best=5.67,
    delta=2e-6,
    is_count=True,
    averages=Averages(864.62, 865.0, 1.0, 8.1, 0.38, 864.5, True),
)
ONE = Bill(size=0.123, answers=1, promise=1)


def test_answers_that_give_the_truth_away():
    assert headline(SHOWN) == (
        r"1,234 answers give it away: their average is :orange[864\.6], the truth is **865**."
    )
    off = replace(SHOWN.averages, gives_away=False)
    assert headline(replace(SHOWN, averages=off)) == (
        r"1,234 answers: the average is :blue[864\.6], the truth is **865**."
    )
    assert ":blue[865], the truth" in headline(replace(SHOWN, bill=ONE))
    assert headline(replace(SHOWN, bill=ONE)).startswith("1 answer: the answer")
    quantile = replace(SHOWN, averages=off, is_count=False)
    assert "the average stops at :blue" in headline(quantile)
    few = replace(SHOWN.bill, answers=99)
    assert "the average is :blue" in headline(replace(quantile, bill=few))


def test_without_the_truth_the_share_of_the_promise_is_said():
    hidden = replace(SHOWN, averages=None)
    assert headline(hidden) == r"1,234 answers take :orange[16 times] what was promised."
    for answers, times in ((157, "2"), (333, r"4\.3"), (9999, "130")):
        bill = replace(SHOWN.bill, answers=answers)
        assert f":orange[{times} times]" in headline(replace(hidden, bill=bill))
    little = replace(SHOWN.bill, answers=78)
    assert headline(replace(hidden, bill=little)) == (
        "78 answers take :orange[more than] what was promised."
    )
    assert headline(replace(hidden, bill=ONE)) == (
        r"1 answer takes :blue[12\.3 %] of what was promised."
    )
    assert second(hidden, PEOPLE)() == (
        r"Noise averages away, so every answer must be paid for: the promise of ε \= 7\.7 pays for "
        "77."
    )
    assert "864" not in repr([second(hidden, PEOPLE), strip(hidden, "how many?")])


def test_the_second_line():
    line = second(SHOWN, Noun("student", "students"))
    assert line().startswith(r"One answer is off by 8\.1 students on average. Noise averages away")
    assert line(brief=True).startswith("Every answer must be paid for: the promise of ε")
    quantile = replace(SHOWN, is_count=False)
    assert second(quantile, PEOPLE)().startswith(r"Averages of it settle at 864\.5. A private")
    near = replace(quantile, averages=replace(SHOWN.averages, gives_away=False))
    assert "settle at 864\\.5, near the truth and not on it" in second(near, PEOPLE)()


def test_the_strip():
    assert strip(SHOWN, "") == [
        ("one answer is off by", "8.1"),
        ("the average of 1,234 by", "0.38"),
        ("added up", "ε = 123"),
        ("best account at δ = 2.0 × 10⁻⁶", "ε = 5.67"),
    ]
    hidden = strip(replace(SHOWN, averages=None), "how many?")
    assert hidden[0] == ("how many?", "1,234 times")
    assert strip(replace(SHOWN, averages=None, bill=ONE), "how many?")[0][1] == "once"
    assert len(strip(replace(SHOWN, bill=ONE), "")) == 3


def test_an_average_has_one_digit_more_than_the_truth():
    assert average_text(864.649, 1.0, 2) == "864.6"
    assert average_text(864.0, 1.0, 1) == "864"
    assert average_text(864.649, 0.0, 5) == "864.6"
