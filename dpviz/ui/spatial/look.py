"""How the map looks: colour, depth, aspect, and whether true points lie on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.ui.kit.choices import segments, switch
from dpviz.ui.spatial.cells import COLOURS
from dpviz.ui.spatial.page import MapPage


@dataclass(frozen=True, slots=True)
class Look:
    """aspect is how many units of x make as much ground as one of y."""

    colour: str
    depth: int
    aspect: float
    shows_points: bool

    def height(self, box: Box, width: int) -> int:
        """Pixels that a chart so wide needs for the map, its colour bar and its axis."""
        plot = (width - 95) * box.y.width * self.aspect / box.x.width
        notice = 56 if self.shows_points else 0  # the line below a picture with true data
        return int(min(max(plot + 150, 300), 560)) + notice


def look_picker(page: MapPage) -> Look:
    """Everything about the picture in one row."""
    has_truth = page.truth is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        colour = segments(
            "Colour",
            list(COLOURS),
            "m_colour",
            "Density: the private count over the area of its cell, in records per unit of x times "
            "unit of y. Count: the private count. Standard error: the root of its variance, which "
            "is public.",
        )
        depth = _depth_picker(max(one.height for one in page.shown))
        earth = switch(
            "Degrees",
            "m_earth",
            "x is a longitude and y a latitude: draw them with the right aspect.",
        )
        overlay = switch(
            "Points",
            "m_points",
            "Draw up to 20,000 of the true points: confidential.",
            disabled=not has_truth,
            bind=None,
            persist_state=None,
        )
    return Look(colour, depth, _aspect(page.box) if earth else 1.0, overlay and has_truth)


def _depth_picker(deepest: int) -> int:
    if deepest == 0:
        return 0
    return int(
        st.slider(
            "Depth",
            0,
            deepest,
            value=deepest,
            key=f"m_depth_{deepest}",
            width=105,
            help="The level of the tree that is drawn.",
        )
    )


def _aspect(box: Box) -> float:
    middle = box.y.low + box.y.width / 2
    return 1 / max(math.cos(math.radians(middle)), 0.05)
