"""Budget and One person: which account adds up, and how a person is spoken of in a sentence."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, PureDP
from dpviz.ui.understand import one_count, spending
from dpviz.ui.understand.people import Names, Person
from tests.rows import by_rows


def test_every_account_is_named_with_its_own_total(monkeypatch):
    rows = []
    monkeypatch.setattr(spending, "facts", rows.extend)
    ks = np.array([1.0, 10.0, 30.0])
    plainest = "adding up"
    totals = {plainest: np.array([0.1, 1.0, 3.0]), "advanced": np.array([0.5, 1.2345, 2.0])}
    monkeypatch.setattr(spending, "plain_account", lambda _: plainest)
    case = SimpleNamespace(every_account=lambda: (ks, totals))
    bill = SimpleNamespace(answers=10)
    spending._behind(SimpleNamespace(asked=case, numbers=SimpleNamespace(bill=bill)))
    assert rows == [
        (f"total ε, {plainest} (adds up):", "1"),
        ("total ε, advanced:", "1.234"),
    ]


@by_rows(
    ("own", "visits", "is_set", "chips"),
    [
        (0.5, 0.1, True, ["ε of one answer is this page's own, elsewhere 0.1"]),
        (0.5, 0.5, True, []),
        (0.5, 0.1, False, []),
    ],
)
def test_a_budget_of_the_pages_own_is_named(monkeypatch, own, visits, is_set, chips):
    said = []
    monkeypatch.setattr(spending.state, "is_set", lambda key: is_set and key == "eps")
    monkeypatch.setattr(spending.budget_said, "say", lambda *given: said.append(given))
    words = SimpleNamespace(people="people")
    monkeypatch.setattr(spending.session, "words", lambda: words)
    case = SimpleNamespace(
        asked=SimpleNamespace(budget=PureDP(own)),
        now=SimpleNamespace(budget=PureDP(visits)),
    )
    found = SimpleNamespace(averages="seen", bill=SimpleNamespace(symbol="ε"))
    spending._say(case, found)
    assert said == [(found, "people", "", chips)]


def test_answers_are_billed_in_the_notion_of_the_visit():
    values = {"b_rho": 0.02, "b_eps": 0.3, "b_k": 7, spending.tanks.PROMISED: 2.0}
    for budget, size, symbol in ((ZCDP(1), 0.02, "ρ"), (PureDP(1), 0.3, "ε")):
        bill = spending.bill_of(values | {"budget": budget})
        assert (bill.size, bill.answers, bill.promise, bill.symbol) == (size, 7, 2.0, symbol)
    now = SimpleNamespace(delta=1e-5)
    assert spending.one_answer(values | {"budget": ZCDP(1)}, now) == ZCDP(0.02)
    assert spending.one_answer(values | {"budget": PureDP(1)}, now) == PureDP(0.3)


@pytest.mark.parametrize(
    ("who", "without"),
    [
        (Person(None, "Ida", Names("Ida", "with Ida", "without Ida"), "her"), "without her"),
        (Person(None, "the best student", Names("x", "with x", "without")), "without"),
        (Person(None, "one more student", Names("x", "with x", "as it is")), "as it is"),
    ],
)
def test_a_count_without_somebody_is_said_by_the_pronoun(monkeypatch, who, without):
    said = []
    monkeypatch.setattr(one_count.one_count_said, "say", lambda *given: said.append(given))
    monkeypatch.setattr(one_count.questions, "in_words", lambda *_, **__: "How many?")
    asked = SimpleNamespace(is_made_up=False, query=None, column=None)
    noise = SimpleNamespace(whole=True, gaussian=True)
    case = SimpleNamespace(who=who, asked=asked, at="1e-05")
    one_count._say(case, SimpleNamespace(noise=noise))
    ((_, named, question, chips),) = said
    assert (named.who, named.with_one, named.without) == (who.who, who.names.with_one, without)
    assert (question, chips) == ("How many?", ["δ = 1e-05"])
    asked.is_made_up = True
    one_count._say(case, SimpleNamespace(noise=noise))
    assert said[1][2] == ""
