"""What the dock asks for, and where what depends on the answers is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.ui.bench import budget, data_choice
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.release import publish, release_dock
from dpviz.ui.kit import session
from dpviz.ui.kit.choices import expected
from dpviz.ui.kit.messages import attempt
from dpviz.ui.spatial import controls, words
from dpviz.ui.spatial.methods import MapChoice, method_of, names
from dpviz.ui.spatial.reading import Reading, look_tab
from dpviz.ui.spatial.rectangle import rectangle_tab
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Visit

SHOWN = {
    "map": "The map",
    "node": "One node",
    "compare": "All methods compared",
    "medians": "Private medians by depth",
    "matching": "Private record matching",
    "take": "Downloads and Python",
}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Choices of one run; depth_place, numbers and save are filled once the release is there."""

    dock: Dock
    choice: MapChoice
    reading: Reading
    rectangle: FloatArray | None
    depth_place: DeltaGenerator | None
    numbers: DeltaGenerator
    save: DeltaGenerator

    def depth(self, deepest: int) -> int:
        """The level that is drawn, on a slider if there is more than one."""
        if deepest == 0:
            return 0
        if self.depth_place is not None:
            place = self.depth_place
        else:  # on a phone among the other choices, else beside the budget
            phone = self.dock.now.look.phone
            place = self.dock.slot() if phone else self.dock.second_place
        follows = method_of(self.choice.methods[0]).follows_points
        return controls.depth_slider(place, deepest, follows=follows)


def ask(now: Visit, box: Box) -> Asked:
    """The dock: with sliders while the truth is shown, else that of a release."""
    return _teaching(now, box) if now.truth else _release(now, box)


def _teaching(now: Visit, box: Box) -> Asked:
    # a view without levels leaves the second slider's place to the buttons
    with dock(now, sliders=2 if now.view == "map" else 1) as found:
        found.budget()
        found.new_draw()
        found.truth()
        with found.explore(_label()):
            _view_picker(now)
            data, rectangle_place, look, numbers = st.tabs(
                ["Data, method", "Rectangle", "Look", "Numbers"]
            )
            methods = _data_and_methods(now, data)
            rectangle, reading = _reading(now, box, rectangle_place, look)
        with found.expert():
            choice = _experts(now, box, methods)
    return Asked(found, choice, reading, rectangle, None, numbers, look.container())


def _release(now: Visit, box: Box) -> Asked:
    with release_dock(now) as found:
        with found.popover("Reading", "reading", ":material/map_search:"):
            _view_picker(now)
            rectangle_place, look, numbers = st.tabs(["Rectangle", "Look", "Numbers"])
            rectangle, reading = _reading(now, box, rectangle_place, look)
            depth_place = look.container()
        with found.popover("Make another release", "again", ":material/add:"):
            spend, data, expert = st.tabs(["Budget", "Data, method", "Expert"])
            with spend:
                publish(now)
            methods = _data_and_methods(now, data)
            with expert:
                choice = _experts(now, box, methods)
    return Asked(found, choice, reading, rectangle, depth_place, numbers, look.container())


def _view_picker(now: Visit) -> None:
    if folded.is_closed():
        return
    st.selectbox(
        "Show",
        list(SHOWN),
        format_func=SHOWN.__getitem__,
        **state.widget("map_view", now.view, lambda view: visits.show_view("map", view)),
    )


def _data_and_methods(now: Visit, place: DeltaGenerator) -> tuple[str, ...]:
    with place:
        data_choice.choose(now)
        return controls.method_picker()


def _reading(
    now: Visit, box: Box, rectangle_place: DeltaGenerator, look: DeltaGenerator
) -> tuple[FloatArray | None, Reading]:
    with rectangle_place:
        rectangle = attempt(lambda: rectangle_tab(box))
    with look:
        return rectangle, look_tab(now, box)


def _experts(now: Visit, box: Box, methods: tuple[str, ...]) -> MapChoice:
    privacy, cells, cuts, bounds = st.tabs(["Privacy", "Cells", "Cuts", "Bounds"])
    with privacy:
        budget.expert(now)
    with bounds:
        controls.bounds_tab()
    with cells:
        return controls.cells_tab(methods, session.each(now.budget), box, cuts)


def _label() -> str:
    """What the popover holds, in short; at first from the link, for no widget is drawn yet."""
    first = expected("m_method", names(), controls.FIRST_METHOD)
    second = expected("m_second", names(), "")
    beside = f" + {second}" if second and second != first else ""
    return f"{words.data_name()}, {first.split(',')[0]}{beside.split(',', maxsplit=1)[0]}"
