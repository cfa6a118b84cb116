"""The tree view of the Trees page: the picture, one node beside it, a strip of numbers below."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.tree import tree_figure
from dpviz.figures.trees.view import TreeView
from dpviz.metrics.tree import node_errors
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.node_choice import choose_clicked, node_picker
from dpviz.ui.trees.controls import PREFIX
from dpviz.ui.trees.look import TRUE_ERROR, TreeLook
from dpviz.ui.trees.numbers import node_numbers, tree_strip
from dpviz.ui.trees.page import TreePage

CHART = "tree_chart"


def tree_panel(page: TreePage, look: TreeLook) -> None:
    """The tree coloured by standard or true error, and the numbers of one node."""
    release, truth = page.release, page.truth
    readings = {one: page.read(one) for one in TreeEstimator}
    picture, beside = st.columns([4, 3], gap="small")
    with beside:
        node = node_picker(release.shape, PREFIX, "From 0 on the left. Or click one.")
        node_numbers(release, readings, truth, node)
    with picture:
        levels = readings[look.reading]
        errors = node_errors(levels, truth) if truth and look.colour == TRUE_ERROR else None
        view = tree_view(release, levels, chosen=node, truth=truth, errors=errors)
        chart(
            tree_figure(view, frame.ink(), unit=session.unit()),
            CHART,
            "tree",
            f"Noisy tree, {TITLES[look.reading]}, coloured by {look.colour}"
            + (", true counts in brackets" if truth else ""),
            on_select=partial(choose_clicked, CHART, PREFIX),
            selection_mode="points",
        )
        brackets = "In brackets: the true count (confidential). " if truth else ""
        st.caption(f"{brackets}Hover for more; click a node to choose it.")
    tree_strip(release, readings, look.reading, truth, node)


def tree_view(
    release: TreeRelease,
    levels: Levels,
    *,
    chosen: tuple[int, int] | None = None,
    truth: tuple[FloatArray, ...] | None = None,
    errors: tuple[FloatArray, ...] | None = None,
) -> TreeView:
    """What the picture shows of one reading; without truth and errors nothing confidential."""
    spread = [
        np.broadcast_to(np.sqrt(variance), counts.shape)
        for counts, variance in zip(levels.counts, levels.variances, strict=True)
    ]
    return TreeView(
        release.fanout,
        levels.counts,
        spread if errors is None else errors,
        release.edges(),
        shade_name="standard error" if errors is None else "error (confidential)",
        signed=errors is not None,
        truth=truth,
        chosen=chosen,
    )
