"""The recursion of ApproximateQuantiles: its public part, and the confidential view of a node."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.figures.quantiles.recursion import density_figure, recursion_figure
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.descent import Run
from dpviz.metrics.quantiles import true_quantiles
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.messages import empty_state
from dpviz.ui.kit.number_text import counted, place
from dpviz.ui.quantiles.comparison import Shown
from dpviz.ui.quantiles.releases import Question, trace_of

CHART = "recursion_chart"


def recursion_panel(shown: list[Shown], asked: Question) -> None:
    """The tree with a node to choose, then the exact density that the node was drawn from."""
    mine = next((one for one in shown if isinstance(one.mechanism, ApproximateQuantiles)), None)
    if mine is None or mine.timed.release.recursion is None:
        empty_state("Choose AQ among the mechanisms to see its recursion.")
        return
    assert isinstance(mine.mechanism, ApproximateQuantiles)
    st.caption(
        "The middle quantile is drawn first, from the whole range; its output (the mark) splits "
        "range and records, and both sides go on one level down. Click a mark to choose its node."
    )
    chosen = _node_picker(asked.quantiles)
    run = trace_of(mine.mechanism, asked) if session.shows_truth() else None
    chart(
        recursion_figure(
            mine.timed.release.recursion,
            asked.quantiles.distinct,
            frame.ink(),
            chosen=chosen,
            sizes=None if run is None else _sizes(run),
            unit=session.unit(),
        ),
        CHART,
        "recursion",
        "Recursion tree of ApproximateQuantiles: ranges as bars, private quantiles as marks",
        on_select=_choose_clicked,
        selection_mode="points",
    )
    if run is None:
        st.caption("Sizes of the sub-problems and exact densities are confidential: hidden.")
        return
    _density(run, chosen, asked.column, asked.quantiles)


def _node_picker(quantiles: QuantileSet) -> int:
    positions = list(range(quantiles.count))
    if st.session_state.get("node") not in positions:
        st.session_state["node"] = (quantiles.count - 1) // 2
    chosen = st.selectbox(
        "Node",
        positions,
        key="node",
        format_func=lambda at: f"quantile {quantiles.distinct[at]:.6g}",
        width=260,
        help="The quantile whose sub-problem and density are shown.",
    )
    return int(chosen)


def _choose_clicked() -> None:
    points = st.session_state[CHART].selection.points
    if points:
        st.session_state["node"] = int(points[0]["point_index"])


def _sizes(run: Run) -> FloatArray:
    sizes = np.empty(run.plan.m)
    for level, nodes in enumerate(run.plan.levels):
        sizes[nodes.position - 1] = run.sizes(level)
    return sizes


def _density(run: Run, chosen: int, column: Column, quantiles: QuantileSet) -> None:
    holds = [bool((nodes.position == chosen + 1).any()) for nodes in run.plan.levels]
    level = holds.index(True)
    nodes = run.plan.levels[level]
    node = int(np.argmax(nodes.position == chosen + 1))
    problem = run.problems(level)
    size = int(run.sizes(level)[node])
    low, high = float(problem.low[node]), float(problem.high[node])
    st.markdown(
        f"**Level {level + 1}**, {counted(size, 'record')} between {place(low)} and {place(high)}, asked for "
        f"their {nodes.normalised[node]:.4g} quantile with η = {problem.eta[node]:.4g}. "
        f"Density ∝ exp(−η · |records below − {nodes.normalised[node] * size:,.1f}|)."
    )
    if column.resolution > 0:
        st.caption(
            "The density is over the records as the mechanism saw them, spread over the resolution; "
            "outputs are rounded afterwards."
        )
    if not low < high:
        empty_state("This range has no width: its end is the output, and there is no density.")
        return
    density = run.density(level, node)
    asked = [float(quantiles.distinct[chosen])]
    target = float(true_quantiles(column, asked)[0]) if column.n else None
    chart(
        density_figure(
            density.edges,
            density.log_density,
            float(run.values[0, chosen + 1]),
            target,
            frame.ink(),
            unit=session.unit(),
        ),
        "density_chart",
        "density",
        "Exact output density of the chosen node, with the value drawn and the true quantile",
    )
