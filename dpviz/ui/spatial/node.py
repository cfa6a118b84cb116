"""One node of a tree of rectangles: chosen by its number or by a click, and what is known of it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import IntArray
from dpviz.core.person_rows import rows_of
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.geometry import HilbertCut
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.audit import level_spending
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.figures.kit.layout import plain as safe
from dpviz.figures.spatial.answer import count, give_or_take
from dpviz.figures.spatial.pictures import Side, node_picture
from dpviz.figures.spatial.sentences import upper
from dpviz.ui.bench.headline import headline, private, true
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.charts import number_table
from dpviz.ui.kit.messages import plain
from dpviz.ui.kit.node_choice import choose_clicked, node_picker, node_words
from dpviz.ui.kit.number_text import amount, decimals, significant
from dpviz.ui.spatial import words
from dpviz.ui.spatial.asked import Asked
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.page import PREFIX, MapPage
from dpviz.ui.spatial.reading import Reading
from dpviz.ui.spatial.sides import cells_text, field_of
from dpviz.ui.visit.page import Visit

CHART = "m_node_chart"
HELP = "Node i has the children 4i to 4i + 3 on the next level. Or click a mark on the map."
DRAWN = 6  # the level whose cells are coloured
CLICKABLE = 1_024  # marks that can still be told apart
COLUMNS = {
    "count": "People in the node: as released, and after estimation.",
    "variance": "Of the count, in people²; known before the draw.",
    "s.e.": "Standard error: the root of the variance, in people.",
}


def node_panel(page: MapPage, asked: Asked, now: Visit) -> None:
    """Path, rectangle, budget and counts of one node of the first method, and where it lies."""
    one = page.shown[0]
    if isinstance(one.release, Cells) or isinstance(one.reading, Cells):
        headline("Map", f"{plain(one.name)} is no tree: its cells stand alone.")
        return
    place = st.container()
    left, numbers = st.columns([6, 4], gap="medium")
    with numbers:
        level, node = node_picker(one.release.shape, PREFIX, HELP)
        _described(one.release, level, node)
        table = _table(one, level, node)
        number_table(table, "The node before and after estimation", COLUMNS)
        st.caption(_budget_by_level(one.release))
    with place:
        headline("Map", _finding(page, one, level, node), "A click on a mark goes a level down.")
    with left:
        _chart(one, level, node, asked.reading, now)
    strip(now, [("cell", node_words(level, node)), ("method", one.name)], ledger=now.truth)


def _finding(page: MapPage, one: Drawn, level: int, node: int) -> str:
    """What is known of the node, beside the truth where it is shown."""
    assert not isinstance(one.reading, Cells)
    held = float(one.reading.levels.counts[level][node])
    error = float(one.reading.levels.node_variances(level)[node]) ** 0.5
    if not np.isfinite(held):
        return f"{upper(node_words(level, node))} was not released."
    number, noun = words.people().after(count(held)).split(" ", 1)
    said = f"{upper(node_words(level, node))} holds {private(number)} {noun}, give or take {give_or_take(error)}"
    if page.truth is None:
        return f"{said}."
    exact = float(page.truth.cells(one).levels[level][node])
    return f"{said}; the truth is {true(count(exact))}."


def _described(release: SpatialRelease, level: int, node: int) -> None:
    """The node's rectangle, its way down from the root, and where it is cut."""
    box = release.level_boxes(level)[node]
    path = " → ".join(node_words(up, node >> 2 * (level - up)) for up in range(level + 1))
    way = f"from {path}" if level else "the root"
    st.markdown(
        f"**{upper(node_words(level, node))}**: {box[0]:,.6g} to {box[1]:,.6g} × {box[2]:,.6g} to "
        f"{box[3]:,.6g}  \n:small[{way} · {_split_of(release, level, node)}]"
    )


def _split_of(release: SpatialRelease, level: int, node: int) -> str:
    """Where a node is cut: in x, then in y on either side."""
    if level == release.shape.height:
        return "a leaf"
    children = release.level_boxes(level + 1)[4 * node : 4 * node + 4]
    if isinstance(release.geometry, HilbertCut):
        return "cut on the Hilbert curve; the parts may overlap"
    return (
        f"cut at x = {children[0, 1]:,.6g}, then at y = {children[0, 3]:,.6g} on the left and "
        f"{children[2, 3]:,.6g} on the right"
    )


def _budget_by_level(release: SpatialRelease) -> str:
    """What a count of each level spends, and the medians."""
    if "counts" in release.non_private:
        return "Exact counts: nothing is spent, and nothing is protected."
    spending = level_spending(release)
    shares = ", ".join(f"{part:.3g}" for part in spending.levels)
    of_a_record = "" if rows_of(release.parameters) is None else " of each record of a person"
    steps = len(release.structure.steps)
    medians = (
        f" The {steps} median steps of a path take {release.structure.share:.0%} of the budget."
    )
    return (
        f"A count spends, level by level from the root: {shares} {spending.unit}{of_a_record}."
        f"{medians if steps else ''}"
    )


def _table(one: Drawn, level: int, node: int) -> pd.DataFrame:
    assert isinstance(one.release, SpatialRelease)
    readings = {"released": one.release.levels}
    if isinstance(one.reading, SpatialEstimate):
        readings["estimated, pruned" if one.reading.pruned else "estimated"] = one.reading.levels
    counts = [float(levels.counts[level][node]) for levels in readings.values()]
    variances = [float(levels.node_variances(level)[node]) for levels in readings.values()]
    errors = [variance**0.5 for variance in variances]
    places = decimals(errors, 2)
    return pd.DataFrame(
        {
            "reading": list(readings),
            "count": [amount(count, places) for count in counts],
            "variance": [significant(variance, 3) for variance in variances],
            "s.e.": [significant(error, 3) for error in errors],
        }
    )


def _chart(one: Drawn, level: int, node: int, reading: Reading, now: Visit) -> None:
    assert not isinstance(one.release, Cells)
    below = min(level + 1, one.height)
    numbers = _marked(below, node if level < one.height else node // 4)
    field = field_of(one, min(one.height, DRAWN), reading)
    picture = node_picture(
        Side(f"{safe(one.name)}: {cells_text(field)}", field),
        one.release.level_boxes(level)[node],
        (below, numbers, one.release.level_boxes(below)[numbers]),
        now.look,
        reading.aspect,
    )
    hero(
        picture,
        CHART,
        f"Where {node_words(level, node)} lies; a click on a mark chooses a node below it",
        slides="node",
        on_select=partial(choose_clicked, CHART, PREFIX),
        selection_mode="points",
    )


def _marked(level: int, parent: int) -> IntArray:
    """Nodes of a level that get a mark: all, or only the children of one."""
    if 4**level <= CLICKABLE:
        return np.arange(4**level)
    return np.arange(4 * parent, 4 * parent + 4)
