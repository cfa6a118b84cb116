"""Start: learn about everyone, reveal no one."""

import streamlit as st

from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import frame
from dpviz.ui.visit import page as visits

frame.guard()
visits.open_page("start", epsilon=1.0)
headline("Start", "Learn about everyone. Reveal no one.")
st.page_link(frame.page_file("quantiles"), label="Quantiles")
