"""The tree view of the Trees page: the picture, and the numbers of one node."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.tree import Levels
from dpviz.core.tree_release import TreeRelease
from dpviz.estimators.covariance import node_weights
from dpviz.estimators.readings import TreeEstimator
from dpviz.figures.tree import tree_figure
from dpviz.figures.tree_view import TreeView, ancestors, readable_depth
from dpviz.metrics.tree import node_errors, true_counts
from dpviz.ui import frame, session
from dpviz.ui.cards import records
from dpviz.ui.downloads import chart_options

TITLES = {
    TreeEstimator.RAW: "raw",
    TreeEstimator.FROM_BELOW: "from below",
    TreeEstimator.FROM_ABOVE: "from above",
    TreeEstimator.EFFICIENT: "efficient",
}
CHART = "tree_chart"


def estimates(release: TreeRelease) -> dict[TreeEstimator, Levels]:
    """The four readings of one release."""
    return {one: one.apply(release.levels, release.total) for one in TreeEstimator}


def tree_panel(release: TreeRelease, column: Column, reading: TreeEstimator) -> None:
    """The tree coloured by variance or error, and the numbers of one node."""
    readings = estimates(release)
    shown = readings[reading]
    truth = true_counts(column, release.shape) if session.shows_truth() else None
    colours = ["standard error", "error (confidential)"] if truth else ["standard error"]
    left, right = st.columns(2)
    with left:
        colour = st.segmented_control(
            "Colour",
            colours,
            default=colours[0],
            required=True,
            key="t_colour",
            persist_state="session",
            help="The standard error of every count is public: it depends on the noise alone.",
        )
    with right:
        level, index = _node_picker(release)
    by_error = truth is not None and colour == colours[-1]
    shade = node_errors(shown, truth) if by_error and truth else _spread(shown)
    view = TreeView(
        release.fanout,
        shown.counts,
        shade,
        release.edges(),
        shade_name="error" if by_error else "standard error",
        signed=by_error,
        truth=truth,
        chosen=(level, index),
    )
    st.plotly_chart(
        tree_figure(view, frame.ink(), unit=session.unit()),
        key=CHART,
        on_select=_choose_clicked,
        selection_mode="points",
        config=chart_options("tree", scroll=False),
        alt=f"Noisy binary tree, {TITLES[reading]}, coloured by {colour}",
    )
    _node_numbers(release, readings, truth, level, index)


def _spread(levels: Levels) -> list[FloatArray]:
    return [
        np.broadcast_to(np.sqrt(variance), counts.shape)
        for counts, variance in zip(levels.counts, levels.variances, strict=True)
    ]


def _node_picker(release: TreeRelease) -> tuple[int, int]:
    height = release.shape.height
    wanted = st.session_state.pop("_t_clicked", None)
    if wanted is not None:
        st.session_state["t_level"], st.session_state["t_index"] = wanted
    _keep_inside("t_level", height)
    one, two = st.columns(2, wrap=False)
    level = int(one.number_input("Level", 0, height, key="t_level", help="0 is the root."))
    last = release.shape.nodes(level) - 1
    _keep_inside("t_index", last)
    index = int(
        two.number_input("Node", 0, last, key="t_index", help="From 0 on the left. Or click one.")
    )
    return level, index


def _keep_inside(key: str, last: int) -> None:
    st.session_state[key] = min(int(st.session_state.get(key, 0)), last)


def _choose_clicked() -> None:
    for point in st.session_state[CHART].selection.points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            st.session_state["_t_clicked"] = int(carried[first]), int(carried[second])


def _node_numbers(
    release: TreeRelease,
    readings: dict[TreeEstimator, Levels],
    truth: tuple[FloatArray, ...] | None,
    level: int,
    index: int,
) -> None:
    path = " → ".join(f"{depth}.{at}" for depth, at in ancestors(release.fanout, level, index))
    low, high = release.edges(level)[index : index + 2]
    st.markdown(f"**Node {level}.{index}**: {low:,.6g} to {high:,.6g} · path {path}")
    rows = []
    for one, levels in readings.items():
        variance = float(
            np.broadcast_to(levels.variances[level], levels.counts[level].shape)[index]
        )
        count = float(levels.counts[level][index])
        row: dict[str, str | float] = {
            "reading": TITLES[one],
            "count": count,
            "variance": variance,
            "standard error": float(np.sqrt(variance)),
        }
        if truth is not None:
            row["error (confidential)"] = count - float(truth[level][index])
        rows.append(row)
    if truth is not None:
        st.caption(f"true count {truth[level][index]:,.0f} (confidential)")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        alt="The node under each estimator",
        column_config={
            name: st.column_config.NumberColumn(format="%.4g")
            for name in ("count", "variance", "standard error", "error (confidential)")
        },
    )
    _weights(release, level, index)


def _weights(release: TreeRelease, level: int, index: int) -> None:
    """Which measurements the efficient estimate listens to."""
    st.caption(
        "heaviest weights in its efficient estimate",
        help="The efficient estimate is a weighted sum of all noisy counts; these are the "
        "measurements with the largest weights.",
    )
    weights = node_weights(release.levels, level, index, release.total)
    flat = np.concatenate(weights)
    starts = np.cumsum([0, *[part.size for part in weights]])
    top = np.argsort(-np.abs(flat))[:6]
    depth = np.searchsorted(starts, top, side="right") - 1
    frame_ = pd.DataFrame(
        {
            "node": [f"{d}.{t - starts[d]}" for d, t in zip(depth, top, strict=True)],
            "weight": flat[top],
        }
    )
    st.dataframe(
        frame_,
        hide_index=True,
        alt="Heaviest weights",
        column_config={"weight": st.column_config.NumberColumn(format="%.4f")},
    )


def readable(release: TreeRelease) -> str:
    """How deep the picture shows single nodes."""
    depth = readable_depth(release.fanout, release.shape.height)
    return (
        f"nodes to level {depth} of {release.shape.height}; {records(release.shape.leaves)} leaves"
    )
