"""Map: private decompositions of the plane, side by side, asked about a rectangle."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import draw_picker
from dpviz.ui.kit.messages import attempt, empty_state, problem
from dpviz.ui.kit.pickers import budget_picker
from dpviz.ui.kit.views import view_picker
from dpviz.ui.spatial.controls import map_picker
from dpviz.ui.spatial.empty import nothing_in_the_plane
from dpviz.ui.spatial.page import PREFIX, MapPage
from dpviz.ui.spatial.views import VIEWS
from dpviz.ui.visit import page as visits

frame.guard()
visits.open_page("map", "plane", epsilon=0.5, rho=0.1)
frame.title(
    "Map",
    "The plane cut into cells with noisy counts, and what they say of a rectangle.",
    has_data=session.in_plane(),
)
if not session.in_plane():
    nothing_in_the_plane()
    st.stop()
controls, picture = st.columns([4, 10], gap="medium")

with picture:
    points = attempt(session.points)
    if points is None:
        st.stop()

with controls:
    budget = attempt(lambda: budget_picker(PREFIX, epsilon=0.5, rho=0.1))
    draw = draw_picker(PREFIX)
    choice = attempt(lambda: map_picker(budget, points.box)) if budget is not None else None

with picture:
    if choice is None:
        empty_state("Mend the marked choice to see the map.")
        st.stop()
    page = MapPage.of(choice, points, draw)
    page.barrier()
    view = view_picker(VIEWS, "m_view")
    page.warn_of_references()
    try:
        view.show(page)
    except DpvizError as error:
        problem(error)
