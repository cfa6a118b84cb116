"""The server that `make run` and `python -m dpviz` start: the app with its upkeep.

Streamlit finds `app` here by its name and serves it. The app's script stays app.py, so
`streamlit run app.py` works too, without what is in this room.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from dpviz.core.places import top_level
from dpviz.ui.lectures.stream import routes
from dpviz.ui.server.compression import Compression
from dpviz.ui.server.content_policy import ContentPolicy, Hosts
from dpviz.ui.server.gate import FileGate
from dpviz.ui.server.upkeep import lifespan

app = st.App(
    Path(str(top_level("app.py"))),
    lifespan=lifespan,
    routes=routes(),
    middleware=[Middleware(one) for one in (ContentPolicy, Hosts, Compression, FileGate)],
)
