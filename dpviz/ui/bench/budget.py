"""The visit's budget in the dock: a slider on fixed steps, and any exact number among the experts."""

from collections.abc import Callable

import streamlit as st

from dpviz.core.budgets import Neighbours
from dpviz.ui.visit import folded, state
from dpviz.ui.visit.fields import LARGEST, LEAST, RELATIONS, SEEDS
from dpviz.ui.visit.page import Visit

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
NAMES = {"pure": "pure ε: one limit", "approx": "(ε, δ): a tiny chance on top", "zcdp": "zCDP ρ"}
LABELS = {"eps": "Privacy budget ε (left: more private)", "rho": "Budget ρ (left: more private)"}
RELATION_WORDS = {
    Neighbours.ADD_REMOVE: "joins or leaves",
    Neighbours.REPLACE_ONE: "changes a value",
}


def stops(value: float, steps: tuple[float, ...] = STEPS) -> list[float]:
    """The stops of a slider, with the value that holds among them."""
    return sorted({*steps, value})


def beside(value: float) -> list[float]:
    """The stops on both sides of the one that holds."""
    listed = stops(value)
    at = listed.index(value)
    return [*listed[at + 1 : at + 2], *listed[max(at - 1, 0) : at]]


def slider(now: Visit) -> None:
    """ε of the visit, or ρ where the notion is zCDP."""
    key = "rho" if state.get("notion") == "zcdp" else "eps"
    value = now.rho if key == "rho" else now.epsilon
    st.select_slider(
        LABELS[key], stops(value), format_func="{:g}".format, **state.widget(key, value)
    )


def expert(now: Visit, *, draws: bool = True, relations: bool = True) -> None:
    """Notion of privacy, the exact budget, the neighbours, and the number of the draw."""
    if folded.is_closed():
        return
    st.segmented_control(
        "Notion of privacy",
        list(NAMES),
        format_func={"pure": "ε", "approx": "(ε, δ)", "zcdp": "ρ (zCDP)"}.__getitem__,
        required=True,
        help="Pure ε-DP; (ε, δ)-DP, which lets chances differ by δ besides; or ρ-zero-concentrated "
        "DP, which composes better. None is ever converted into another silently.",
        **state.widget("notion", state.get("notion")),
    )
    with st.container(horizontal=True):
        if state.get("notion") == "zcdp":
            _exact("ρ, exact", "rho", now.rho)
        else:
            _exact("ε, exact", "eps", now.epsilon)
        if state.get("notion") == "approx":
            st.number_input(
                "δ", 1e-300, 1 - 1e-9, format="%.3g", step=1e-7, width=150,
                help="What may come on top of e^ε times a chance; choose it far below "
                "1 / people.",
                **state.widget("delta_exact", now.delta, _put("delta")),
            )  # fmt: skip
        if draws:
            st.number_input(
                "Draw", 0, SEEDS, step=1, width=120,
                help="Names the draw. On a sample it is the seed, so that a link or a lecture can "
                "repeat it. For your own file it is a number alone: the noise is secure random bits "
                "under a secret that is new each time a file is read.",
                **state.widget("seed", now.seed),
            )  # fmt: skip
    if relations:
        st.segmented_control(
            "Which person is protected: one who …",
            list(RELATIONS),
            format_func=RELATION_WORDS.__getitem__,
            required=True,
            help="Which two data sets must look alike: one person more or less, or one person's "
            "values changed (then the number of people is public).",
            disabled=now.several,
            **state.widget("neighbours", now.neighbours),
        )


def _exact(label: str, key: str, value: float) -> None:
    st.number_input(
        label, LEAST, LARGEST, format="%.6g", step=None, width=150,
        help="Any positive number.", **state.widget(f"{key}_exact", value, _put(key)),
    )  # fmt: skip


def _put(key: str) -> Callable[[float], None]:
    return lambda found: state.put(key, float(found))
