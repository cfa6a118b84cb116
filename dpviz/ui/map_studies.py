"""Studies on the map: methods compared, medians by depth, record matching."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.cells import Cells
from dpviz.core.data import Points
from dpviz.core.level_budget import LevelBudget
from dpviz.core.spatial import SpatialRelease
from dpviz.estimators.boxes import range_counts
from dpviz.experiments.medians import medians_by_depth, uniform_column
from dpviz.experiments.spatial_queries import paper_shapes, random_queries
from dpviz.figures.medians import median_error_figure, median_time_figure
from dpviz.mechanisms.hilbert_tree import HilbertTree
from dpviz.mechanisms.kd_tree import KdTree
from dpviz.mechanisms.quadtree import Quadtree
from dpviz.mechanisms.record_matching import match_records
from dpviz.mechanisms.spatial_protocol import SpatialMechanism
from dpviz.metrics.spatial import relative_errors
from dpviz.ui import frame, memory, session
from dpviz.ui.downloads import chart_options
from dpviz.ui.draws import Draw
from dpviz.ui.map_cells import Drawn, drawn_method, index_of
from dpviz.ui.map_controls import MapChoice


def compared_panel(choice: MapChoice, points: Points, draw: Draw, names: tuple[str, ...]) -> None:
    """Median relative error of the paper's three query shapes for several methods."""
    if not session.shows_truth():
        st.caption("Errors compare with the truth: hidden.")
        return
    index = index_of(points)
    shapes = paper_shapes(points.box)
    rng = np.random.default_rng(draw.seed)
    queries = memory.remembered(
        ("queries", points.fingerprint, draw.seed),
        lambda: [random_queries(index, shape, rng, 300) for shape in shapes],
    )
    rows = []
    progress = st.progress(0.0, "Comparing")
    for done, name in enumerate(names):
        progress.progress(done / len(names), f"Comparing: {name}")
        one = drawn_method(name, choice, points, draw)
        row: dict[str, object] = {"method": name}
        for shape, boxes in zip(shapes, queries, strict=True):
            truth = index.count(boxes)
            answers, _ = range_counts(one.reading, boxes)
            median = float(np.median(relative_errors(answers, truth)))
            row[f"{shape[0]:.3g} × {shape[1]:.3g}"] = 100 * median
        rows.append(row)
    progress.empty()
    table = pd.DataFrame(rows)
    st.dataframe(
        table,
        hide_index=True,
        alt="Median relative error by method and query shape",
        column_config={
            name: st.column_config.NumberColumn(format="%.3g %%") for name in table.columns[1:]
        },
    )
    st.caption(
        "Median relative error over 300 non-empty queries of each of the paper's shapes, scaled to "
        "the box; one draw. Confidential."
    )


def medians_panel() -> None:
    """Figure 4 of the paper on demand: rank error and time of every private median by depth."""
    st.caption(
        "Cormode et al. 2012, Fig. 4, on 2^17 generated uniform points (the paper: 2^20); ε = .01 a "
        "level, δ = 1e-4 for a path. No data of yours is used."
    )
    asked = st.button("Run", key="m_run_medians", icon=":material/play_arrow:", type="primary")
    if not asked and ("medians",) not in st.session_state.get("_results", {}):
        return
    with st.spinner("Drawing the medians of ten levels, six methods, three runs: a few seconds"):
        found = memory.remembered(
            ("medians",),
            lambda: medians_by_depth(
                uniform_column(np.random.default_rng(4), 2**17), np.random.default_rng(5)
            ),
        )
    for figure, name in (
        (median_error_figure(found, frame.ink(), shows_truth=False), "rank error"),
        (median_time_figure(found, frame.ink()), "time"),
    ):
        st.plotly_chart(
            figure,
            key=f"m_medians_{name}",
            config=chart_options("medians", scroll=False),
            alt=f"Private medians by depth: {name}",
        )


def _first_partys(
    mechanism: SpatialMechanism, first: Points, choice: MapChoice, draw: Draw
) -> SpatialRelease | Cells:
    leaves = _leaves_only(mechanism)
    purpose = ("first party", leaves, first.fingerprint, choice.budget)
    return memory.remembered(
        (*purpose, draw), lambda: leaves.release(first, choice.budget, draw.rng(purpose))
    )


def _leaves_only(mechanism: SpatialMechanism) -> SpatialMechanism:
    """The same tree with all count budget at its leaves, as matching wants it."""
    if isinstance(mechanism, Quadtree | KdTree | HilbertTree):
        return replace(mechanism, levels=LevelBudget.leaves_only())
    return mechanism


def matching_panel(shown: list[Drawn], choice: MapChoice, points: Points, draw: Draw) -> None:
    """Private record matching between two halves of the points."""
    box = points.box
    st.caption(
        "Two parties hold half of the points each (every second record). The first releases its "
        "cells, all count budget at the leaves; only pairs of one cell, grown by the distance, go to "
        "the secure comparison (Cormode et al. 2012, §8.3)."
    )
    if not session.shows_truth():
        st.caption("What is compared depends on both sides' records: hidden.")
        return
    share = st.select_slider(
        "Distance, as a share of the box",
        (0.0, 0.0005, 0.001, 0.005, 0.01),
        value=0.001,
        key="m_distance",
        format_func=lambda one: f"{one:g}",
    )
    first = Points.from_xy(points.x[::2], points.y[::2], box)
    second = Points.from_xy(points.x[1::2], points.y[1::2], box)
    rows = []
    for one in shown:
        release = _first_partys(one.mechanism, first, choice, draw)
        matching = match_records(release, first, second, (share * box.x.width, share * box.y.width))
        rows.append(
            {
                "method": one.name,
                "pairs compared": matching.compared,
                "all pairs": matching.all_pairs,
                "reduction ratio": matching.reduction_ratio,
                "records kept": matching.kept,
            }
        )
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        alt="Record matching",
        column_config={
            "pairs compared": st.column_config.NumberColumn(format="%.4g"),
            "all pairs": st.column_config.NumberColumn(format="%.4g"),
            "reduction ratio": st.column_config.NumberColumn(format="%.4f"),
            "records kept": st.column_config.NumberColumn(format="%.4f"),
        },
    )
