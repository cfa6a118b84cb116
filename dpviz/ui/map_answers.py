"""What the cells say: the answer to a rectangle, and the numbers of one node."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.cells import Cells
from dpviz.core.data import Points
from dpviz.core.spatial import SpatialRelease
from dpviz.estimators.boxes import range_counts
from dpviz.estimators.spatial_audit import level_spending
from dpviz.figures.map import MapView, map_figure
from dpviz.metrics.spatial import spatial_errors
from dpviz.ui import frame, session
from dpviz.ui.downloads import chart_options
from dpviz.ui.map_cells import Drawn, cells_at, index_of, outlines


def answers_panel(shown: list[Drawn], rectangle: FloatArray | None, points: Points) -> None:
    """What each method says about the rectangle, and where its error comes from."""
    if rectangle is None:
        st.caption("Draw a rectangle on the map, or type one above, to ask for its records.")
        return
    rows = []
    for one in shown:
        counts, variances = range_counts(one.reading, rectangle)
        count, variance = float(counts[0]), float(variances[0])
        _, before = range_counts(one.release, rectangle)
        row: dict[str, object] = {
            "method": one.name,
            "private": count,
            "standard error": float(np.sqrt(variance)),
            "before": float(np.sqrt(before[0])),
        }
        if session.shows_truth():
            errors = spatial_errors(one.reading, index_of(points), rectangle)
            truth = float(errors.truth[0])
            row |= {
                "truth": truth,
                "noise": float(errors.noise[0]),
                "uniformity": float(errors.uniformity[0]),
                "relative": abs(count - truth) / truth if truth > 0 else None,
            }
        rows.append(row)
    table = pd.DataFrame(rows)
    formats = {
        name: st.column_config.NumberColumn(format="%.5g")
        for name in table.columns
        if name != "method"
    }
    st.dataframe(table, hide_index=True, column_config=formats, alt="Answers to the rectangle")
    if session.shows_truth():
        st.caption(
            "Before: the standard error before estimation. Truth and errors are confidential. Noise can be bought off with budget; the "
            "uniformity error, at cells that the rectangle cuts, cannot."
        )


def node_panel(one: Drawn) -> None:
    """Path, rectangle, budget and counts of one node."""
    if isinstance(one.release, Cells) or isinstance(one.reading, Cells):
        st.caption(f"{one.name} is no tree: its cells stand alone.")
        return
    first, second = st.columns(2, wrap=False)
    st.session_state["m_level"] = min(int(st.session_state.get("m_level", 0)), one.height)
    level = int(first.number_input("Level", 0, one.height, key="m_level"))
    last = 4**level - 1
    st.session_state["m_node"] = min(int(st.session_state.get("m_node", 0)), last)
    node = int(second.number_input("Node", 0, last, key="m_node", help="Children are 4i … 4i + 3."))
    path = " → ".join(f"{up}.{node >> 2 * (level - up)}" for up in range(level + 1))
    box = one.release.level_boxes(level)[node]
    st.markdown(
        f"**Node {level}.{node}** · path {path}  \n{box[0]:,.6g} to {box[1]:,.6g} × "
        f"{box[2]:,.6g} to {box[3]:,.6g}{_split(one.release, level, node)}"
    )
    rows = []
    for name, levels in (("raw", one.release.levels), ("as read", one.reading.levels)):
        variance = np.broadcast_to(levels.variances[level], levels.counts[level].shape)[node]
        rows.append(
            {
                "reading": name,
                "count": float(levels.counts[level][node]),
                "variance": float(variance),
                "standard error": float(np.sqrt(variance)),
            }
        )
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The node before and after estimation")
    _budget_by_level(one.release)
    view = MapView(
        one.release.box,
        *cells_at(one, one.height)[:2],
        "count",
        outlines(one, min(level + 1, one.height)),
        answering=box[None, :],
        names=session.point_units(),
    )
    st.plotly_chart(
        map_figure(view, frame.ink(), height=420),
        key="m_node_chart",
        config=chart_options("node", scroll=False),
        alt=f"Where node {level}.{node} lies",
    )


def _split(release: SpatialRelease, level: int, node: int) -> str:
    """Where a node is cut: in x, then in y on either side."""
    if level == release.shape.height:
        return " · a leaf"
    children = release.level_boxes(level + 1)[4 * node : 4 * node + 4]
    if release.curve_edges is not None:
        return " · cut on the Hilbert curve; the parts may overlap"
    return (
        f" · cut at x = {children[0, 1]:,.6g}, then at y = {children[0, 3]:,.6g} on the left and "
        f"{children[2, 3]:,.6g} on the right"
    )


def _budget_by_level(release: SpatialRelease) -> None:
    if "counts" in release.non_private:
        st.caption("Exact counts: nothing is spent, and nothing is protected.")
        return
    spending = level_spending(release)
    shares = ", ".join(f"{part:.3g}" for part in spending.levels)
    steps = len(release.structure.steps)
    structure = f"; {steps} median steps take {release.structure.share:.0%}" if steps else ""
    st.caption(f"Counts spend {shares} {spending.unit} on levels 0, 1, …{structure}.")
