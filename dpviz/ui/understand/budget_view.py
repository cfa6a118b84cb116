"""Budget: one question answered again and again, what its average tells, and what it takes."""

from __future__ import annotations

import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.privacy import budget as spending
from dpviz.answers.privacy import budget_said
from dpviz.answers.privacy.budget import BudgetNumbers
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.experiments.privacy.averaging import MOST
from dpviz.experiments.privacy.budget import (
    Bill,
    accounts,
    plain_account,
)
from dpviz.figures.privacy.accounts import accounts_picture
from dpviz.figures.privacy.budget import budget_picture
from dpviz.ui.bench import tanks
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import answers, questions, settings
from dpviz.ui.understand.budget_dock import budget_dock
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit


def show(now: Visit) -> None:
    """The page in either of its views."""
    head = st.container()
    budget, kind = one_answer(now), str(settings.get("b_ask"))
    asked = questions.asked(kind, budget, hides=not now.truth)
    bill = bill_of(budget, answers_asked())
    attack = None
    if asked and not asked.is_made_up:
        with st.spinner(f"{counted(bill.answers, 'answer')}"):
            attack = attempt(lambda: answers.attack_on(asked, bill.answers))
    budget_dock(now, asked, bill, _facts(asked, bill) if asked else [])
    if asked is None:
        with head:
            headline("Budget", "What many answers cost", "The picture returns once this is mended.")
        return
    found = spending.answer(bill, attack, asked.query, asked.budget, asked.delta)
    sentence = budget_said.headline(found)
    second = budget_said.second(found, session.words().people)(brief=now.look.phone)
    with head:
        headline("Budget", sentence, second)
    alt = f"{unmarked(sentence)} {unmarked(second)}"
    if now.view == "accounts" or (attack is None and kind == settings.QUANTILE):
        ks, totals = _accounts(asked, bill.answers)
        hero(accounts_picture(ks, totals, bill.answers, bill.promise, now.look), "accounts", alt)
    else:
        spread = attack.spread if attack else answers.one_spread(asked)
        grid = attack.grid if attack else 1.0
        hero(budget_picture(attack, spread, bill, now.look, grid=grid), "budget", alt)
    _strip(now, found, asked)


def one_answer(now: Visit) -> Budget:
    """The budget of one answer: this page's own, in the notion of the visit."""
    notion = state.get("notion")
    if notion == "zcdp":
        return ZCDP(float(settings.get("b_rho")))
    epsilon = float(settings.get("b_eps"))
    return PureDP(epsilon) if notion == "pure" else ApproxDP(epsilon, now.delta)


def answers_asked() -> int:
    """How many answers: many of a sample, one of a file until its owner asks for more."""
    chosen = settings.get("b_k")
    return int(chosen) if chosen is not None else 1 if session.is_upload() else MOST


def bill_of(budget: Budget, answers: int) -> Bill:
    """What the answers take of the promise, in their own notion."""
    return Bill(budget.size, answers, tanks.promise(), budget.symbol)


def _accounts(asked: Asked, chosen: int):  # type: ignore[no-untyped-def]
    key = ("b_accounts", asked.query, asked.budget, asked.delta, chosen)
    return memory.remembered(key, lambda: accounts(asked.query, asked.budget, asked.delta, chosen))


def _strip(now: Visit, found: BudgetNumbers, asked: Asked) -> None:
    question = ""
    if found.averages is None:
        question = questions.in_words(asked.query, asked.column, hides=True)
    items, chips = budget_said.strip(found, question), []
    first = {"low": 1, "narrow": 2}.get(now.look.screen, 0)  # what the sentences say already
    items = items[min(first, len(items) - 2) :]
    own, visits = asked.budget.size, now.budget.size
    if state.is_set("eps" if state.get("notion") != "zcdp" else "rho") and own != visits:
        chips.append(f"{found.bill.symbol} of one answer is this page's own, elsewhere {visits:g}")
    strip(now, items, chips, badge=not asked.is_made_up, ledger=True)


def _facts(asked: Asked, bill: Bill) -> list[tuple[str, str]]:
    """Every account's total, for the experts."""
    ks, totals = _accounts(asked, bill.answers)
    at = int((ks == bill.answers).argmax())
    plainest = plain_account(totals)
    return [
        (f"total ε, {name}{' (adds up)' if name == plainest else ''}:", f"{line[at]:.4g}")
        for name, line in totals.items()
    ]
