"""The What ε means view: how far a belief about one record can move. Nothing here is data."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.budgets import Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.privacy.odds import odds_figure
from dpviz.ui.kit import choices, frame, memory, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.number_text import belief

DELTA_MEANING = (
    "Chance that is set aside for outputs that move the odds more. ρ is read as ρ + 2√(ρ ln 1/δ) "
    "(Bun and Steinke 2016)."
)


def prior_picker() -> float:
    """What the observer believes beforehand, as a share."""
    memory.start_with("n_prior", 10)
    percent = choices.slide(
        "Belief before, in per cent",
        1,
        99,
        "n_prior",
        "p, how likely the observer holds it that the record is in the data, before the release.",
    )
    return percent / 100


def odds_panel(budget: Budget, delta: float, prior: float) -> None:
    """The band of beliefs, and the chosen one in words."""
    odds = odds_of(budget, delta)
    priors = np.linspace(0, 1, 401)
    least, most = odds.posterior(priors)
    low, high = (float(after[0]) for after in odds.posterior(np.array([prior])))
    chart(
        odds_figure(priors, least, most, (prior, low, high), frame.ink()),
        "n_odds",
        "odds",
        f"Belief after a release against belief before it: from {belief(prior)} to between "
        f"{belief(low)} and {belief(high)}",
    )
    slots = st.columns(4, border=True)
    slots[0].metric("Before", belief(prior))
    slots[1].metric("After, least", belief(low))
    slots[2].metric("After, most", belief(high))
    slots[3].metric("Odds move", f"≤ ×{np.exp(min(odds.epsilon, 700.0)):,.3g}")
    what = "holds a certain value and not another"
    if session.neighbours() is Neighbours.ADD_REMOVE:
        what = "is in the data"
    but = f", but for a chance of {odds.failure:g}" if odds.failure else ""
    st.markdown(
        f"An observer who knows every other record, and believes with probability {belief(prior)} that "
        f"this one {what}, will after the release believe so with at least {belief(low)} and at most {belief(high)}"
        f"{but}."
    )
    st.caption(
        _reading(budget, odds.epsilon)
        + " It holds as well for an observer who knows less, if the other records say nothing about this "
        "one. What they say about people in general, ε does not hide."
    )


def _reading(budget: Budget, epsilon: float) -> str:
    if isinstance(budget, PureDP):
        return "At most e^ε p / (1 − p + e^ε p): the odds of the belief change by at most e^ε."
    return (
        f"{budget} is read as odds that change by at most e^{epsilon:.4g}, but for that chance: "
        "neither ρ nor (ε, δ) bounds what every single output can tell."
    )
