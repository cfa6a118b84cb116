"""One node of the tree: chosen by its place or by a click, and its numbers under each reading."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.covariance import node_weights
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.view import ancestors
from dpviz.ui.kit.node_choice import clicked_node, keep_inside
from dpviz.ui.kit.number_text import amount, decimals

CHART = "tree_chart"
HEAVIEST = 4  # weights shown
COLUMNS = {
    "count": "Records, as each reading estimates them.",
    "s.e.": "Standard error: the root of the variance, known before the draw.",
    "error": "Count − true count in this draw. Confidential.",
}


def node_picker(release: TreeRelease) -> tuple[int, int]:
    """Level and index of the chosen node."""
    height = release.shape.height
    wanted = st.session_state.pop("_t_clicked", None)
    if wanted is not None:
        st.session_state["t_level"], st.session_state["t_index"] = wanted
    keep_inside("t_level", height)
    one, two = st.columns(2, wrap=False)
    level = int(one.number_input("Level", 0, height, key="t_level", help="0 is the root."))
    last = release.shape.nodes(level) - 1
    keep_inside("t_index", last)
    index = int(
        two.number_input("Node", 0, last, key="t_index", help="From 0 on the left. Or click one.")
    )
    return level, index


def choose_clicked() -> None:
    """Take over the node that was clicked in the picture."""
    st.session_state["_t_clicked"] = clicked_node(CHART)


def standard_error(levels: Levels, node: tuple[int, int]) -> float:
    """The standard error of one node in records."""
    level, index = node
    variances = np.broadcast_to(levels.variances[level], levels.counts[level].shape)
    return float(np.sqrt(variances[index]))


def node_numbers(
    release: TreeRelease,
    readings: Mapping[TreeEstimator, Levels],
    truth: tuple[FloatArray, ...] | None,
    node: tuple[int, int],
) -> None:
    """The node's interval, path, counts and errors; truth is confidential."""
    level, index = node
    path = " → ".join(f"{depth}.{at}" for depth, at in ancestors(release.fanout, level, index))
    low, high = release.edges(level)[index : index + 2]
    st.markdown(f"**Node {level}.{index}**: {low:,.6g} to {high:,.6g}  \n:small[path {path}]")
    exact = None if truth is None else float(truth[level][index])
    st.dataframe(
        _table(readings, exact, node),
        hide_index=True,
        alt="The node under each estimator",
        column_config={
            name: st.column_config.TextColumn(alignment="right", help=text)
            for name, text in COLUMNS.items()
        },
    )
    if exact is not None:
        st.caption(f"True count {exact:,.0f}; it and the errors are confidential.")
    st.caption(
        f"Heaviest weights, by node: {_weights(release, node)}",
        help="The efficient estimate is a weighted sum of all noisy counts; these are the "
        "measurements with the largest weights.",
    )


def _table(
    readings: Mapping[TreeEstimator, Levels], exact: float | None, node: tuple[int, int]
) -> pd.DataFrame:
    level, index = node
    errors = {one: standard_error(levels, node) for one, levels in readings.items()}
    places = decimals(errors.values())
    rows = []
    for one, levels in readings.items():
        count = float(levels.counts[level][index])
        row = {
            "reading": TITLES[one],
            "count": amount(count, places),
            "s.e.": amount(errors[one], places),
        }
        if exact is not None:
            row["error"] = amount(count - exact, places)
        rows.append(row)
    return pd.DataFrame(rows)


def _weights(release: TreeRelease, node: tuple[int, int]) -> str:
    """Which measurements the efficient estimate listens to."""
    weights = node_weights(release.levels, *node, release.total)
    flat = np.concatenate(weights)
    starts = np.cumsum([0, *[part.size for part in weights]])
    top = np.argsort(-np.abs(flat))[:HEAVIEST]
    depth = np.searchsorted(starts, top, side="right") - 1
    return " · ".join(
        f"{d}.{t - starts[d]}: {amount(float(flat[t]), 3)}" for d, t in zip(depth, top, strict=True)
    )
