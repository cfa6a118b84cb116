"""Data: choose a sample or hand over a file, and declare what is public about it."""

import streamlit as st

from dpviz.core.data.column import Column
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.data import uploading
from dpviz.ui.data.choosing import choose_step
from dpviz.ui.data.controls import below_the_picture, controls
from dpviz.ui.data.declare import declare_step
from dpviz.ui.data.playground import playground
from dpviz.ui.kit import frame, session
from dpviz.ui.visit import page as visits

frame.guard()
now = visits.open_page("data", views=(uploading.CHOOSE, uploading.DECLARE))
with dock(now, sliders=0) as places:
    controls(places, now)
waiting = uploading.pending()
if waiting is not None:
    headline("Data", "Your file is being read.", "Nothing of it is shown until you say so.")
    uploading.reading_card(waiting)
    uploading.read_pending()
elif now.view == uploading.CHOOSE:
    choose_step(now)
    below_the_picture(now)
else:
    found = declare_step(now)
    if isinstance(found, Column) and found.n and not session.is_upload():
        st.space("large")
        playground(now, found)
