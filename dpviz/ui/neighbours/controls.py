"""The choices of the Neighbours page: the number that is released, and its budget."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.data import Column
from dpviz.core.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.kit.pickers import delta_field

PREFIX = "n_"
QUANTILE = "Quantile (exponential)"
NOISES = {
    "Count, Laplace": Noise.LAPLACE,
    "Count, discrete Laplace": Noise.DISCRETE_LAPLACE,
    "Count, Gaussian": Noise.GAUSSIAN,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One private number of a column, the budget of a release, and the δ that it is read at."""

    query: Query
    column: Column
    budget: Budget
    delta: float
    draw: Draw

    def claim(self) -> Claim:
        """What the mechanism promises. Raises: DpvizError for noise that does not fit the budget."""
        return self.query.claim(self.budget, self.delta)


def query_picker() -> Query:
    """The one private number that the page looks at.

    Raises: InvalidQuantiles for a quantile outside (0, 1), NotYet while bounds are missing.
    """
    kind = choices.menu(
        "Private number",
        [QUANTILE, *NOISES],
        "n_kind",
        "One quantile: for a single one ApproximateQuantiles, AppIndExp and JointExp are the same "
        "exponential mechanism (Smith 2011). Or the number of records up to a threshold, with "
        "noise.",
        on_change=_fit_notion,
    )
    if kind == QUANTILE:
        memory.start_with("n_quantile", 0.5)
        quantile = choices.number(
            "Quantile",
            "n_quantile",
            "q: a share q of the records lies below it.",
            min_value=0.001,
            max_value=0.999,
            step=0.05,
            format="%.3g",
        )
        return QuantileQuery(quantile, session.neighbours())
    bounds = session.declared_bounds()
    threshold = choices.field(
        "Threshold",
        f"n_{session.scope()}_threshold",
        "The count is of the records up to this value. It is public: choose it without the data.",
        default=bounds.low + bounds.width / 2,
        bind=session.link(),
    )
    if threshold is None:
        raise NotYet("Choose a threshold: the count is of the records up to it.")
    return CountQuery(threshold, NOISES[kind])


def _fit_notion() -> None:
    """Gaussian noise has no pure ε, Laplace noise no use for δ: take a notion that fits."""
    noise, notion = NOISES.get(st.session_state["n_kind"]), st.session_state.get("n_notion")
    if noise is Noise.GAUSSIAN and notion == "pure":
        st.session_state["n_notion"] = "zcdp"
    elif noise not in {None, Noise.GAUSSIAN} and notion == "approx":
        st.session_state["n_notion"] = "pure"


def delta_picker(budget: Budget, meaning: str) -> float:
    """The δ that a budget without one is read at; a budget's own otherwise.

    Raises: InvalidBudget for a δ outside (0, 1).
    """
    if isinstance(budget, ApproxDP):
        return budget.delta
    return ApproxDP(1.0, delta_field("Read at δ", "n_at", meaning)).delta


def needs_delta(query: Query, budget: Budget) -> bool:
    """Whether the number's ε depends on a δ: Gaussian noise bounds no log ratio."""
    gaussian = isinstance(query, CountQuery) and query.noise is Noise.GAUSSIAN
    return gaussian and not isinstance(budget, PureDP)
