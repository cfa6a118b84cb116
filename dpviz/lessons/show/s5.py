"""The decision card: one page to leave with."""

from __future__ import annotations

from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.odds import odds_of
from dpviz.lessons import towns
from dpviz.lessons.scene import Control, Scene, Sentences, options
from dpviz.lessons.show import s3
from dpviz.lessons.show.card import Card, in_100, marks
from dpviz.lessons.words import epsilon, whole

BEFORE, MONTHS = 0.1, 12  # the suspicion of S2, and releases of a monthly report a year


@cache
def numbers(eps: float, _: int = 1) -> Card:
    """Every row of the card at one ε."""
    kept = s3.numbers(eps)  # the errors of the third scene
    return Card(
        epsilon=eps,
        before=BEFORE,
        after=suspicion(eps),
        median_off=kept.median,
        median=kept.true_median,
        count_off=kept.count,
        count=kept.above,
        smallest=towns.stored(eps).smallest,
        yearly=MONTHS * eps,
        monthly=suspicion(MONTHS * eps),
    )


def suspicion(eps: float) -> float:
    """What a suspicion of BEFORE becomes at most."""
    _, after = odds_of(PureDP(eps), 0.5).posterior(np.array([BEFORE]))
    return float(after[0])


def ask(_: Card) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Which of these changes the protection people get?",
        "One page to decide on: risk, accuracy, smallest group, cost, and what is not promised.",
    )


def say(told: Card) -> Sentences:
    """The proposal that follows from the card, and on what condition."""
    return Sentences(
        f"Proposal: :blue[ε = {told.epsilon:g}, once a year], groups from {whole(told.smallest)} "
        "on.",
        f"If at most {told.risk} in 100 (from {100 * told.before:.0f}) and {towns.ENOUGH:g} % off "
        "are acceptable. A policy: somebody decides.",
    )


def finding(told: Card) -> str:
    """What twelve releases in place of one do to the promise."""
    once, monthly = told.risk, in_100(told.monthly)
    return (
        f"{100 * told.before:.0f} in 100 becomes at most {once} once a year, {monthly} every month"
    )


def alt(told: Card) -> str:
    """The picture in words."""
    rows = "; ".join(f"{name.lower()}: {words}" for name, words in told.rows if words)
    return f"A card with rows of risk, accuracy, smallest group, cost, not promised. {rows}."


SCENE = Scene(
    story="show",
    number=5,
    title="The decision card",
    seconds=60,
    goal="Leave with one page.",
    question="Which of these changes the protection that our people get?",
    ask=ask,
    options=options(
        ("More staff", "M4"),
        ("How often we publish about the same people", None),
        ("A better computer of the attacker", "M3"),
        ("A clever evaluation of the result", "M11"),
    ),
    about="At ε = 0.1",
    finding=finding,
    control=Control("eps", "Setting", towns.EPSILONS, 0.1, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="The setting is a policy, not a technical detail. Name who decides, what a "
    "person's record is, how often we publish, and when the budget is used up. Then write it "
    "down where everyone can read it.",
    full=("decide", {"data": towns.SALARIES}),
    teacher="Stop talking; let them argue over the cap of the second scene.",
    alt=alt,
    exercise="Fill the card for one report of yours.",
    answer="There is no right card; there is a card that somebody signs.",
    sources=(
        "Wikimedia, page views by country: ρ = 0.015 a day and device, stated as about ε = 1",
        "Apple: 2 to 16 a user and day, noise on the phone (list of deployments by Desfontaines)",
        "US Census Bureau 2021: final redistricting file of 2020, 17.14 for people and 2.47 for "
        "homes",
    ),
)
