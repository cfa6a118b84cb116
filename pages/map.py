"""Map: private decompositions of the plane, side by side, asked about a rectangle."""

import math

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.core.errors import DpvizError
from dpviz.ui import frame, session
from dpviz.ui.comparison import empty_state
from dpviz.ui.downloads import map_download_panel
from dpviz.ui.draws import draw_picker
from dpviz.ui.map_answers import answers_panel, node_panel
from dpviz.ui.map_cells import COLOURS, cells_at, drawn_method, map_chart
from dpviz.ui.map_controls import METHODS, QUADTREES, map_picker
from dpviz.ui.map_rectangle import rectangle_picker
from dpviz.ui.map_studies import compared_panel, matching_panel, medians_panel
from dpviz.ui.messages import attempt, plain, problem
from dpviz.ui.pickers import budget_picker


def _height(box: Box, aspect: float, charts: int) -> int:
    """Pixels that a map as wide as its column needs, with room for colour scale and axis."""
    width = 640 if charts == 1 else 300
    return int(min(max(width * box.y.width * aspect / box.x.width + 150, 320), 860))


VIEWS = ("Map", "Node", "Compare", "Medians", "Matching", "Download")

frame.guard()
frame.title("Map", "The plane cut into cells with noisy counts, and what they say of a rectangle.")
controls, picture = st.columns([3, 8], gap="medium")

with picture:
    points = attempt(session.points)
    if points is None:
        empty_state(
            "The map needs two columns: choose one of the sets in the plane in the sidebar (Towns "
            "along roads, Harbours on a coast), or a second column of your file on the Data page."
        )
        st.stop()

with controls:
    budget = attempt(lambda: budget_picker("m_", epsilon=0.5, rho=0.1))
    choice = attempt(lambda: map_picker(budget, points.box)) if budget is not None else None
    draw = draw_picker("m_")

with picture:
    if budget is None or choice is None:
        empty_state("Mend the marked choice to see the map.")
        st.stop()
    shown = []
    for name in choice.methods:
        if "not private" in name and not session.shows_truth():
            empty_state(f"{plain(name)}: it draws the truth, so it is hidden with it.")
            continue
        try:
            with st.spinner(f"{name}: {points.n:,} records" if session.shows_truth() else name):
                shown.append(drawn_method(name, choice, points, draw))
        except DpvizError as error:
            problem(f"{name}: {error}")
    view = st.segmented_control(
        "View",
        VIEWS,
        default=VIEWS[0],
        required=True,
        key="m_view",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    marked = [one.name for one in shown if one.release.non_private]
    if marked:
        st.warning(f"Not private: {', '.join(marked)}.", icon=":material/warning:")
    if view == "Map" and shown:
        colours, depths, extras = st.columns([5, 3, 3], vertical_alignment="bottom")
        colour = colours.segmented_control(
            "Colour",
            COLOURS,
            default=COLOURS[0],
            required=True,
            key="m_colour",
            bind="query-params",
            persist_state="session",
        )
        deepest = max(one.height for one in shown)
        depth = deepest
        if deepest > 0:
            depth = depths.slider(
                "Depth",
                0,
                deepest,
                value=deepest,
                key=f"m_depth_{deepest}",
                help="The level of the tree that is drawn.",
            )
        with extras, st.container(horizontal=True):
            earth = st.toggle(
                "Degrees",
                key="m_earth",
                bind="query-params",
                persist_state="session",
                help="x is a longitude and y a latitude: draw them with the right aspect.",
            )
            overlay = st.toggle(
                "Points",
                key="m_points",
                disabled=not session.shows_truth(),
                help="Draw up to 20,000 of the true points: confidential.",
            )
        aspect = 1.0
        if earth:
            middle = points.box.y.low + points.box.y.width / 2
            aspect = 1 / max(math.cos(math.radians(middle)), 0.05)
        rectangle = None
        fields = st.container()
        with fields:
            rectangle = attempt(lambda: rectangle_picker(points.box))
        for slot, one in zip(st.columns(len(shown)), shown, strict=True):
            with slot:
                cells = cells_at(one, depth)[1].size
                st.markdown(f"**{plain(one.name)}** :small[{cells:,} cells]")
                map_chart(
                    one,
                    depth,
                    colour,
                    rectangle,
                    points if overlay and session.shows_truth() else None,
                    aspect=aspect,
                    chart=f"m_chart_{choice.methods.index(one.name)}",
                    height=_height(points.box, aspect, len(shown)),
                )
        try:
            answers_panel(shown, rectangle, points)
        except DpvizError as error:
            problem(error)
    elif view == "Node" and shown:
        node_panel(shown[0])
    elif view == "Compare":
        which = st.segmented_control(
            "Compare",
            ["quadtree settings", "all methods"],
            default="quadtree settings",
            required=True,
            key="m_compare",
            persist_state="session",
        )
        try:
            names = tuple(QUADTREES) if which == "quadtree settings" else METHODS
            compared_panel(choice, points, draw, names)
        except DpvizError as error:
            problem(error)
    elif view == "Medians":
        medians_panel()
    elif view == "Matching" and shown:
        try:
            matching_panel(shown, choice, points, draw)
        except DpvizError as error:
            problem(error)
    elif view == "Download":
        for one in shown:
            st.markdown(f"**{plain(one.name)}**")
            map_download_panel(one.release)
