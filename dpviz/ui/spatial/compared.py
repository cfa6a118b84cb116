"""All methods compared: the errors of the paper's three shapes of rectangles."""

from collections.abc import Callable, Hashable

import numpy as np
import streamlit as st

from dpviz.answers.spatial import compared, compared_said
from dpviz.answers.spatial.compared import ComparedNumbers, ComparedQuestion
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.compared import compared_picture
from dpviz.mechanisms.spatial.method import SpatialMethod
from dpviz.ui.kit import memory
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial import words
from dpviz.ui.spatial.cells import Drawn, drawn_method
from dpviz.ui.spatial.methods import method_of, names
from dpviz.ui.spatial.page import MapPage

QUERIES = 300  # of each shape
GROUPS: dict[str, Callable[[SpatialMethod], bool]] = {
    "quadtree settings": lambda row: row.card.key == "Quadtree",
    "all methods": lambda _: True,
}


def key(page: MapPage, values: Values) -> Hashable:
    """The releases that are compared: all are drawn first, for what is booked hangs on no record."""
    wanted, progress, found = _names(values), st.progress(0.0, "Comparing"), []
    for done, name in enumerate(wanted):
        progress.progress(done / len(wanted), f"Comparing: {name}")
        found.append((name, _drawn(page, name).key))
    progress.empty()
    return tuple(found), page.choice.prune


def numbers(page: MapPage, values: Values) -> ComparedNumbers:
    """The errors of one draw of each method."""
    assert page.truth is not None
    index, shapes = page.truth.index, paper_shapes(page.box)
    rng = np.random.default_rng(page.draw.seed)
    queries = memory.remembered(
        ("queries", page.points.fingerprint, page.draw.seed),
        lambda: tuple(random_queries(index, shape, rng, QUERIES) for shape in shapes),
    )
    readings = tuple((name, _drawn(page, name).reading) for name in _names(values))
    return compared.answer(ComparedQuestion(readings, shapes, queries, index))


def draw(_: MapPage, found: ComparedNumbers, values: Values, look: Look) -> Picture:
    """A row a method, a dot a shape."""
    hues = {row.name: row.paper for row in map(method_of, _names(values))}
    return compared_picture(found, compared_said.shapes(found, words.names()), hues, look)


def _names(values: Values) -> list[str]:
    return [name for name in names() if GROUPS[values["m_compare"]](method_of(name))]


def _drawn(page: MapPage, name: str) -> Drawn:
    return drawn_method(name, page.choice, page.points, page.draw)
