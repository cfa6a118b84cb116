"""Map: private decompositions of the plane beside the truth, asked about a rectangle."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.beforehand import spatial
from dpviz.ui.bench import data_choice
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt, problem
from dpviz.ui.spatial.asked import ask
from dpviz.ui.spatial.controls import bounds_tab
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.rectangle import take_link
from dpviz.ui.spatial.views import VIEWS
from dpviz.ui.visit import data
from dpviz.ui.visit import page as visits

frame.guard()
now = visits.open_page("map", "plane", epsilon=0.5, rho=0.1, views=tuple(VIEWS))
take_link()
head = st.container()
if data.latest() == data.UPLOAD and st.session_state[data.KEY] != data.UPLOAD:
    title = session.data_title(str(st.session_state[data.KEY]))
    st.caption(
        ":material/info: A map needs two columns of numbers; of your file only one is chosen. "
        f"This is the sample {title}. Choose a second column on the Data page."
    )
points = attempt(session.points)
if points is None:
    with dock(now, sliders=0) as found:
        found.truth()
        with found.data(data_choice.title()):
            data_choice.choose(now)
            bounds_tab()
    with head:
        headline("Map", "No map yet.", "It needs two columns of numbers, and the bounds of both.")
    st.stop()

box = points.box
asked = attempt(lambda: ask(now, box))
if asked is None:
    with head:
        headline("Map", "No map yet.", "The budget cannot be shared among so many rows a person.")
    st.stop()
try:
    view = VIEWS[now.view]
    draws = view.draws(points, truth=now.truth)
    page = MapPage.of(asked.choice, points, draw_of_visit(), draws=draws)
    view.show(page, asked, now)
except NotAsked as waits:
    spatial.before(now, waits, asked.choice, points)
except DpvizError as error:
    problem(error)
