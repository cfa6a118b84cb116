"""The numbers beside and under the map: answers to the rectangle, and the strip of each method."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.spatial.cells import Cells
from dpviz.counts.exact import ExactCells
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.metrics.spatial import spatial_errors
from dpviz.ui.kit.charts import number_cards
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.number_text import amount, decimals, significant
from dpviz.ui.spatial.cells import Drawn, cells_at
from dpviz.ui.spatial.page import MapPage


def answer_panel(
    one: Drawn, rectangle: FloatArray, exact: ExactCells | None, label: str = "Records inside"
) -> None:
    """The private answer with its standard error, and with the truth how far it is off."""
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
        if exact is not None:
            _truth(one, rectangle, exact)


def _truth(one: Drawn, rectangle: FloatArray, exact: ExactCells) -> None:
    errors = spatial_errors(one.reading, exact, rectangle)
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


def strip(page: MapPage, depth: int) -> None:
    """One row of cards a method."""
    for one in page.shown:
        if len(page.shown) > 1:
            st.markdown(f"**{plain(one.name)}**")
        number_cards(_cards(one, depth, page.truth.cells(one) if page.truth else None))


def _cards(one: Drawn, depth: int, exact: ExactCells | None) -> list[tuple[str, str, str]]:
    _, counts, variances = cells_at(one, depth)
    error = significant(float(np.sqrt(np.mean(variances))), 3)
    level = min(depth, one.height)
    where = f"level {level} of {one.height}" if one.height else "no levels"
    cards = [
        ("Noise of a leaf", f"± {significant(_noise(one), 3)}", "σ in records, as released"),
        ("Cells", f"{counts.size:,}", f"{where}; standard error {error}"),
    ]
    if exact is not None:
        off = float(np.nanmean(np.abs(counts - exact.levels[level])))
        cards.append(("Cells off by", significant(off, 3), "mean |error| in records; confidential"))
    spent = "nothing" if one.release.spent is None else str(one.release.spent)
    cards.append(("Budget spent", spent, f"{one.release.neighbours.value} neighbours"))
    return cards


def _noise(one: Drawn) -> float:
    """Standard deviation of what was added to a leaf; a typical one where they differ."""
    released = one.release
    leaves = released.variances if isinstance(released, Cells) else released.variances[-1]
    return float(np.sqrt(np.median(leaves)))
