"""A person's own weights of the levels: as a text, and as one slider a level in step with it."""

from __future__ import annotations

import re

import streamlit as st

from dpviz.core.errors import InvalidParameter
from dpviz.ui.kit import memory

TEXT = "t_weights"  # the one source: sliders are set from it, and write into it
MOST_SLIDERS = 11  # a height of 10
HIGHEST = 10.0
WIDTH = 145  # pixels: four beside each other on a laptop, two on a phone


def start_weights(height: int) -> None:
    """Even weights for a height, until a link or a person says otherwise."""
    even = ", ".join(["1"] * (height + 1))
    memory.start_with(TEXT, even)
    if re.fullmatch(r"1(, 1)*", str(st.session_state.get(TEXT, ""))):  # untouched: fits any height
        st.session_state[TEXT] = even


def weight_sliders(height: int) -> None:
    """One slider a level, where they are few and can show the weights that are written."""
    weights = parse_numbers(st.session_state[TEXT], "Weights")
    if len(weights) > MOST_SLIDERS or max(weights) > HIGHEST:
        st.caption(
            f"Sliders are offered to height {MOST_SLIDERS - 1} and for weights to {HIGHEST:g}; "
            "beyond, edit the text below the level budgets."
        )
        return
    for level, weight in enumerate(weights):
        st.session_state[_key(level)] = weight
    with st.container(horizontal=True):
        for level in range(height + 1):
            st.slider(
                f"Level {level}",
                0.0,
                HIGHEST,
                step=0.1,
                format="%.4g",
                key=_key(level),
                on_change=_write_text,
                args=(height,),
                width=WIDTH,
            )


def parse_numbers(text: str, what: str) -> list[float]:
    """Numbers with commas, semicolons or spaces between them.

    Raises: InvalidParameter that names the first part that is not a number.
    """
    numbers = []
    for part in re.split(r"[\s,;]+", text.strip()):
        try:
            numbers.append(float(part))
        except ValueError:
            raise InvalidParameter(
                f"{what} must be numbers with commas between them; '{part}' is none."
            ) from None
    return numbers


def _write_text(height: int) -> None:
    weights = (st.session_state[_key(level)] for level in range(height + 1))
    st.session_state[TEXT] = ", ".join(f"{weight:g}" for weight in weights)


def _key(level: int) -> str:
    return f"t_weight_{level}"
