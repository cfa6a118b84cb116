"""Figure 4 of the paper on demand: rank error and time of every private median by depth."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.answers.said import Line, Said
from dpviz.answers.spatial import medians, medians_said
from dpviz.answers.spatial.medians import MediansNumbers
from dpviz.experiments.papers.medians import medians_by_depth, uniform_column
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.told import rows_of
from dpviz.figures.studies.medians import medians_figure
from dpviz.ui.bench.hero import hero
from dpviz.ui.kit import frame, memory
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit import state

HERO = "medians_error"
ERROR = "How far each private median misses the middle, by depth"
TIME = "How long all medians of a level take, by depth"
_ASKED = "m_medians_asked"  # in the visit: whether a study of its own was asked for


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """The study on screen, of made-up points: how large it is, and its rows."""

    size: MediansNumbers
    rows: pd.DataFrame


def numbers(_: MapPage, __: Values) -> Study:
    """The stored study, until a new one is asked for."""
    is_stored = not state.store().get(_ASKED)
    size = medians.answer(stored=is_stored)
    if is_stored:
        return Study(size, rows_of("psd4", record()))
    with st.spinner(medians_said.waiting(size)):
        return Study(size, memory.remembered(("medians",), _study))


def _study() -> pd.DataFrame:
    column = uniform_column(np.random.default_rng(4), medians.RECORDS)
    return medians_by_depth(column, np.random.default_rng(5), runs=medians.RUNS)


def say(_: MapPage, found: Study) -> Said:
    """What the study is of."""
    second = Line(medians_said.second(found.size))
    return Said(Line(medians_said.HEADLINE), second, [], ERROR)


def times(shown: Shown[MapPage, Study]) -> None:
    """The same of times, at the right."""
    picture = medians_figure(shown.numbers.rows, shown.now.look, "time")
    hero(picture, "medians_time", TIME, slides="medians")


def run_again(shown: Shown[MapPage, Study]) -> None:
    """A button for a study of one's own, and what it takes."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run",
            key="m_run_medians",
            icon=":material/play_arrow:",
            type=frame.emphasis(),
            on_click=lambda: state.put(_ASKED, True),
        )
        st.caption(medians_said.time_text(shown.numbers.size))
