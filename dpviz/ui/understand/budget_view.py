"""Budget: one question answered again and again, what its average tells, and what it takes."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.experiments.privacy.averaging import MOST
from dpviz.experiments.privacy.budget import (
    Attack,
    Bill,
    accounts,
    best_account,
    plain_account,
)
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.figures.privacy.accounts import accounts_picture
from dpviz.figures.privacy.amounts import epsilon_text, tiny, value_text
from dpviz.figures.privacy.budget import average_text, budget_picture
from dpviz.ui.bench import tanks
from dpviz.ui.bench.headline import danger, headline, plain, private, true
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.number_text import counted, significant
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
    sentence = _finding(attack, bill, asked)
    second = _second(now, attack, bill, asked)
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
    _strip(now, attack, bill, asked)


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


def _finding(attack: Attack | None, bill: Bill, asked: Asked) -> str:
    many = counted(bill.answers, "answer")
    if attack is None:
        takes = "takes" if bill.answers == 1 else "take"
        if bill.is_overspent:
            taken = danger(f"{_tanks(bill)} times")
            return f"{plain(many)} {takes} {taken} what was promised."
        share = private(f"{100 * bill.tanks:.3g} %")
        return f"{plain(many)} {takes} {share} of what was promised."
    average, truth = average_text(attack), true(value_text(attack.truth, attack.grid))
    one = bill.answers == 1
    told = f"the answer is {private(average)}" if one else f"the average is {private(average)}"
    if attack.gives_away and bill.is_overspent:
        leak = danger(average)
        return f"{plain(many)} give it away: their average is {leak}, the truth is {truth}."
    if not isinstance(asked.query, CountQuery) and bill.answers >= 100:
        told = f"the average stops at {private(average)}"
    return f"{plain(many)}: {told}, the truth is {truth}."


def _tanks(bill: Bill) -> str:
    return f"{bill.tanks:,.{0 if bill.tanks >= 100 else 1}f}".removesuffix(".0")


def _second(now: Visit, attack: Attack | None, bill: Bill, asked: Asked) -> str:
    promise = f"{bill.symbol} = {epsilon_text(bill.promise)}"
    pays = f"the promise of {promise} pays for {bill.affordable:,}"
    if attack is None:
        return f"Noise averages away, so every answer must be paid for: {plain(pays)}."
    if not isinstance(asked.query, CountQuery):
        settles = value_text(attack.limit, 0)
        if attack.gives_away:
            return (
                f"Averages of it settle at {plain(settles)}. A private quantile leans to where "
                "values are sparse, but it is published in the steps of the data: rounded to "
                "them, averages give it away."
            )
        return (
            f"Averages of it settle at {plain(settles)}, near the truth and not on it: a private "
            "quantile leans to where values are sparse, and no average takes that away."
        )
    if now.look.phone:
        return f"Every answer must be paid for: {plain(pays)}."
    off = session.words().people.after(significant(attack.one_is_off, 2))
    return (
        f"One answer is off by {plain(off)} on average. Noise averages away, so every answer must "
        f"be paid for: {plain(pays)}."
    )


def _strip(now: Visit, attack: Attack | None, bill: Bill, asked: Asked) -> None:
    many = f"{bill.answers:,}"
    items = []
    if attack:
        items.append(("one answer is off by", significant(attack.one_is_off, 2)))
        if bill.answers > 1:
            items.append((f"the average of {many} by", significant(attack.average_is_off, 2)))
    else:
        question = questions.in_words(asked.query, asked.column, hides=True)
        items.append((question, "once" if many == "1" else f"{many} times"))
    items.append(("added up", f"{bill.symbol} = {epsilon_text(bill.spent)}"))
    _, best = best_account(asked.query, asked.budget, asked.delta, bill.answers)
    items.append((f"best account at δ = {tiny(asked.delta)}", f"ε = {epsilon_text(best)}"))
    chips = []
    first = {"low": 1, "narrow": 2}.get(now.look.screen, 0)  # what the sentences say already
    items = items[min(first, len(items) - 2) :]
    own, visits = asked.budget.size, now.budget.size
    if state.is_set("eps" if state.get("notion") != "zcdp" else "rho") and own != visits:
        chips.append(f"{bill.symbol} of one answer is this page's own, elsewhere {visits:g}")
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
