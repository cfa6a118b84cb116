"""Studies on the map: methods compared, medians by depth."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.counts.grid_index import Index
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.experiments.papers.medians import medians_by_depth, methods, uniform_column
from dpviz.experiments.papers.psd_costs import Medians
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.told import rows_of
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.figures.spatial.compared import Comparison, compared_picture, comparison_sentence
from dpviz.figures.studies.medians import medians_figure
from dpviz.mechanisms.spatial.method import SpatialMethod
from dpviz.metrics.spatial import relative_errors
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.choices import segments
from dpviz.ui.kit.messages import plain
from dpviz.ui.spatial.asked import Asked
from dpviz.ui.spatial.cells import Drawn, drawn_method
from dpviz.ui.spatial.methods import method_of, names
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit.page import Visit

RUNS, RECORDS = 3, 2**17
QUERIES = 300  # of each shape
PARTS = {
    "error": "How far each private median misses the middle, by depth",
    "time": "How long all medians of a level take, by depth",
}
NOTE = (
    "Median relative error over {} rectangles of each shape that hold somebody (Cormode et al. 2012, "
    "scaled to the map); one draw. Confidential."
)


GROUPS: dict[str, Callable[[SpatialMethod], bool]] = {
    "quadtree settings": lambda row: row.card.key == "Quadtree",
    "all methods": lambda _: True,
}


def compared_panel(page: MapPage, _: Asked, now: Visit) -> None:
    """Median relative error of the paper's three query shapes for several methods."""
    head, body = st.container(), st.container()
    group = segments("Compare", list(GROUPS), "m_compare", bind=None, label_visibility="collapsed")
    compared = [name for name in names() if GROUPS[group](method_of(name))]
    with body:
        found = _comparison(page, compared)
    sentence = comparison_sentence(found)
    with head:
        headline("Map", plain(sentence), NOTE.format(QUERIES))
    with body:
        hero(compared_picture(found, now.look), "compared", sentence, slides="map methods")
    items = [(name, share) for name, share in _extremes(found)]
    strip(now, items, ledger=now.truth)


def _comparison(page: MapPage, compared: list[str]) -> Comparison:
    """The errors of one draw of each method; the first run says how far it is."""
    assert page.truth is not None
    drawn, progress = [], st.progress(0.0, "Comparing")
    for done, name in enumerate(compared):  # first: what is booked hangs on no record
        progress.progress(done / len(compared), f"Comparing: {name}")
        drawn.append(drawn_method(name, page.choice, page.points, page.draw))
    index, shapes = page.truth.index, paper_shapes(page.box)
    rng = np.random.default_rng(page.draw.seed)
    queries = memory.remembered(
        ("queries", page.points.fingerprint, page.draw.seed),
        lambda: [random_queries(index, shape, rng, QUERIES) for shape in shapes],
    )
    errors = [[_median_error(one, index, boxes) for boxes in queries] for one in drawn]
    progress.empty()
    unit = session.words().unit.many
    said = tuple(f"{width:.3g} × {high:.3g} {unit}".rstrip() for width, high in shapes)
    hues = {row.name: row.paper for row in map(method_of, compared)}
    return Comparison(tuple(compared), said, np.array(errors), hues)


def _median_error(one: Drawn, index: Index, boxes: FloatArray) -> float:
    """In per cent, over rectangles that hold somebody."""
    answers, _ = range_counts(one.reading, boxes)
    return 100 * float(np.median(relative_errors(answers, index.count(boxes))))


def _extremes(found: Comparison) -> list[tuple[str, str]]:
    """The best method of each shape."""
    best = found.errors.argmin(axis=0)
    return [
        (f"best on {shape}", found.methods[row])
        for shape, row in zip(found.shapes, best, strict=True)
    ]


def medians_panel(_page: MapPage, _: Asked, now: Visit) -> None:
    """Figure 4 of the paper on demand: rank error and time of every private median by depth."""
    headline(
        "Map",
        "How far private medians stray, level by level.",
        "Cormode et al. 2012, Fig. 4, on 2^17 made-up points (the paper: 2^20); ε = .01 a level, "
        "δ = 1e-4 for a path. No data of yours is used.",
    )
    seconds = sum(Medians(name, RUNS, RECORDS).seconds for name in methods())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run",
            key="m_run_medians",
            icon=":material/play_arrow:",
            type=frame.emphasis(),
            on_click=_ask_for_medians,
        )
        st.caption(f"about {math.ceil(seconds)} s")
    if not st.session_state.get("_m_medians"):
        _medians(rows_of("psd4", record()), now)
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
    _medians(found, now)


def _medians(found: pd.DataFrame, now: Visit) -> None:
    """Both parts side by side: of a stored run, until a new one is asked for."""
    for slot, part in zip(st.columns(2), PARTS, strict=True):
        with slot:
            picture = medians_figure(found, now.look, part)
            hero(picture, f"medians_{part}", PARTS[part], slides="medians")


def _ask_for_medians() -> None:
    st.session_state["_m_medians"] = True
