"""Trees: noisy counts of nested intervals, their efficient estimates, and the CDF they give."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.estimators.readings import TreeEstimator
from dpviz.ui import barrier, frame, memory, session, tree_panels, tree_studies
from dpviz.ui.comparison import empty_state
from dpviz.ui.downloads import tree_download_panel
from dpviz.ui.draws import draw_picker
from dpviz.ui.messages import attempt, problem
from dpviz.ui.pickers import budget_picker
from dpviz.ui.tree_cdf import cdf_panel
from dpviz.ui.tree_controls import PREFIX, preset_picker, tree_picker

VIEWS = ("Tree", "CDF", "Variances", "Budgets", "Honaker's Fig. 4", "Download")

frame.guard()
frame.title("Trees", "One noisy count for every node, and what least squares makes of them.")
controls, picture = st.columns([3, 7], gap="medium")

with controls:
    preset_picker()
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=0.1))
    choice = attempt(lambda: tree_picker(budget)) if budget is not None else None
    draw = draw_picker(PREFIX)

with picture:
    column = attempt(session.column)
    if column is None or budget is None or choice is None:
        empty_state("Mend the marked choice to see the tree.")
        st.stop()
    tree = choice.tree
    release = memory.remembered(
        ("tree", tree, column.fingerprint, budget, draw),
        lambda: tree.release(column, budget, draw.rng((tree, column.fingerprint, budget))),
    )
    nodes = sum(release.shape.nodes(level) for level in range(release.shape.height + 1))
    barrier.noise_barrier(
        column, budget, f"{nodes:,} noisy counts", shows_truth=session.shows_truth()
    )
    memory.start_with("t_view", VIEWS[0], VIEWS)
    memory.start_with("t_reading", TreeEstimator.EFFICIENT, tree_panels.TITLES.values())
    view = st.segmented_control(
        "View",
        VIEWS,
        required=True,
        key="t_view",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    reading = TreeEstimator.EFFICIENT
    if view in {"Tree", "CDF", "Download"}:
        reading = TreeEstimator(
            st.segmented_control(
                "Estimator",
                list(TreeEstimator),
                required=True,
                format_func=lambda one: tree_panels.TITLES[one],
                key="t_reading",
                bind="query-params",
                persist_state="session",
                wrap=True,
                help="How the noisy counts are read: as they are, combined with those below, with "
                "those above and beside, or with all (least squares). Post-processing.",
            )
        )
    try:
        if view == "Tree":
            tree_panels.tree_panel(release, column, reading)
        elif view == "CDF":
            cdf_panel(release, column, reading, choice, draw)
        elif view == "Variances":
            tree_studies.variance_panel(choice, draw)
        elif view == "Budgets":
            tree_studies.budget_panel(choice)
        elif view == "Download":
            tree_download_panel(release, reading)
        else:
            tree_studies.honaker_panel()
    except DpvizError as error:
        problem(error)
