"""The card of a decision: every row by its own numbers, and as Show and a report say the same."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide import quantiles, tank
from dpviz.answers.decide.budget import card
from dpviz.answers.decide.budget.card import (
    CardNumbers,
    Words,
    answer,
    cost,
    decision_card,
    policy,
    rows,
)
from dpviz.answers.decide.exact.count import CountQuestion
from dpviz.answers.decide.price import Need, bought
from dpviz.answers.decide.risk import RiskNumbers
from dpviz.answers.privacy.deployments import NAMED
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.intake.samples import sample
from dpviz.lessons.show.decision import SCENE
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.reports import words as report
from tests.lessons.stories.test_take_away import whole

ADD = Neighbours.ADD_REMOVE
TOLD = Words(
    what="nine deciles of salary",
    person="person",
    asked="2 % of pay",
    often="19 times of 20",
    method="all at once (JointExp), steps of 100",
    public=("about 5,000 people", "bounds 0 and 250,000"),
)
VALUES = ("26,500", "29,400", "32,200")
SHOWN = CardNumbers(
    budget=PureDP(0.41),
    neighbours=ADD,
    values=VALUES,
    came="1.7 %",
    count=3,
    tank=tank.TankNumbers(
        promised=2.5, spent=0.9, takes=0.33, left=1.6, then=1.2, is_rehearsal=False
    ),
    risk=RiskNumbers(before=12, after=17, added=5, guessed=23, failure=0.0),
    yearly=PureDP(4.8),
    monthly=RiskNumbers(before=12, after=88, added=76, guessed=99, failure=0.0),
)


def test_every_number():
    stands = tank.answer(1, 0, 0.1)
    found = answer(PureDP(0.1), ADD, stands, VALUES, "1.8 %", 3)
    assert (found.budget, found.neighbours, found.tank) == (PureDP(0.1), ADD, stands)
    assert (found.values, found.came, found.count) == (VALUES, "1.8 %", 3)
    odds = [10 / 90 * math.exp(epsilon) for epsilon in (0.1, 1.2)]
    once, monthly = (math.ceil(100 * one / (1 + one)) for one in odds)
    assert (found.risk.after, found.monthly.after) == (once, monthly) == (11, 27)
    assert found.yearly == PureDP(1.2)
    assert answer(ZCDP(0.1), ADD, stands).yearly == ZCDP(1.2)
    assert answer(ApproxDP(0.1, 1e-6), ADD, stands).yearly == ApproxDP(1.2, 1.2e-5)


@pytest.mark.parametrize(("delta", "yearly"), [(0.083, 0.996), (1 / 12, None), (0.5, None)])
def test_a_year_of_too_large_a_delta_promises_nothing(delta, yearly):
    """It ended the page in a traceback."""
    found = answer(ApproxDP(0.1, delta), ADD, tank.answer(1, 0, 0.1))
    if yearly is not None:
        assert found.yearly == ApproxDP(1.2, yearly)
        assert cost(found) == "once; monthly: 1.2 a year, hardly a cap"
        return
    assert found.yearly is None
    assert (found.monthly.after, found.monthly.guessed, found.monthly.failure) == (100, 100, 1)
    assert cost(found) == "once; monthly: δ adds up to 1 or more a year, which promises nothing"


def test_rows_after_the_release():
    assert rows(SHOWN, TOLD) == [
        ("What", "nine deciles of salary"),
        ("Values", "26,500 · 29,400 · 32,200"),
        (
            "Promise",
            "ε = 0.41, pure: with or without any one person, no release is more than 1.51 times as "
            "likely",
        ),
        ("Exactness", "asked: 2 % of pay; came: 1.7 %, all three at once, 19 times of 20"),
        ("Method", "all at once (JointExp), steps of 100"),
        ("Public besides", "about 5,000 people; bounds 0 and 250,000"),
        ("Spent", "ε = 0.41, for good; 1.6 of 2.5 is left"),
    ]


def test_rows_before_the_release():
    found = replace(SHOWN, values=(), came="", count=1)
    said = dict(rows(found, TOLD))
    assert "Values" not in said
    assert said["Exactness"] == "asked: 2 % of pay, 19 times of 20"
    assert said["Takes"] == "ε = 0.41; then 1.2 of 2.5 is left"
    low = replace(found, tank=replace(SHOWN.tank, takes=9.9))
    assert dict(rows(low, TOLD))["Takes"] == "ε = 0.41; only 1.6 is left"
    tried = replace(SHOWN, tank=replace(SHOWN.tank, is_rehearsal=True))
    assert dict(rows(tried, TOLD))["Rehearsed"] == "ε = 0.41 of a promise of 2.5"


def test_the_promise_names_its_notion():
    odd = replace(SHOWN, budget=ZCDP(0.1))
    assert card.promise(odd, "student").startswith("ρ = 0.1, zero-concentrated: with or without")
    assert card.promise(odd, "student").endswith("but for a chance of 10⁻⁶")
    approx = replace(SHOWN, budget=ApproxDP(0.3, 1e-6))
    assert card.promise(approx, "student").startswith("ε = 0.3, δ = 1e-06: with or without any one")


def test_many_values_are_the_first_and_the_last():
    many = tuple(str(one) for one in range(13))
    assert card.shortened(many) == ("0", "1", "2", "3", "4", "…", "11", "12")
    assert card.shortened(many[:12]) == many[:12]


def test_what_and_values_are_those_of_a_report():
    column = Column.from_values(np.arange(0, 100_000, 100.0), Bounds(0, 250_000), resolution=100)
    rng = np.random.default_rng(1)
    release = JointExp().release(column, DECILES, PureDP(0.5), rng)
    values = tuple(f"{value:,.0f}" for value in release.values)
    told = dict(report.rows(release, report.Told("salary")))
    said = dict(rows(replace(SHOWN, values=values), TOLD))
    assert told["Values"] == said["Values"]
    assert told["What"] == f"The {said['What']}"


def test_what_somebody_signs():
    assert policy(SHOWN, TOLD) == [
        ("RISK", "12 in 100 becomes at most 17"),
        ("ACCURACY", "asked: 2 % of pay; came: 1.7 %, all three at once, 19 times of 20"),
        ("COST", "one release; monthly: 4.8 a year, 88 in 100"),
        ("NOT PROMISED", "facts about groups; leaks elsewhere; a second release for free"),
        (
            "COMPARED WITH",
            "ours 0.41; Wikipedia about 1; Apple 2 to 16; 2020 US census 19.61: for different "
            "units of protection: not a ranking",
        ),
        ("STATED IN", "; ".join(one.source for one in NAMED)),
    ]
    before = replace(SHOWN, values=(), came="")
    assert dict(policy(before, TOLD))["ACCURACY"] == "off by at most 2 % of pay, 19 times of 20"
    assert dict(policy(replace(SHOWN, budget=ZCDP(1)), TOLD))["COMPARED WITH"].startswith("Wiki")


@pytest.mark.parametrize("epsilon", SCENE.control.stops)
def test_the_decision_card_says_what_the_one_of_show_says(epsilon):
    """Its rows are the same texts."""
    told = dict(SCENE.numbers(epsilon, 1).rows)
    found = answer(PureDP(epsilon), ADD, tank.answer(1, 0, epsilon))
    said = dict(policy(found, TOLD))
    for name in ("RISK", "COST", "NOT PROMISED"):
        assert said[name] == told[name]


@pytest.mark.parametrize("epsilon", SCENE.control.stops)
def test_the_card_of_show_is_off_by_what_the_sentences_say(epsilon):
    """A median and a count of the salaries, each for this budget, as the page asks for them."""
    told, one = SCENE.numbers(epsilon, 1), sample("salaries")
    source = quantiles.Sampled("salaries", one.bounds[0], one.resolution)
    asked = quantiles.question(QuantileSet.of((0.5,)), one.about, source, PureDP(1.0))
    assert told.median_off == quantiles.first(asked, Need(0.0, "unit"), epsilon).off
    counted = CountQuestion(PureDP(1.0), 60_000.0, neighbours=ADD, people=one.about)
    assert told.count_off == bought(counted, epsilon, Need(0.0, "people")).off


def test_the_page_is_whole_and_has_room_to_sign():
    page = whole(decision_card(SHOWN, TOLD, "<svg></svg>"))
    assert page.count("class='lines'") == 3
    assert "<h1>Decision: ε = 0.41, once, for nine deciles of salary</h1>" in page
    assert "If at most 17 in 100 (from 12) and 2 % of pay off are acceptable." in page
    for name, text in (*rows(SHOWN, TOLD), *policy(SHOWN, TOLD)):
        assert f"<tr><th>{name}</th><td>{text}</td></tr>" in page
    before = replace(SHOWN, values=(), came="")
    assert "<h1>Proposal: ε = 0.41" in decision_card(before, TOLD)


def test_texts_of_a_file_are_not_trusted():
    page = decision_card(SHOWN, replace(TOLD, what="<b>deciles</b>"))
    assert "<b>" not in page
    assert "&lt;b&gt;deciles" in page
