"""The decision card: one page to leave with."""

from __future__ import annotations

from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.odds import odds_of
from dpviz.intake.samples import sample_column
from dpviz.lessons import towns
from dpviz.lessons.scene import Control, Scene, Sentences, options
from dpviz.lessons.show.card import Card, marks
from dpviz.lessons.words import epsilon, whole
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import true_quantiles

BEFORE, MONTHS = 0.1, 12  # the suspicion of S2, and releases of a monthly report a year
LINE = 60_000.0  # the count is of those who earn more
RUNS, SEED = 1000, 1


@cache
def numbers(eps: float, _: int = 1) -> Card:
    """Every row of the card at one ε."""
    column, mechanism = sample_column(towns.SALARIES), ApproximateQuantiles(round_to_grid=True)
    rng = np.random.default_rng(SEED)
    drawn = mechanism.release_many(column, [0.5], PureDP(eps), rng, RUNS)
    (median,) = true_quantiles(column, [0.5])
    off = float(np.quantile(np.abs(drawn - median), towns.SURE, method="higher"))
    counted = CountQuery.over(LINE, Noise.DISCRETE_LAPLACE).truth(column)
    return Card(
        epsilon=eps,
        before=BEFORE,
        after=suspicion(eps),
        median_off=off,
        median=float(median),
        count_off=towns.count_reach(eps),
        count=counted,
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
    """The recommendation that follows from the card."""
    return Sentences(
        f"We recommend :blue[ε = {told.epsilon:g}, once a year], for groups above "
        f"{whole(told.smallest)}.",
        "A policy, not a technical detail: one release a year, "
        f"{100 * told.before:.0f} in 100 becomes at most {told.risk}. Write it down.",
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
    control=Control("eps", "Setting", towns.EPSILONS, 0.1, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="The setting is a policy, not a technical detail. Name who decides, what a "
    "person's record is, how often we publish, and when the budget is used up. Then write it "
    "down where everyone can read it.",
    full=("what_if", {"data": towns.SALARIES}),
    teacher="Stop talking; let them argue over the cap of the second scene.",
    alt=alt,
    exercise="Fill the card for one report of yours.",
    answer="There is no right card; there is a card that somebody signs.",
    sources=(
        "Wikimedia, page views by country: ρ = 0.015 a day and device, stated as about ε = 1",
        "Apple: 2 to 16 a user and day, noise on the phone (list of deployments by Desfontaines)",
        "California Department of Finance: trial files of the 2020 US census, 4.5 and 12.2",
    ),
)
