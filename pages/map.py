"""Map: private decompositions of the plane, side by side, asked about a rectangle."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import draw_picker
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.spatial import views as map_views
from dpviz.ui.spatial.controls import map_picker

frame.guard()
frame.title(
    "Map",
    "The plane cut into cells with noisy counts, and what they say of a rectangle.",
    has_data=session.in_plane(),
)
if not session.in_plane():
    map_views.nothing_in_the_plane()
    st.stop()
controls, picture = st.columns([4, 10], gap="medium")

with picture:
    points = attempt(session.points)
    if points is None:
        st.stop()

with controls:
    budget = attempt(lambda: budget_picker("m_", epsilon=0.5, rho=0.1))
    draw = draw_picker("m_")
    choice = attempt(lambda: map_picker(budget, points.box)) if budget is not None else None

with picture:
    if choice is None:
        empty_state("Mend the marked choice to see the map.")
        st.stop()
    shown = map_views.drawn_methods(choice, points, draw)
    map_views.barrier_above(shown, choice, points)
    view = map_views.view_picker()
    map_views.warn_of_references(shown)
    try:
        map_views.show(view, shown, choice, points, draw)
    except DpvizError as error:
        problem(error)
