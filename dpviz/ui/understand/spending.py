"""Budget: one question answered again and again, what its average tells, and what it takes."""

from dataclasses import dataclass

import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.privacy import budget as spending
from dpviz.answers.privacy import budget_said, others, others_said
from dpviz.answers.privacy.budget import BudgetNumbers
from dpviz.answers.privacy.others import OthersNumbers
from dpviz.answers.said import Said
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.budget import Attack, Bill, accounts, plain_account
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.privacy.accounts import accounts_picture
from dpviz.figures.privacy.budget import budget_picture
from dpviz.figures.privacy.others import others_picture
from dpviz.ui.bench import tanks
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.tables import facts
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.understand import answers, questions, rows
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit


@confidential("asked", "bill")
@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What answers to a question take, and what their average tells where the truth is shown."""

    now: Visit
    asked: Asked
    bill: Bill
    attack: Attack | None

    def every_account(self) -> tuple[FloatArray, dict[str, FloatArray]]:
        """So many answers, and what each account makes of them."""
        asked, many = self.asked, self.bill.answers
        key = ("b_accounts", asked.query, asked.budget, asked.delta, many)
        return memory.remembered(
            key, lambda: accounts(asked.query, asked.budget, asked.delta, many)
        )


def asked_of(values: Values, now: Visit) -> Answered | None:
    """The question, and its answers where they are of data that may be shown."""
    budget = one_answer(values, now)
    asked = questions.asked(values["b_ask"], values, budget, hides=not now.truth)
    bill, attack = bill_of(values), None
    if asked is None:
        return None
    if not asked.is_made_up:
        with st.spinner(f"{counted(bill.answers, 'answer')}"):
            attack = attempt(lambda: answers.attack_on(asked, bill.answers))
    return Answered(now, asked, bill, attack)


def one_answer(values: Values, now: Visit) -> Budget:
    """The budget of one answer: this page's own, in the notion of the visit."""
    if isinstance(values["budget"], ZCDP):
        return ZCDP(float(values["b_rho"]))
    epsilon = float(values["b_eps"])
    is_pure = isinstance(values["budget"], PureDP)
    return PureDP(epsilon) if is_pure else ApproxDP(epsilon, now.delta)


def bill_of(values: Values) -> Bill:
    """What the answers take of the promise, in their own notion."""
    is_rho = isinstance(values["budget"], ZCDP)
    size, symbol = (values["b_rho"], "ρ") if is_rho else (values["b_eps"], "ε")
    return Bill(float(size), int(values["b_k"]), float(values[tanks.PROMISED]), symbol)


def _numbers(case: Answered, _: Values) -> BudgetNumbers:
    asked = case.asked
    return spending.answer(case.bill, case.attack, asked.query, asked.budget, asked.delta)


def _say(case: Answered, found: BudgetNumbers) -> Said:
    asked, question, chips = case.asked, "", []
    if found.averages is None:
        question = questions.in_words(asked.query, asked.column, hides=True)
    own, visits = asked.budget.size, case.now.budget.size
    if state.is_set("rho" if found.bill.symbol == "ρ" else "eps") and own != visits:
        chips.append(f"{found.bill.symbol} of one answer is this page's own, elsewhere {visits:g}")
    return budget_said.say(found, session.words().people, question, chips)


def _tank(case: Answered, _: BudgetNumbers, __: Values, look: Look) -> Picture:
    attack = case.attack
    spread = attack.spread if attack else answers.one_spread(case.asked)
    return budget_picture(attack, spread, case.bill, look, grid=attack.grid if attack else 1.0)


def _accounts(case: Answered, _: BudgetNumbers, __: Values, look: Look) -> Picture:
    ks, totals = case.every_account()
    return accounts_picture(ks, totals, case.bill.answers, case.bill.promise, look)


def _behind(shown: Shown[Answered, BudgetNumbers]) -> None:
    """Every account's total, for the experts."""
    ks, totals = shown.asked.every_account()
    at = int((ks == shown.numbers.bill.answers).argmax())
    plainest = plain_account(totals)
    facts([
        (f"total ε, {name}{' (adds up)' if name == plainest else ''}:", f"{line[at]:.4g}")
        for name, line in totals.items()
    ])  # fmt: skip


def _badge(case: Answered) -> bool:
    return not case.asked.is_made_up


def _instead(case: Answered, _: Visit, values: Values) -> View[Answered, BudgetNumbers] | None:
    """Averages of a quantile are nobody's where the truth is hidden: accounts alone are there."""
    return ACCOUNTS if case.attack is None and values["b_ask"] == rows.QUANTILE else None


ACCOUNTS: View[Answered, BudgetNumbers] = View(
    "accounts", "Every account", _numbers, say=_say, draw=_accounts, hero="accounts", kept="run",
    saved=False, badge=_badge, behind=_behind,
)  # fmt: skip
TANK: View[Answered, BudgetNumbers] = View(
    "tank", "Tank", _numbers, say=_say, draw=_tank, hero="budget", kept="run", saved=False,
    badge=_badge, behind=_behind, instead=_instead,
)  # fmt: skip


def _others(case: Answered, _: Values) -> OthersNumbers:
    return others.answer(case.asked.budget, case.bill.answers, case.asked.delta)


def _draw_others(_: Answered, found: OthersNumbers, __: Values, look: Look) -> Picture:
    return others_picture(found, look)


OTHERS: View[Answered, OthersNumbers] = View(
    "others", "What others chose", _others, say=lambda _, found: others_said.say(found),
    draw=_draw_others, hero="others", kept="run", of_data=False, draws=False,
)  # fmt: skip
