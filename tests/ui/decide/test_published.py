"""The card of a decision and its files: every word from the sentence, the release and the tank."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import dpviz as dp
from dpviz.answers.decide import tank
from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.answers.decide.quantile_buys_said import StandIn
from dpviz.figures.kit.look import Look
from dpviz.intake.samples import Noun
from dpviz.ui.decide import published
from tests.rows import by_rows

COLUMN = dp.Column.from_values(np.arange(1_000) % 97.0, dp.Bounds(0, 100), 1.0)
RNG = np.random.default_rng(5)
COUNT = dp.NoisyCount(above=50).release(COLUMN, dp.PureDP(0.3), RNG)
NINE = dp.ApproximateQuantiles(round_to_grid=True).release(
    COLUMN, np.arange(1, 10) / 10, dp.PureDP(0.3), RNG
)
SIZE, LOW, HIGH = 15_000.0, 0.5, 120_000.0


@pytest.fixture(autouse=True)
def held(monkeypatch):
    """What is declared, and how people are called."""
    found = {"size": SIZE, "low": LOW, "high": HIGH}
    monkeypatch.setattr(published.session, "declared", lambda name: found[name])
    monkeypatch.setattr(published.session, "neighbours", lambda: dp.Neighbours.ADD_REMOVE)
    monkeypatch.setattr(published.session, "protected", lambda: "one student")
    monkeypatch.setattr(published.session, "scope", lambda: "exam")
    words = SimpleNamespace(people=Noun("student", "students"))
    monkeypatch.setattr(published.session, "words", lambda: words)
    names = NeedNames("mark", Noun("point", "points"), words.people)
    monkeypatch.setattr(published.words, "names_of_needs", lambda: names)
    return found


def decision(released=None, left=tank.answer(1.0, 0.25, 0.3), *, need=None, stand_in=None, count=1):  # noqa: B008
    price = Price((Way("count", 0.3),), need or Need(12.0, "people"), 0.3, 11.2)
    topic = SimpleNamespace(
        words=lambda key: f"by {key}", came=lambda *_: "11 students", stand_in=stand_in
    )
    return SimpleNamespace(
        budget=dp.PureDP(0.3), price=price, topic=topic, released=released, count=count,
        subject="a count of mark", value_word="mark", final=SimpleNamespace(file="released-count"),
        tank=left,
    )  # fmt: skip


def rows(found):
    return dict(published.card.rows(published.numbers(found), published.spoken(found)))


def test_the_card_before_the_release():
    said = rows(decision())
    assert said["What"] == "a count of mark"
    assert "Values" not in said
    assert said["Exactness"] == "asked: 12 students, 19 times of 20"
    assert said["Method"] == "by count"
    assert said["Takes"] == "ε = 0.3; then 0.45 of 1 is left"
    assert "no student is more than" not in said["Public besides"]


def test_what_a_budget_keeps_is_rounded_up_in_the_card_too():
    found = decision(need=Need(50.6031, "people"))
    found.price = replace(found.price, is_given=True)
    assert rows(found)["Exactness"] == "the budget keeps: 51 students, 19 times of 20"
    said = "The budget keeps: off by at most 51 students, 19 times of 20."
    assert published.exactness(found, None) == said  # nobody asked for it


def test_the_card_of_a_release_says_its_values():
    after = tank.answer(1.0, 0.55)
    one = rows(decision(COUNT, after))
    assert one["Values"] == f"{COUNT.value:,.0f}"
    assert one["Exactness"] == "asked: 12 students; came: 11 students, 19 times of 20"
    assert one["Spent"] == "ε = 0.3, for good; 0.45 of 1 is left"
    nine = rows(decision(NINE, after, count=9))
    assert nine["Values"] == " · ".join(f"{value:,.10g}" for value in NINE.values)
    assert "all nine at once" in nine["Exactness"]


@by_rows(
    ("need", "asked"),
    [
        (Need(1.0, "people"), "1 student"),
        (Need(2.5, "value"), "2.5 % of mark"),
        (Need(1.0, "unit"), "1 point"),
        (Need(1_234.0, "places"), "1,234 places"),
        (Need(0.5, "share"), "0.5 % of the students"),
    ],
)
def test_what_was_asked_has_its_unit(need, asked):
    found = decision(need=need)
    assert published.spoken(found).asked == asked
    assert (
        published.exactness(found, found.released)
        == f"Asked for: off by at most {asked}, 19 times of 20."
    )
    other = decision(COUNT, need=need)
    came = published.exactness(other, other.released)
    assert came == f"Asked for: off by at most {asked}, 19 times of 20; came: 11 students."


def test_the_back_row_gets_few_rows_of_the_card(monkeypatch):
    shown = []
    monkeypatch.setattr(published, "card_table", lambda rows, *_: shown.append(dict(rows)) or "")
    for presenting in (False, True):
        look = Look(presenting=presenting)
        now = SimpleNamespace(look=look, presenting=presenting)
        published.card_section(decision(COUNT, tank.answer(1.0, 0.55)), now)
    whole, few = shown
    assert list(few) == ["Promise", "Exactness", "Spent"]
    assert few.items() <= whole.items()
    assert len(whole) == 7


def test_public_facts_are_those_that_were_declared(held):
    assert published._public(decision()) == ["about 15,000 students", "bounds 0.5 and 120,000"]
    stand_in = StandIn(38_000.0, 95_000.0, "your two numbers")
    assert published._public(decision(stand_in=stand_in))[-1] == (
        "made-up values: half below 38,000, one in ten above 95,000 (your two numbers)"
    )
    held["size"] = None
    assert published._public(decision()) == ["bounds 0.5 and 120,000"]
    held["low"] = None
    assert published._public(decision()) == []


def test_before_the_release_there_is_the_decision_card_alone(monkeypatch):
    monkeypatch.setattr(published.state, "store", dict)
    (card,) = published.offers(decision())
    assert (card.label, card.file) == ("Decision card", "decision-card.html")
    text = card.content()
    assert "Proposal: ε = 0.3, once, for a count of mark" in text
    made = published.offers(decision(COUNT, tank.answer(1.0, 0.55)))
    assert [one.label for one in made] == [
        "JSON", "CSV", "Report", "Privacy label", "Notebook", "Decision card",
    ]  # fmt: skip
    assert {re.sub("-(report|label)$", "", one.file.partition(".")[0]) for one in made} == {
        "released-count", "decision-card",
    }  # fmt: skip
    assert "Decision: ε = 0.3, once, for a count of mark" in made[-1].content()


def test_the_report_speaks_of_what_was_typed_else_of_the_values(monkeypatch):
    store = {}
    monkeypatch.setattr(published.state, "store", lambda: store)
    assert published._told(decision(COUNT)).subject == "mark"
    store[published._subject_key()] = "  points in the exam "
    told = published._told(decision(COUNT))
    assert told.subject == "points in the exam"
    assert told.accuracy == published.exactness(decision(COUNT), decision(COUNT).released)
