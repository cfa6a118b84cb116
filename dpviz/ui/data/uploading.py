"""A file of the visitor's own: read it, choose a column, forget it again."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.intake.table import ColumnInfo
from dpviz.ui.kit import choices, session
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.messages import plain, problem
from dpviz.ui.kit.number_text import amount, counted
from dpviz.ui.visit import data

FILE = "file"
UNREADABLE = (
    "While the truth is off, such values count as missing without a word, whether there are any or "
    "not; the choice is for when it is on."
)
NOT_COVERED = (
    "Reading a file is not covered by any ε: whoever looks at the screen sees the file's name and "
    "size, the names of its columns, their kinds (numbers, text, dates, empty), and whether it "
    "could be read at all; a run in the background that ends sooner or later also speaks of its "
    "size. With the truth off nothing else of it is shown but releases."
)


def upload_panel() -> None:
    """The uploader, what was read, and the column to use."""
    st.file_uploader(
        "Your own file: CSV, TSV or Parquet, up to 500 MB",
        key=FILE,
        on_change=_read,
        help="The file stays in this session's memory and is gone when you close the page. Nothing "
        "of it is written to a link, a log or another visitor's session.",
    )
    found = st.session_state.get("_upload_problem")
    if found:
        problem(session.refusal(*found))
    own = session.upload()
    if found and own is not None:
        st.caption(f":material/draft: Still in use: {plain(own.table.name)}.")
    if own is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        size = f"{counted(own.table.rows, 'row')} × " if session.shows_truth() else ""
        columns = counted(len(own.table.columns), "column")
        st.markdown(f":material/draft: **{plain(own.table.name)}** · {size}{columns}")
        st.button("Forget this file", on_click=_forget, icon=":material/delete:")
    if session.shows_truth():
        for note in own.table.notes:
            st.caption(plain(note))
    else:
        st.caption(NOT_COVERED)
    if session.is_upload():
        _column_choice(own)
    else:
        st.button("Use your file", on_click=_use, icon=":material/arrow_forward:")


def _column_choice(own: session.Upload) -> None:
    kinds = {info.name: info.kind for info in own.table.columns}
    names = list(kinds)
    if st.session_state.get("upload_column") not in names:
        st.session_state["upload_column"] = own.column or names[0]
    titles = {name: f"{name} ({kind})" for name, kind in kinds.items()}
    choices.menu("Column", titles, "upload_column", on_change=_choose, bind=None)
    others = [name for name in names if name != own.column and kinds[name] == "numeric"]
    if others:
        choices.menu(
            "Second column, for the map",
            others,
            "upload_y",
            index=None,
            placeholder="none",
            bind=None,
        )
    if st.session_state.get("upload_y") in others:
        _second_bounds()
    _unreadable_choice(own, own.table.column(own.column or names[0]))


def _unreadable_choice(own: session.Upload, info: ColumnInfo) -> None:
    """Offered where it matters; with the truth off always, for its absence would speak."""
    count = ""
    if session.shows_truth():
        some = 0 < info.not_numeric < own.table.rows - info.missing
        if not some or info.kind not in {"numeric", "text"}:
            return
        count = f"{amount(info.not_numeric, 0)} "
    st.checkbox(
        f"Drop {count}values that are not numbers",
        key="drop_unreadable",
        on_change=_choose,
        persist_state="session",
    )
    if not session.shows_truth():
        st.caption(UNREADABLE)


def _second_bounds() -> None:
    ends = {"y_low": "Its lower bound", "y_high": "Its upper bound"}
    for slot, (key, label) in zip(st.columns(2), ends.items(), strict=True):
        choices.field(
            label,
            key,
            "As for the first column: from public knowledge, not from the data.",
            place=slot,
            bind=None,
            placeholder="declare",
        )


def _read() -> None:
    """Parse the file before the page runs, so that every widget already knows it."""
    uploaded = st.session_state[FILE]
    st.session_state["_upload_problem"] = None
    if uploaded is None:
        return  # closing the uploader keeps the data; "Forget this file" is explicit
    try:
        table = session.read_upload(uploaded)
    except DpvizError as error:
        st.session_state["_upload_problem"] = uploaded.name, str(error)
        return
    numeric = table.numeric_columns
    column = numeric[0].name if numeric else table.columns[0].name
    number = st.session_state.get("_uploads", 0) + 1
    st.session_state["_uploads"] = number
    for key in ("upload_column", "upload_y", "y_low", "y_high", "drop_unreadable"):
        st.session_state.pop(key, None)
    session.keep_upload(session.Upload(table, number, column))
    forget_other_uploads()
    _use()


def _use() -> None:
    data.choose(session.UPLOAD)


def _choose() -> None:
    own = session.upload()
    assert own is not None
    chosen = st.session_state.get("upload_column", own.column)
    drop = bool(st.session_state.get("drop_unreadable", False))
    session.keep_upload(replace(own, column=chosen, drop_unreadable=drop))


def _forget() -> None:
    session.forget_upload()
    forget_other_uploads()  # a run in the background holds the data, too
