"""The Map page piece by piece: releases, barrier, the view that is chosen, the empty state."""

from __future__ import annotations

import streamlit as st

from dpviz.core.data import Points
from dpviz.core.errors import DpvizError
from dpviz.intake.samples import Sample, samples
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.barrier import noise_barrier
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.messages import empty_state, plain, problem
from dpviz.ui.spatial.cells import Drawn, drawn_method
from dpviz.ui.spatial.downloads import map_download_panel
from dpviz.ui.spatial.matching import matching_panel
from dpviz.ui.spatial.methods import MapChoice, method_of, names
from dpviz.ui.spatial.node import node_panel
from dpviz.ui.spatial.panel import map_panel
from dpviz.ui.spatial.reproduce import map_lines
from dpviz.ui.spatial.studies import compared_panel, medians_panel

VIEWS = ("Map", "Node", "Compare", "Medians", "Matching", "Download")


def nothing_in_the_plane() -> None:
    """What stands in the page's place for a set on a line, and the way out."""
    planes = [one for one in samples() if len(one.columns) > 1]
    listed = ", ".join(one.title for one in planes)
    empty_state(
        f"The map needs two columns: choose one of the sets in the plane in the sidebar ({listed}), "
        "or a second column of your file on the Data page."
    )
    if planes:
        st.button(
            f"Use {planes[0].title}",
            on_click=_use,
            args=(planes[0],),
            icon=":material/arrow_forward:",
            type=frame.emphasis(),
            key="m_use",
        )


def _use(one: Sample) -> None:
    st.session_state["data"] = one.key


def drawn_methods(choice: MapChoice, points: Points, draw: Draw) -> list[Drawn]:
    """The chosen methods; one that refuses says why, the others go on."""
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
    return shown


def barrier_above(shown: list[Drawn], choice: MapChoice, points: Points) -> None:
    """The noise barrier, as far as a budget stands between."""
    private = [one for one in shown if one.release.spent is not None]
    if not private:
        return
    counts = " + ".join(f"{one.noisy_counts:,}" for one in private)
    noise_barrier(
        points,
        choice.budget,
        f"{counts} noisy counts",
        shows_truth=session.shows_truth(),
        spent="spent once" if len(private) == 1 else "once by each",
    )


def view_picker() -> str:
    """Which of the page's views is shown."""
    return str(
        st.segmented_control(
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
    )


def warn_of_references(shown: list[Drawn]) -> None:
    """Say which methods protect nobody."""
    marked = [plain(one.name) for one in shown if one.release.non_private]
    if marked:
        st.warning(f"Not private: {', '.join(marked)}.", icon=":material/warning:")


def show(view: str, shown: list[Drawn], choice: MapChoice, points: Points, draw: Draw) -> None:
    """One view. Raises: DpvizError as the mechanisms and studies do."""
    if view == "Compare":
        _compared(choice, points, draw)
    elif view == "Medians":
        medians_panel()
    elif not shown:
        return
    elif view == "Map":
        map_panel(shown, points)
    elif view == "Node":
        node_panel(shown[0])
    elif view == "Matching":
        matching_panel(shown, choice, points, draw)
    else:
        map_download_panel(shown, map_lines(shown, points, choice, draw))


def _compared(choice: MapChoice, points: Points, draw: Draw) -> None:
    which = st.segmented_control(
        "Compare",
        ["quadtree settings", "all methods"],
        default="quadtree settings",
        required=True,
        key="m_compare",
        persist_state="session",
    )
    compared = names()
    if which == "quadtree settings":
        compared = [name for name in compared if method_of(name).card.key == "Quadtree"]
    compared_panel(choice, points, draw, tuple(compared))
