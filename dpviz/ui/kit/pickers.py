"""Widgets for budget, quantile set, mechanisms and draw; each returns core nouns."""

from __future__ import annotations

import math

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.quantiles import (
    DECILES,
    PERCENTILES,
    QUARTILES,
    QuantileSet,
    parse_quantiles,
    uniform_quantiles,
)
from dpviz.ui.kit import memory

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
NOTIONS = {"pure": "pure ε", "approx": "(ε, δ)", "zcdp": "zCDP ρ"}
SETS = ("quartiles", "deciles", "percentiles", "m uniform", "own list")
MOST_QUANTILES = 500


def nearest_step(value: float | None) -> float:
    """The slider position that stands for an exact number."""
    positive = value if value is not None and value > 0 else STEPS[0]
    return min(STEPS, key=lambda step: abs(math.log(step) - math.log(positive)))


def _size(key: str, symbol: str, default: float, meaning: str) -> float:
    """A slider on fixed log-spaced values, and a field for any exact number, kept in step."""
    slider = f"{key}_slider"
    memory.start_with(key, default)

    def from_slider() -> None:
        st.session_state[key] = st.session_state[slider]

    def from_number() -> None:
        st.session_state[slider] = nearest_step(st.session_state[key])

    above = st.container()
    exact = st.number_input(  # first, for the slider starts at the step nearest to it
        f"{symbol}, exact",
        key=key,
        format="%.10g",
        bind="query-params",
        on_change=from_number,
        persist_state="session",
        width=150,
        help=f"{meaning} Any positive number.",
    )
    # always, not only at first: a slider that was away for a run would come back at its first step
    st.session_state[slider] = nearest_step(exact)
    above.select_slider(
        f"{symbol}: more private ↔ more accurate",
        STEPS,
        key=slider,
        format_func=lambda step: f"{step:g}",
        on_change=from_slider,
    )
    return float(exact)


def budget_picker(prefix: str = "", epsilon: float = 0.1, rho: float = 0.01) -> Budget:
    """Notion and size of the budget; prefix keeps the keys of two pages apart.

    Raises: InvalidBudget for a number that is no budget.
    """
    memory.start_with(f"{prefix}notion", "pure", NOTIONS.values())
    notion = st.segmented_control(
        "Budget",
        list(NOTIONS),
        key=f"{prefix}notion",
        required=True,
        format_func=lambda key: NOTIONS[key],
        bind="query-params",
        help="Pure ε-DP; (ε, δ)-DP, which allows a failure of probability δ; or ρ-zero-concentrated "
        "DP, which composes better. One is never converted into another silently.",
    )
    if notion == "zcdp":
        return ZCDP(_size(f"{prefix}rho", "ρ", rho, "Privacy loss in zCDP (Bun and Steinke 2016)."))
    meaning = "Privacy loss: no output gets more than e^ε times likelier (Dwork et al. 2006)."
    if notion == "pure":
        return PureDP(_size(f"{prefix}eps", "ε", epsilon, meaning))
    exact = _size(f"{prefix}eps", "ε", epsilon, meaning)
    key = f"{prefix}delta"
    memory.start_with(key, 1e-6)
    delta = st.number_input(
        "δ",
        key=key,
        format="%.3g",
        step=1e-7,
        bind="query-params",
        persist_state="session",
        help="Chance that is set aside for a broken ε bound; choose it far below 1 / records. The "
        "AQ paper uses 1e-6 for 1,000 records.",
    )
    return ApproxDP(exact, float(delta))


def quantile_picker(prefix: str = "") -> QuantileSet:
    """The quantiles to release; prefix keeps the keys of two pages apart.

    Raises: InvalidQuantiles with the part that cannot be read.
    """
    chosen = st.selectbox(
        "Quantiles",
        SETS,
        index=SETS.index("deciles"),
        key=f"{prefix}set",
        bind="query-params",
        persist_state="session",
        help="Each quantile q asks for a value with a share q of the records below it.",
    )
    if chosen == "m uniform":
        m = st.number_input(
            "m",
            min_value=1,
            max_value=MOST_QUANTILES,
            value=15,
            key=f"{prefix}m",
            bind="query-params",
            persist_state="session",
            help="The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2).",
        )
        return QuantileSet.of(uniform_quantiles(int(m)))
    if chosen == "own list":
        text = st.text_input(
            "Your quantiles",
            value="0.01, 0.5, 0.99",
            key=f"{prefix}own",
            bind="query-params",
            persist_state="session",
            max_chars=10_000,
            help="Numbers strictly between 0 and 1, or percentages, with commas or spaces between.",
        )
        return QuantileSet.of(parse_quantiles(text))
    fixed = {"quartiles": QUARTILES, "deciles": DECILES, "percentiles": PERCENTILES}
    return QuantileSet.of(fixed[chosen])
