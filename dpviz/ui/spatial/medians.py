"""Figure 4 of the paper on demand: rank error and time of every private median by depth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.answers.spatial import medians, medians_said
from dpviz.experiments.papers.medians import medians_by_depth, uniform_column
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.told import rows_of
from dpviz.figures.studies.medians import medians_figure
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.kit import frame, memory
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit.page import Visit

PARTS = {
    "error": "How far each private median misses the middle, by depth",
    "time": "How long all medians of a level take, by depth",
}


def medians_view(_: MapPage, now: Visit, __: Values) -> tuple[str, str]:
    """The stored study, until a new one is asked for."""
    is_stored = not st.session_state.get("_m_medians")
    study = medians.answer(stored=is_stored)
    headline("Map", medians_said.HEADLINE, medians_said.second(study))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run",
            key="m_run_medians",
            icon=":material/play_arrow:",
            type=frame.emphasis(),
            on_click=_ask_for_medians,
        )
        st.caption(medians_said.time_text(study))
    if is_stored:
        _medians(rows_of("psd4", record()), now)
    else:
        with st.spinner(medians_said.waiting(study)):
            found = memory.remembered(("medians",), _study)
        _medians(found, now)
    return "", medians_said.HEADLINE


def _study() -> pd.DataFrame:
    column = uniform_column(np.random.default_rng(4), medians.RECORDS)
    return medians_by_depth(column, np.random.default_rng(5), runs=medians.RUNS)


def _medians(found: pd.DataFrame, now: Visit) -> None:
    """Both parts side by side."""
    for slot, part in zip(st.columns(2), PARTS, strict=True):
        with slot:
            picture = medians_figure(found, now.look, part)
            hero(picture, f"medians_{part}", PARTS[part], slides="medians")


def _ask_for_medians() -> None:
    st.session_state["_m_medians"] = True
