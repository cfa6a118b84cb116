"""The choices of the Neighbours page: the number that is released, and its budget."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import NotYet

PREFIX = "n_"
QUANTILE = "Quantile (exponential)"
NOISES = {
    "Count, Laplace": Noise.LAPLACE,
    "Count, discrete Laplace": Noise.DISCRETE_LAPLACE,
    "Count, Gaussian": Noise.GAUSSIAN,
}


def query_picker() -> Query:
    """The one private number that the page looks at.

    Raises: InvalidQuantiles for a quantile outside (0, 1), NotYet while bounds are missing.
    """
    kind = st.selectbox(
        "Private number",
        [QUANTILE, *NOISES],
        key="n_kind",
        bind="query-params",
        persist_state="session",
        on_change=_fit_notion,
        help="One quantile: for a single one ApproximateQuantiles, AppIndExp and JointExp are the same "
        "exponential mechanism (Smith 2011). Or the number of records up to a threshold, with noise.",
    )
    if kind == QUANTILE:
        memory.start_with("n_quantile", 0.5)
        quantile = st.number_input(
            "Quantile",
            0.001,
            0.999,
            step=0.05,
            key="n_quantile",
            format="%.3g",
            bind="query-params",
            persist_state="session",
            help="q: a share q of the records lies below it.",
        )
        return QuantileQuery(float(quantile), session.neighbours())
    bounds = session.declared_bounds()
    threshold = st.number_input(
        "Threshold",
        value=bounds.low + bounds.width / 2,
        key=f"n_{session.scope()}_threshold",
        format="%.10g",
        bind=session.link(),
        persist_state="session",
        help="The count is of the records up to this value. It is public: choose it without the data.",
    )
    if threshold is None:
        raise NotYet("Choose a threshold: the count is of the records up to it.")
    return CountQuery(float(threshold), NOISES[kind])


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
    memory.start_with("n_at", 1e-6)
    delta = st.number_input(
        "Read at δ",
        key="n_at",
        format="%.3g",
        step=1e-7,
        bind="query-params",
        persist_state="session",
        help=meaning,
    )
    return ApproxDP(1.0, float(delta)).delta


def needs_delta(query: Query, budget: Budget) -> bool:
    """Whether the number's ε depends on a δ: Gaussian noise bounds no log ratio."""
    gaussian = isinstance(query, CountQuery) and query.noise is Noise.GAUSSIAN
    return gaussian and not isinstance(budget, PureDP)
