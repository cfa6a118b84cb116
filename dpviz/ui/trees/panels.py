"""The tree view of the Trees page: the picture, one node beside it, a strip of numbers below."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.tree import tree_figure
from dpviz.figures.trees.view import TreeView
from dpviz.metrics.tree import node_errors
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.trees import nodes as tree_nodes
from dpviz.ui.trees.strip import tree_strip
from dpviz.ui.trees.views import TRUE_ERROR, Shown


def tree_panel(release: TreeRelease, column: Column, shown: Shown) -> None:
    """The tree coloured by standard or true error, and the numbers of one node."""
    readings = {one: one.apply(release.levels, release.total) for one in TreeEstimator}
    truth = count_levels(column, release.shape) if session.shows_truth() else None
    picture, beside = st.columns([4, 3], gap="small")
    with beside:
        node = tree_nodes.node_picker(release)
        tree_nodes.node_numbers(release, readings, truth, node)
    with picture:
        levels = readings[shown.reading]
        errors = node_errors(levels, truth) if truth and shown.colour == TRUE_ERROR else None
        view = tree_view(release, levels, chosen=node, truth=truth, errors=errors)
        st.plotly_chart(
            tree_figure(view, frame.ink(), unit=session.unit()),
            key=tree_nodes.CHART,
            on_select=tree_nodes.choose_clicked,
            selection_mode="points",
            config=chart_options("tree", scroll=False),
            alt=f"Noisy tree, {TITLES[shown.reading]}, coloured by {shown.colour}"
            + (", true counts in brackets" if truth else ""),
        )
        st.caption(_legend(shows_truth=truth is not None))
    tree_strip(release, readings, shown.reading, truth, node)


def tree_view(
    release: TreeRelease,
    levels: Levels,
    *,
    chosen: tuple[int, int] | None = None,
    truth: tuple[FloatArray, ...] | None = None,
    errors: tuple[FloatArray, ...] | None = None,
) -> TreeView:
    """What the picture shows of one reading; without truth and errors nothing confidential."""
    return TreeView(
        release.fanout,
        levels.counts,
        errors if errors is not None else spread(levels),
        release.edges(),
        shade_name="standard error" if errors is None else "error (confidential)",
        signed=errors is not None,
        truth=truth,
        chosen=chosen,
    )


def spread(levels: Levels) -> list[FloatArray]:
    """Standard errors of all nodes, shapes as levels.counts."""
    return [
        np.broadcast_to(np.sqrt(variance), counts.shape)
        for counts, variance in zip(levels.counts, levels.variances, strict=True)
    ]


def _legend(*, shows_truth: bool) -> str:
    truth = "In brackets: the true count (confidential). " if shows_truth else ""
    return f"{truth}Hover for more; click a node to choose it."
