"""One node of a tree of rectangles: chosen by its number or by a click, and what is known of it."""

from collections.abc import Hashable

import numpy as np
import streamlit as st

from dpviz.answers.said import html_safe
from dpviz.answers.spatial import node, node_said
from dpviz.answers.spatial.node import Node, NodeNumbers
from dpviz.core.arrays import IntArray
from dpviz.core.spatial.release import SpatialRelease
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.pictures import node_picture
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import reading_of
from dpviz.ui.spatial.sides import plain_side
from dpviz.ui.visit import state
from dpviz.ui.visitor import clicked

CHART = "m_node_chart"
HELP = "Node i has the children 4i to 4i + 3 on the next level. Or click a mark on the map."
DRAWN = 6  # the level whose cells are coloured
CLICKABLE = 1_024  # marks that can still be told apart


def take_click() -> None:
    """Take over the node whose mark was clicked in the picture."""
    found = clicked(CHART)
    if found is not None:
        state.store().update(zip(("m_level", "m_node"), found, strict=True))


def _chosen(page: MapPage, values: Values) -> Node:
    """The chosen node, brought into the tree that is shown."""
    level = min(values["m_level"], page.shown[0].height)
    return level, min(values["m_node"], 4**level - 1)


def key(page: MapPage, values: Values) -> Hashable:
    """What the numbers depend on."""
    return page.key, _chosen(page, values)


def numbers(page: MapPage, values: Values) -> NodeNumbers:
    """The node of the first method."""
    one = page.shown[0]
    return node.answer(one.asked(), _chosen(page, values), page.exact(one))


def draw(page: MapPage, found: NodeNumbers, values: Values, look: Look) -> Picture:
    """Where it lies, with a mark on every node that a click chooses."""
    one, (level, number), reading = page.shown[0], found.node, reading_of(values, page.box)
    assert isinstance(one.release, SpatialRelease)
    below = min(level + 1, one.height)
    marked = _marked(below, number // 4 if found.is_leaf else number)
    return node_picture(
        plain_side(html_safe(one.name), one.asked(min(one.height, DRAWN)), reading),
        np.array(found.box),
        (below, marked, one.release.level_boxes(below)[marked]),
        look,
        reading.aspect,
    )


def beside(shown: Shown[MapPage, NodeNumbers]) -> None:
    """Its level and number, its way down from the root, and its count as it is read."""
    shown.group("m_level", tallest=shown.asked.shown[0].height)
    st.markdown(node_said.described(shown.numbers))
    for table in shown.said.tables:
        said_table(table)


def _marked(level: int, parent: int) -> IntArray:
    """Nodes of a level that get a mark: all, or only the children of one."""
    if 4**level <= CLICKABLE:
        return np.arange(4**level)
    return np.arange(4 * parent, 4 * parent + 4)
