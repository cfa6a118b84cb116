"""The views of the Trees page: the tree itself, variance by level, and level budgets."""

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
from dpviz.experiments.tree import (
    HONAKERS_VARIANCE,
    honaker_simulation,
    honaker_table,
    simulated_by_level,
    variances_by_level,
)
from dpviz.figures.levels import (
    honaker_figure,
    level_budget_figure,
    variance_by_level_figure,
)
from dpviz.figures.tree import tree_figure
from dpviz.figures.tree_view import TreeView, ancestors, readable_depth
from dpviz.mechanisms.workload_split import workload_variance
from dpviz.metrics.tree import node_errors, true_counts
from dpviz.ui import frame, session
from dpviz.ui.cards import records
from dpviz.ui.downloads import chart_options
from dpviz.ui.draws import Draw
from dpviz.ui.tree_controls import TreeChoice, alternatives

TITLES = {
    TreeEstimator.RAW: "raw",
    TreeEstimator.FROM_BELOW: "from below",
    TreeEstimator.FROM_ABOVE: "from above",
    TreeEstimator.EFFICIENT: "efficient",
}
CHART = "tree_chart"
SIMULATED_LEAVES = 4096  # above this the points of the variance picture are left out


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


def variance_panel(choice: TreeChoice, draw: Draw) -> None:
    """Theory, simulation, and the honest gain beside the paper's claim."""
    noise = choice.tree.tree_noise(choice.budget)
    theory = variances_by_level(noise)
    simulated = None
    if noise.shape.leaves <= SIMULATED_LEAVES:
        simulated = session.remembered(
            ("by level", noise, draw.seed),
            lambda: simulated_by_level(noise, np.random.default_rng([draw.seed, 3]), runs=500),
        )
    st.plotly_chart(
        variance_by_level_figure(theory, frame.ink(), simulated=simulated),
        key="t_variances",
        config=chart_options("variance", scroll=False),
        alt="Variance of a node by level for the four readings, theory and simulation",
    )
    best = theory[theory["estimator"] == TreeEstimator.EFFICIENT]
    gain = best.loc[best["level"] > 0, "ratio"]
    if gain.notna().any():
        st.markdown(
            f"Below the root, least squares leaves between **{gain.min():.0%}** and "
            f"**{gain.max():.0%}** of the raw variance on a level of this tree."
        )
    with st.expander("The paper's claim, and what holds", icon=":material/gavel:"):
        st.markdown(
            "Honaker (2019, §3.4) puts the standard error near the root of a tall binary tree at "
            f".202 σ, which is {HONAKERS_VARIANCE:.3f} of the variance, a gain by a factor of 25. "
            "That limit does not hold. In a tall tree with even budgets the efficient variance "
            "tends to 1/4, 5/16, then 1/3 of the raw one with N public, and to 3/8, 11/32, 1/3 with "
            "N private; his own Figure 4 shows one quarter at the top. The table is exact."
        )
        table = honaker_table()
        st.dataframe(table, hide_index=True, height=260, alt="Exact variance ratios by level")


def budget_panel(choice: TreeChoice) -> None:
    """Shares by level for several splits, and what each makes of the workload."""
    trees = alternatives(choice)
    variances = {name: workload_variance_of(tree, choice) for name, tree in trees.items()}
    if choice.optimal is not None:
        word = "optimal" if choice.optimal.certified else "the best found"
        st.caption(f"The workload-optimal split is {word} for {choice.workload}.")
    st.plotly_chart(
        level_budget_figure(
            {name: tree.shares() for name, tree in trees.items()}, frame.ink(), variances=variances
        ),
        key="t_budgets",
        config=chart_options("level-budgets", scroll=False),
        alt="Share of the budget by level for each split",
    )
    best = min(variances.values())
    table = pd.DataFrame(
        {
            "split": list(variances),
            "mean variance": list(variances.values()),
            "standard error": np.sqrt(list(variances.values())),
            "times the best": np.array(list(variances.values())) / best,
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        alt="Variance of the workload under each split",
        column_config={
            name: st.column_config.NumberColumn(format="%.4g") for name in table.columns[1:]
        },
    )
    st.caption(
        f"Mean variance of a query of the workload ({choice.workload}) after least squares; it "
        "depends on public choices alone, so choosing by it costs nothing."
    )


def workload_variance_of(tree: object, choice: TreeChoice) -> float:
    """The mean variance of the workload; ∞ where a needed level is left out."""
    return session.remembered(
        ("workload", tree, choice.budget, choice.energies.tobytes()),
        lambda: workload_variance(tree, choice.budget, choice.energies),  # type: ignore[arg-type]
    )


def honaker_panel() -> None:
    """Figure 4 of the paper: 10,000 trees of 16 Poisson leaves under Gaussian noise."""
    simulation = session.remembered(
        ("honaker",), lambda: honaker_simulation(np.random.default_rng(2019))
    )
    st.caption(
        "Honaker's simulation: 10,000 binary trees with 16 leaves, Poisson(10) records each, noise "
        "of standard deviation 3 on every node, N known. No data of yours is used here."
    )
    st.plotly_chart(
        honaker_figure(simulation, frame.ink()),
        key="t_honaker",
        config=chart_options("honaker", scroll=False),
        alt="Mean squared errors of every node, raw against efficient",
    )


def readable(release: TreeRelease) -> str:
    """How deep the picture shows single nodes."""
    depth = readable_depth(release.fanout, release.shape.height)
    return (
        f"nodes to level {depth} of {release.shape.height}; {records(release.shape.leaves)} leaves"
    )
