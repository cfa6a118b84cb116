"""Studies on the map: methods compared, medians by depth."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.data import Points
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.experiments.papers.medians import medians_by_depth, methods, uniform_column
from dpviz.experiments.papers.psd_costs import Medians
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.figures.studies.medians import median_error_figure, median_time_figure
from dpviz.metrics.spatial import relative_errors
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import Draw
from dpviz.ui.spatial.cells import drawn_method, index_of
from dpviz.ui.spatial.methods import MapChoice

RUNS, RECORDS = 3, 2**17


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
    seconds = sum(Medians(name, RUNS, RECORDS).seconds for name in methods())
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(
            "Run", key="m_run_medians", icon=":material/play_arrow:", type=frame.emphasis()
        )
        st.caption(f"about {math.ceil(seconds)} s")
    if not asked and ("medians",) not in st.session_state.get("_results", {}):
        return
    with st.spinner("Drawing the medians of ten levels, six methods, three runs"):
        found = memory.remembered(
            ("medians",),
            lambda: medians_by_depth(
                uniform_column(np.random.default_rng(4), RECORDS),
                np.random.default_rng(5),
                runs=RUNS,
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
