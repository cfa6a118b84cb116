"""The views of the Map page: cells side by side, one node, settings compared, medians, matching."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.cells import Cells
from dpviz.core.data import Points
from dpviz.core.spatial import SpatialRelease
from dpviz.core.spatial_boxes import areas
from dpviz.estimators.boxes import answering_nodes, range_counts
from dpviz.estimators.prune import prune
from dpviz.estimators.spatial import SpatialEstimate, estimate
from dpviz.estimators.spatial_audit import level_spending
from dpviz.experiments.medians import medians_by_depth, uniform_column
from dpviz.experiments.spatial_queries import paper_shapes, random_queries
from dpviz.figures.map import OUTLINED, MapView, map_figure
from dpviz.figures.medians import median_error_figure, median_time_figure
from dpviz.mechanisms.point_index import PointIndex
from dpviz.mechanisms.record_matching import match_records
from dpviz.mechanisms.spatial_protocol import SpatialMechanism
from dpviz.metrics.spatial import relative_errors, spatial_errors
from dpviz.ui import frame, session
from dpviz.ui.downloads import chart_options
from dpviz.ui.draws import Draw
from dpviz.ui.map_controls import RAW, MapChoice
from dpviz.ui.map_rectangle import keep_drawn

Readable = SpatialRelease | SpatialEstimate | Cells
COLOURS = ("density", "count", "standard error")
POINTS_SHOWN = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One method on the page: what was released, and how it is read."""

    name: str
    mechanism: SpatialMechanism
    release: SpatialRelease | Cells
    reading: Readable

    @property
    def height(self) -> int:
        """Levels below the root; 0 for cells that are no tree."""
        return self.release.shape.height if isinstance(self.release, SpatialRelease) else 0


def drawn_method(name: str, choice: MapChoice, points: Points, draw: Draw) -> Drawn:
    """The release of a method, and its reading; each is worked out once."""
    mechanism = choice.mechanism(name, points.box)
    mechanism.check(choice.budget)
    key = ("map", mechanism, points.fingerprint, choice.budget, draw)
    purpose = (mechanism, points.fingerprint, choice.budget)
    release = session.remembered(
        key, lambda: mechanism.release(points, choice.budget, draw.rng(purpose))
    )
    reading: Readable = release
    if isinstance(release, SpatialRelease) and (name not in RAW or choice.prune is not None):
        estimated = session.remembered(("estimate", *key), lambda: estimate(release))
        threshold = choice.prune
        reading = estimated
        if threshold is not None:
            reading = session.remembered(
                ("pruned", threshold, *key), lambda: prune(estimated, threshold)
            )
    return Drawn(name, mechanism, release, reading)


def cells_at(one: Drawn, depth: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Boxes (k, 4), counts (k,) and variances (k,) of a level, or of all cells of a grid."""
    if isinstance(one.reading, Cells):
        return one.reading.boxes, one.reading.counts, one.reading.variances
    level = min(depth, one.height)
    counts = one.reading.levels.counts[level]
    variances = np.broadcast_to(one.reading.levels.variances[level], counts.shape)
    return one.reading.level_boxes(level), counts, variances


def map_chart(
    one: Drawn,
    depth: int,
    colour: str,
    rectangle: FloatArray | None,
    points: Points | None,
    *,
    aspect: float,
    chart: str,
    height: int,
) -> None:
    """One method's map; a box drawn on it becomes the rectangle."""
    boxes, counts, variances = cells_at(one, depth)
    values = counts
    if colour == "density":
        size = areas(boxes)
        values = np.divide(counts, size, out=np.full_like(size, np.nan), where=size > 0)
    elif colour == "standard error":
        values = np.sqrt(variances)
    box = one.release.box
    view = MapView(
        box,
        boxes,
        values,
        colour,
        _outlines(one, depth),
        answering=_answering(one, rectangle),
        rectangle=rectangle,
        points=None if points is None else _some(points),
        names=session.point_units(),
        aspect=aspect,
    )
    st.plotly_chart(
        map_figure(view, frame.ink(), height=height),
        key=chart,
        on_select=lambda: keep_drawn(chart),
        selection_mode="box",
        config=chart_options("map"),
        alt=f"Map of {one.name}: cells coloured by {colour}",
    )


def _outlines(one: Drawn, depth: int) -> FloatArray:
    if isinstance(one.reading, Cells):
        few = one.reading.counts.size <= OUTLINED
        return one.reading.boxes if few else one.reading.boxes[:0]
    level = min(depth, one.height)
    while 4**level > OUTLINED:  # deeper borders would only veil the colours
        level -= 1
    return one.reading.level_boxes(level)


def _answering(one: Drawn, rectangle: FloatArray | None) -> FloatArray | None:
    if rectangle is None or isinstance(one.reading, Cells):
        return None
    reading = one.reading
    parts = [
        reading.level_boxes(level)[numbers]
        for level, (numbers, _) in enumerate(answering_nodes(reading, rectangle))
        if numbers.size
    ]
    return np.concatenate(parts) if parts else None


def _some(points: Points) -> tuple[FloatArray, FloatArray]:
    stride = max(1, -(-points.n // POINTS_SHOWN))
    return points.x[::stride], points.y[::stride]


def index_of(points: Points) -> PointIndex:
    """The points sorted for counting, once."""
    return session.remembered(("index", points.fingerprint), lambda: PointIndex.of(points))


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
        f"{box[2]:,.6g} to {box[3]:,.6g}"
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


def _budget_by_level(release: SpatialRelease) -> None:
    if "counts" in release.non_private:
        st.caption("Exact counts: nothing is spent, and nothing is protected.")
        return
    spending = level_spending(release)
    shares = ", ".join(f"{part:.3g}" for part in spending.levels)
    steps = len(release.structure.steps)
    structure = f"; {steps} median steps take {release.structure.share:.0%}" if steps else ""
    st.caption(f"Counts spend {shares} {spending.unit} on levels 0, 1, …{structure}.")


def compared_panel(choice: MapChoice, points: Points, draw: Draw, names: tuple[str, ...]) -> None:
    """Median relative error of the paper's three query shapes for several methods."""
    if not session.shows_truth():
        st.caption("Errors compare with the truth: hidden.")
        return
    index = index_of(points)
    shapes = paper_shapes(points.box)
    rng = np.random.default_rng(draw.seed)
    queries = session.remembered(
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
        found = session.remembered(
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


def matching_panel(shown: list[Drawn], points: Points, box: Box) -> None:
    """Private record matching between two halves of the points."""
    st.caption(
        "Two parties hold half of the points each (every second record). Only pairs of one cell, "
        "grown by the distance, go to the secure comparison (Cormode et al. 2012, §8.3)."
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
        matching = match_records(
            one.release, first, second, (share * box.x.width, share * box.y.width)
        )
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
