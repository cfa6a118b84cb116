"""One node of a tree of rectangles: chosen by its number or by a click, and what is known of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import IntArray
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.figures.spatial.map import map_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.node_choice import clicked_node, keep_inside
from dpviz.ui.kit.number_text import amount, decimals, significant
from dpviz.ui.spatial.cells import Drawn, map_view, outlines
from dpviz.ui.spatial.words import budget_by_level, split_of

CHART = "m_node_chart"
CLICKABLE = 1_024  # marks that can still be told apart
COLUMNS = {
    "count": "Records in the node: as released, and after estimation.",
    "variance": "Of the count, in records²; known before the draw.",
    "s.e.": "Standard error: the root of the variance, in records.",
}


def node_panel(one: Drawn) -> None:
    """Path, rectangle, budget and counts of one node, and where it lies."""
    if isinstance(one.release, Cells) or isinstance(one.reading, Cells):
        st.caption(f"{one.name} is no tree: its cells stand alone.")
        return
    picture, numbers = st.columns([5, 4], gap="small")
    with numbers:
        level, node = _node_picker(one.height)
        _described(one.release, level, node)
        st.dataframe(
            _table(one, level, node),
            hide_index=True,
            alt="The node before and after estimation",
            column_config={
                name: st.column_config.TextColumn(alignment="right", help=text)
                for name, text in COLUMNS.items()
            },
        )
        st.caption(budget_by_level(one.release))
    with picture:
        _chart(one, level, node)


def _node_picker(height: int) -> tuple[int, int]:
    wanted = st.session_state.pop("_m_clicked", None)
    if wanted is not None:
        st.session_state["m_level"], st.session_state["m_node"] = wanted
    first, second = st.columns(2, wrap=False)
    keep_inside("m_level", height)
    level = int(first.number_input("Level", 0, height, key="m_level", help="0 is the root."))
    keep_inside("m_node", 4**level - 1)
    help_ = "Node i has the children 4i to 4i + 3 on the next level. Or click a mark on the map."
    return level, int(second.number_input("Node", 0, 4**level - 1, key="m_node", help=help_))


def _described(release: SpatialRelease, level: int, node: int) -> None:
    """The node's rectangle, its way down from the root, and where it is cut."""
    box = release.level_boxes(level)[node]
    path = " → ".join(f"{up}.{node >> 2 * (level - up)}" for up in range(level + 1))
    way = f"from the root (level.node): {path}" if level else "the root"
    st.markdown(
        f"**Node {level}.{node}**: {box[0]:,.6g} to {box[1]:,.6g} × {box[2]:,.6g} to "
        f"{box[3]:,.6g}  \n:small[{way} · {split_of(release, level, node)}]"
    )


def _table(one: Drawn, level: int, node: int) -> pd.DataFrame:
    assert isinstance(one.release, SpatialRelease)
    found = []
    readings = {"released": one.release.levels}
    if isinstance(one.reading, SpatialEstimate):
        estimated = "estimated, pruned" if one.reading.pruned else "estimated"
        readings[estimated] = one.reading.levels
    for name, levels in readings.items():
        variance = np.broadcast_to(levels.variances[level], levels.counts[level].shape)[node]
        found.append((name, float(levels.counts[level][node]), float(variance)))
    places = decimals((variance**0.5 for _, _, variance in found), 2)
    return pd.DataFrame(
        {
            "reading": name,
            "count": amount(count, places),
            "variance": significant(variance, 3),
            "s.e.": significant(variance**0.5, 3),
        }
        for name, count, variance in found
    )


def _chart(one: Drawn, level: int, node: int) -> None:
    assert not isinstance(one.release, Cells)
    below = min(level + 1, one.height)
    numbers = _marked(below, node if level < one.height else node // 4)
    view = replace(
        map_view(one, one.height, "count", session.point_units()),
        outlines=outlines(one, below),
        answering=one.release.level_boxes(level)[node : node + 1],
        nodes=(below, numbers, one.release.level_boxes(below)[numbers]),
    )
    st.plotly_chart(
        map_figure(view, frame.ink(), height=400),
        key=CHART,
        on_select=_choose_clicked,
        selection_mode="points",
        config=chart_options("node", scroll=False),
        alt=f"Where node {level}.{node} lies; a click on a mark chooses a node below it",
    )


def _marked(level: int, parent: int) -> IntArray:
    """Nodes of a level that get a mark: all, or only the children of one."""
    if 4**level <= CLICKABLE:
        return np.arange(4**level)
    return np.arange(4 * parent, 4 * parent + 4)


def _choose_clicked() -> None:
    st.session_state["_m_clicked"] = clicked_node(CHART)
