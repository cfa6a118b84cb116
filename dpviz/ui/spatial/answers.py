"""What a method answers to the rectangle, and where its error comes from."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.metrics.spatial import spatial_errors
from dpviz.ui.kit import session
from dpviz.ui.kit.number_text import amount, decimals, significant
from dpviz.ui.spatial.cells import Drawn, index_of


def answer_panel(
    one: Drawn, rectangle: FloatArray | None, points: Points, label: str = "Records inside"
) -> None:
    """The private answer with its standard error, and with the truth how far it is off."""
    if rectangle is None:
        return
    counts, variances = range_counts(one.reading, rectangle)
    error = float(np.sqrt(variances[0]))
    places = decimals([error], 2)
    with st.container(border=True, gap="xsmall"):
        st.metric(
            label,
            f"{amount(float(counts[0]), places)} ± {amount(error, places)}",
            help="The private number of records in the rectangle and its standard error, which "
            "the noise alone decides: the cells that the rectangle cuts add to it.",
        )
        _, before = range_counts(one.release, rectangle)
        if one.reading is not one.release:
            st.caption(f"± {significant(float(np.sqrt(before[0])), 3)} before estimation")
        if session.shows_truth():
            _truth(one, rectangle, points)


def _truth(one: Drawn, rectangle: FloatArray, points: Points) -> None:
    errors = spatial_errors(one.reading, index_of(points), rectangle)
    truth = float(errors.truth[0])
    off = float(errors.private[0]) - truth
    relative = f", {abs(off) / truth:.2%}" if truth > 0 else ""
    st.caption(
        f"Truth **{truth:,.0f}** · off by {_signed(off)}{relative}  \nof it noise "
        f"{_signed(float(errors.noise[0]))}, uniformity {_signed(float(errors.uniformity[0]))}",
        help="Confidential. Noise can be bought off with budget. The uniformity error, made at "
        "cells that the rectangle cuts and that are not evenly filled, cannot.",
    )


def _signed(number: float) -> str:
    text = significant(abs(number), 3)
    return text if text == "0" else f"{'+' if number > 0 else '−'}{text}"
