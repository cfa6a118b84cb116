"""Widgets for budget, quantile set, mechanisms and draw; each returns core nouns."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import (
    DECILES,
    PERCENTILES,
    QUARTILES,
    QuantileSet,
    parse_quantiles,
    uniform_quantiles,
)
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.links import readable

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
NOTIONS = {"pure": "pure ε", "approx": "(ε, δ)", "zcdp": "zCDP ρ"}
SETS = {"quartiles": QUARTILES, "deciles": DECILES, "percentiles": PERCENTILES}
UNIFORM, OWN = "m uniform", "own list"
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
    exact = choices.number(  # first, for the slider starts at the step nearest to it
        f"{symbol}, exact",
        key,
        f"{meaning} Any positive number.",
        accepts=lambda size: size > 0,
        on_change=from_number,
        width=150,
    )
    # always, not only at first: a slider that was away for a run would come back at its first step
    st.session_state[slider] = nearest_step(exact)
    choices.steps(
        f"{symbol}: more private ↔ more accurate",
        STEPS,
        slider,
        place=above,
        on_change=from_slider,
        bind=None,
        persist_state=None,
    )
    return exact


def delta_field(label: str, key: str, meaning: str) -> float:
    """A field for δ, 1e-6 at first."""
    memory.start_with(key, 1e-6)
    return choices.number(
        label, key, meaning, accepts=lambda delta: 0 < delta < 1, format="%.3g", step=1e-7
    )


def budget_picker(prefix: str = "", epsilon: float = 0.1, rho: float = 0.01) -> Budget:
    """Notion and size of the budget; prefix keeps the keys of two pages apart.

    Raises: InvalidBudget for a number that is no budget.
    """
    memory.start_with(f"{prefix}notion", "pure")
    notion = choices.segments(
        "Budget",
        NOTIONS,
        f"{prefix}notion",
        "Pure ε-DP; (ε, δ)-DP, which allows a failure of probability δ; or ρ-zero-concentrated "
        "DP, which composes better. One is never converted into another silently.",
        default="kept",
        persist_state=None,
    )
    if notion == "zcdp":
        return ZCDP(_size(f"{prefix}rho", "ρ", rho, "Privacy loss in zCDP (Bun and Steinke 2016)."))
    meaning = "Privacy loss: no output gets more than e^ε times likelier (Dwork et al. 2006)."
    if notion == "pure":
        return PureDP(_size(f"{prefix}eps", "ε", epsilon, meaning))
    exact = _size(f"{prefix}eps", "ε", epsilon, meaning)
    delta = delta_field(
        "δ",
        f"{prefix}delta",
        "Chance that is set aside for a broken ε bound; choose it far below 1 / records. The "
        "AQ paper uses 1e-6 for 1,000 records.",
    )
    return ApproxDP(exact, delta)


def quantile_picker(prefix: str = "") -> QuantileSet:
    """The quantiles to release; prefix keeps the keys of two pages apart.

    Raises: InvalidQuantiles with the part that cannot be read.
    """
    chosen = choices.menu(
        "Quantiles",
        [*SETS, UNIFORM, OWN],
        f"{prefix}set",
        "Each quantile q asks for a value with a share q of the records below it.",
        index=list(SETS).index("deciles"),
    )
    if chosen in SETS:
        return QuantileSet.of(SETS[chosen])
    if chosen == UNIFORM:
        meaning = "The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2)."
        m = choices.whole_number("m", 1, MOST_QUANTILES, f"{prefix}m", meaning, default=15)
        return QuantileSet.of(uniform_quantiles(m))
    text = choices.text(
        "Your quantiles",
        f"{prefix}own",
        "Numbers strictly between 0 and 1, or percentages, with commas or spaces between.",
        is_readable=readable.parsed_by(parse_quantiles, DpvizError),
        value="0.01, 0.5, 0.99",
        max_chars=10_000,
    )
    return QuantileSet.of(parse_quantiles(text))


def declared_total(key: str, **others: Any) -> int | None:
    """N as the visitor declares it from public knowledge; None while the field is empty.

    Nothing is proposed: the number of values that a column holds is confidential.
    """
    found = choices.field(
        "Declared N",
        key,
        "How many people the data is about, from public knowledge; it is released as it stands. "
        "It may differ from the number of values in the column.",
        min_value=0.0,
        format="%.0f",
        step=1.0,
        **({"bind": session.link()} | others),
    )
    return None if found is None else int(found)
