"""Studies on the map: methods compared, medians by depth."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.estimators.spatial.boxes import range_counts
from dpviz.experiments.papers.medians import medians_by_depth, methods, uniform_column
from dpviz.experiments.papers.psd_costs import Medians
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.figures.studies.medians import median_error_figure, median_time_figure
from dpviz.metrics.spatial import relative_errors
from dpviz.ui.kit import frame, memory
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.choices import segments
from dpviz.ui.spatial.cells import drawn_method
from dpviz.ui.spatial.methods import method_of, names
from dpviz.ui.spatial.page import MapPage

RUNS, RECORDS = 3, 2**17
QUERIES = 300  # of each shape


def compare_picker(_: MapPage) -> list[str]:
    """Which methods are compared."""
    quadtrees = [name for name in names() if method_of(name).card.key == "Quadtree"]
    groups = {"quadtree settings": quadtrees, "all methods": names()}
    return groups[segments("Compare", list(groups), "m_compare", bind=None)]


def compared_panel(page: MapPage, compared: list[str]) -> None:
    """Median relative error of the paper's three query shapes for several methods."""
    assert page.truth is not None
    index, shapes = page.truth.index, paper_shapes(page.box)
    rng = np.random.default_rng(page.draw.seed)
    queries = memory.remembered(
        ("queries", page.points.fingerprint, page.draw.seed),
        lambda: [random_queries(index, shape, rng, QUERIES) for shape in shapes],
    )
    rows = []
    progress = st.progress(0.0, "Comparing")
    for done, name in enumerate(compared):
        progress.progress(done / len(compared), f"Comparing: {name}")
        one = drawn_method(name, page.choice, page.points, page.draw)
        row: dict[str, object] = {"method": name}
        for shape, boxes in zip(shapes, queries, strict=True):
            answers, _ = range_counts(one.reading, boxes)
            median = float(np.median(relative_errors(answers, index.count(boxes))))
            row[f"{shape[0]:.3g} × {shape[1]:.3g}"] = 100 * median
        rows.append(row)
    progress.empty()
    table = pd.DataFrame(rows)
    shares = st.column_config.NumberColumn(format="%.3g %%")
    st.dataframe(
        table,
        hide_index=True,
        alt="Median relative error by method and query shape",
        column_config=dict.fromkeys(table.columns[1:], shares),
    )
    st.caption(
        f"Median relative error over {QUERIES} non-empty queries of each of the paper's shapes, "
        "scaled to the box; one draw. Confidential."
    )


def medians_panel(_page: MapPage, _: None) -> None:
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
    if not asked and not memory.holds(("medians",)):
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
    figures = {
        "rank error": median_error_figure(found, frame.ink(), shows_truth=False),
        "time": median_time_figure(found, frame.ink()),
    }
    for name, figure in figures.items():
        chart(figure, f"m_medians_{name}", "medians", f"Private medians by depth: {name}")
