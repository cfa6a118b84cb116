"""The app's frame: navigation and the choices that follow a visitor; run with `make run`."""

import streamlit as st

from dpviz.ui.kit import barrier, frame

st.set_page_config(page_title="dpviz", layout="wide")
page = frame.navigation()
barrier.clear_account()
frame.shared_controls()
page.run()
