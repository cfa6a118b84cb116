"""Trees: noisy counts of nested intervals, their efficient estimates, and the CDF they give."""

import numpy as np
import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import barrier, frame, memory, session
from dpviz.ui.kit.draws import draw_picker, purpose_of
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.number_text import counted
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.trees import studies as tree_studies
from dpviz.ui.trees.budgets import budget_panel
from dpviz.ui.trees.cdf import cdf_panel
from dpviz.ui.trees.controls import PREFIX, tree_picker
from dpviz.ui.trees.downloads import tree_download_panel
from dpviz.ui.trees.panels import tree_panel
from dpviz.ui.trees.presets import preset_picker
from dpviz.ui.trees.reproduce import tree_lines
from dpviz.ui.trees.views import view_picker

frame.guard()
frame.title("Trees", "One noisy count for every node, and what least squares makes of them.")
controls, picture = st.columns([3, 7], gap="medium")

with picture:
    above = st.container()
    shown = view_picker()

with controls:
    preset_picker()
    draw = draw_picker(PREFIX)
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=0.1))
    asks = shown.view == "Budgets"
    choice = None
    if budget is not None:
        choice = attempt(lambda: tree_picker(budget, asks_workload=asks))

with picture:
    column = attempt(session.column)
    if column is None or budget is None or choice is None:
        empty_state("Mend the marked choice to see the tree.")
        st.stop()
    tree = choice.tree
    purpose = purpose_of(tree, column, budget)
    release = memory.remembered(
        ("tree", *purpose, draw), lambda: tree.release(column, budget, draw.rng(purpose))
    )
    noisy = sum(int(np.isfinite(counts).sum()) for counts in release.counts)
    with above:
        barrier.noise_barrier(
            column, budget, counted(noisy, "noisy count"), shows_truth=session.shows_truth()
        )
    try:
        if shown.view == "Tree":
            tree_panel(release, column, shown)
        elif shown.view == "CDF":
            cdf_panel(release, column, shown.reading, choice, draw)
        elif shown.view == "Variances":
            tree_studies.variance_panel(choice, draw)
        elif shown.view == "Budgets":
            budget_panel(choice)
        elif shown.view == "Download":
            lines = tree_lines(tree, column, budget, shown.reading, draw)
            tree_download_panel(release, shown.reading, lines)
        else:
            tree_studies.honaker_panel()
    except DpvizError as error:
        problem(error)
