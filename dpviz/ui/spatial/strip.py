"""The strip of numbers under the map: noise, cells, how far they are off, the budget."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points
from dpviz.core.spatial.cells import Cells
from dpviz.counts.spatial import count_leaves, locate
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.charts import number_cards
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.number_text import significant
from dpviz.ui.spatial.cells import Drawn, cells_at, index_of


def strip(shown: list[Drawn], depth: int, points: Points) -> None:
    """One row of cards a method."""
    for one in shown:
        if len(shown) > 1:
            st.markdown(f"**{plain(one.name)}**")
        number_cards(_cards(one, depth, points))


def _cards(one: Drawn, depth: int, points: Points) -> list[tuple[str, str, str]]:
    _, counts, variances = cells_at(one, depth)
    error = significant(float(np.sqrt(np.mean(variances))), 3)
    level = min(depth, one.height)
    where = f"level {level} of {one.height}" if one.height else "no levels"
    cards = [
        ("Noise of a leaf", f"± {significant(_noise(one), 3)}", "σ in records, as released"),
        ("Cells", f"{counts.size:,}", f"{where}; standard error {error}"),
    ]
    if session.shows_truth():
        off = significant(cell_errors(one, points)[level], 3)
        cards.append(("Cells off by", off, "mean |error| in records; confidential"))
    spent = "nothing" if one.release.spent is None else str(one.release.spent)
    cards.append(("Budget spent", spent, f"{one.release.neighbours.value} neighbours"))
    return cards


def _noise(one: Drawn) -> float:
    """Standard deviation of what was added to a leaf; a typical one where they differ."""
    if isinstance(one.release, Cells):
        return float(np.sqrt(np.median(one.release.variances)))
    return float(np.sqrt(one.release.variances[-1]))


def cell_errors(one: Drawn, points: Points) -> tuple[float, ...]:
    """Mean |private − true| over the cells of each level, in records: confidential."""

    def compute() -> tuple[float, ...]:
        truth = _true_counts(one, points)
        read = [cells_at(one, level)[1] for level in range(len(truth))]
        return tuple(
            float(np.nanmean(np.abs(counts - exact)))
            for counts, exact in zip(read, truth, strict=True)
        )

    return memory.remembered(("cell errors", one.key), compute)


def _true_counts(one: Drawn, points: Points) -> tuple[FloatArray, ...]:
    if isinstance(one.release, Cells):
        return (index_of(points).count(one.release.boxes).astype(np.float64),)
    return count_leaves(locate(one.release, points), one.height)
