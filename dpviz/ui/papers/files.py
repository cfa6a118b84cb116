"""The six data sets of the AQ study on a page: real ones by upload, stand-ins otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import DpvizError
from dpviz.experiments.papers.sets import REAL, DataSet, Origin, real_values, study_sets
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.messages import attempt, empty_state, plain, problem
from dpviz.ui.papers.rows import Given


def files_panel() -> None:
    """Real data sets by upload; what is not given stands in, and says so."""
    with st.popover("The six data sets", icon=":material/dataset:", width="stretch"):
        given = st.file_uploader(
            "Files of the real sets",
            type=["csv"],
            accept_multiple_files=True,
            key=f"w_files_{st.session_state.get('_study_round', 0)}",
            help="One column each, named "
            + ", ".join(real.file for real in REAL.values())
            + ". Without them made-up columns of the same size and rough shape stand in.",
        )
        keys = {real.file: key for key, real in REAL.items()}
        kept = st.session_state.setdefault("_study", {})
        if given and not session.shows_truth():  # a refusal would tell what is in a file
            st.caption("With the truth off files are not read: show it to use them.")
        for one in given if given and session.shows_truth() else ():
            if one.name not in keys:
                problem(f"{one.name} is none of {', '.join(keys)}.")
                continue
            try:
                _keep(kept, keys[one.name], one)
            except DpvizError as error:
                problem(error)
        hidden = bool(kept) and not session.shows_truth()
        for data in sets().values():
            size = "" if hidden else f", {data.values.size:,} values"
            st.markdown(f"{plain(data.title)}: {data.origin}{size}")
        if kept:
            st.button(
                "Forget these files", on_click=session.forget_results, icon=":material/delete:"
            )


def _keep(kept: dict[str, FloatArray], key: str, file: Any) -> None:
    """Keep a column that the study can use.

    Raises: DpvizError for a file that is no table, or values that leave the study's bounds.
    """
    table = session.read_upload(file)
    values = table.numeric_values(table.columns[0].name).values
    study_sets(np.random.default_rng(STUDY_SEED), {key: values})  # refuses what does not fit
    kept[key] = values


def sets() -> dict[str, DataSet]:
    """The six sets with what this visitor gave."""
    kept = st.session_state.get("_study", {})
    key = tuple((name, values.size, hash(values.tobytes())) for name, values in kept.items())

    return memory.remembered(
        ("study", key),
        lambda: study_sets(np.random.default_rng(STUDY_SEED), {**real_values(), **kept}),
    )


def six_sets() -> Given | None:
    """The six sets, with a note about those that are made up."""
    given = generated_sets()
    if given is None:
        return None
    stand_ins = [one.title for one in given.data.values() if one.origin is Origin.STAND_IN]
    note = (
        ":material/warning: Made-up columns stand in for "
        f"{', '.join(stand_ins)}: give the real files on the left for the paper's own."
    )
    return replace(given, note=note if stand_ins else "")


def generated_sets() -> Given | None:
    """The six sets, of which only generated ones are used."""
    if st.session_state.get("_study") and not session.shows_truth():
        empty_state("These figures use files that you gave; with the truth off they are hidden.")
        return None
    known = attempt(sets)
    if known is None:
        return None
    prints = ((key, one.origin, hash(one.values.tobytes())) for key, one in known.items())
    return Given(known, key=tuple(prints), files=tuple(st.session_state.get("_study", ())))
