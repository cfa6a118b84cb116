"""The six data sets of the AQ study on a page: real ones by upload, stand-ins otherwise."""

from collections.abc import Collection
from typing import Any

import numpy as np
import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.said import plain
from dpviz.core.arrays import FloatArray
from dpviz.core.errors import DpvizError
from dpviz.experiments.papers.sets import REAL, DataSet, Origin, real_values, study_sets
from dpviz.experiments.papers.stored.record import record
from dpviz.intake.read import read_table
from dpviz.ui import visitor
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.process.limits import FILES
from dpviz.ui.kit.process.raw_files import keep_in_memory
from dpviz.ui.papers.rows import Given, Missing
from dpviz.ui.visit import screen

HELP = (
    "One column each, named "
    + ", ".join(real.file for real in REAL.values())
    + ". Without them made-up columns of the same size and rough shape stand in."
)


def files_panel() -> None:
    """Real data sets by upload; what is not given stands in, and says so."""
    keep_in_memory()
    given = st.file_uploader(
        "Files of the real sets",
        type=["csv"],
        accept_multiple_files=True,
        key=screen.uploader_key(f"w_files_{visitor.get('_study_round', 0)}"),
        help=HELP,
    )
    keys = {real.file: key for key, real in REAL.items()}
    kept = visitor.first("_study", dict)
    if given and not session.shows_truth():  # a refusal would tell what is in a file
        st.caption("With the truth off files are not read: show it to use them.")
    for one in given if given and session.shows_truth() else ():
        if one.name not in keys:
            problem(f"{one.name} is none of {', '.join(keys)}.")
            continue
        _given().add(keys[one.name])
        try:
            _keep(kept, keys[one.name], one)
        except DpvizError as error:
            problem(error)
    hidden = bool(_given()) and not session.shows_truth()
    st.markdown(
        "  \n".join(
            f"{plain(data.title)}: {'your file' if hidden and key in _given() else data.origin}"
            + ("" if hidden else f", {counted(data.values.size, 'value')}")
            for key, data in sets().items()
        )
    )
    if _given():
        st.button("Forget these files", on_click=session.forget_results, icon=":material/delete:")


def _given() -> set[str]:
    """The sets that a file was given for, whatever became of it: refusals look at its values."""
    given: set[str] = visitor.first("_study_given", set)
    return given


def files_label() -> str:
    """What a run is about, for the dock."""
    return "Your files" if _given() else sets_label({str(one.origin) for one in sets().values()})


def shown_label() -> str:
    """What a picture that is read off the sets shows: those of a visitor, else the stored ones."""
    return "Your files" if _given() else sets_label(set(record().origins.values()))


def sets_label(origins: Collection[str]) -> str:
    """What six sets of these origins are called."""
    return "Stand-ins" if str(Origin.STAND_IN) in origins else "The real sets"


def _keep(kept: dict[str, FloatArray], key: str, file: Any) -> None:
    """Keep a column that the study can use.

    Raises: DpvizError for a file that is no table, or values that leave the study's bounds.
    """
    table = session.read_upload(file, read_table)
    values = table.numeric_values(table.columns[0].name).values
    study_sets(np.random.default_rng(STUDY_SEED), {key: values})  # refuses what does not fit
    FILES.keep(values, values.nbytes)
    kept[key] = values
    session.renew_study_secret()  # the same bytes again are a new draw, too


def sets() -> dict[str, DataSet]:
    """The six sets with what this visitor gave."""
    kept = visitor.get("_study", {})
    key = tuple((name, values.size, hash(values.tobytes())) for name, values in kept.items())

    return memory.remembered(
        ("study", key),
        lambda: study_sets(np.random.default_rng(STUDY_SEED), {**real_values(), **kept}),
    )


def six_sets() -> Given | Missing:
    """The six sets: made up, real where they lie beside the app, or what the visitor gave."""
    own = bool(visitor.get("_study"))
    if _given() and not session.shows_truth():
        return Missing("Results about files that you gave compare with their values: hidden.")
    try:
        known = sets()
    except DpvizError as error:
        return Missing(str(error))
    prints = ((key, one.origin, hash(one.values.tobytes())) for key, one in known.items())
    files = tuple(visitor.get("_study", ()))
    return Given(lambda: known, key=tuple(prints), files=files, is_confidential=own, is_own=own)
