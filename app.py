"""The app's frame: navigation and what follows a visitor; run with `make run`."""

import streamlit as st

from dpviz.ui import visitor
from dpviz.ui.bench import ledger
from dpviz.ui.kit import draws, frame
from dpviz.ui.kit.process import turns

ICON = frame.image("icon.svg")
with visitor.run():
    page = frame.begin()
    st.set_page_config(page_title=f"{page.title} · dpviz", page_icon=ICON, layout="wide")
    with turns.turn():
        ledger.begin()
        try:
            page.run()
        finally:  # a page that stops early has its ledger, too
            ledger.end()
            draws.end_of_run()
