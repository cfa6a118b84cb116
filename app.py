"""The app's frame: navigation and the choices that follow a visitor; run with `make run`."""

import streamlit as st

from dpviz.ui.kit import frame

st.set_page_config(page_title="dpviz", layout="wide")
page = frame.navigation()
frame.shared_controls()
page.run()
