"""What is public of the visitor's file, and which of its columns is declared."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.said import plain
from dpviz.intake.table import ColumnInfo, Table
from dpviz.ui import visitor
from dpviz.ui.bench.cards import quiet
from dpviz.ui.data.uploading import FORGETS, column_words, read_again
from dpviz.ui.kit import session

KIND_WORDS = {
    "numeric": "numbers",
    "boolean": "yes or no",
    "text": "words: for named places",
    "date": "dates: cannot be used",
    "empty": "empty: cannot be used",
}
FIRST_ROW = "The first row holds names"
FIRST_ROW_HELP = (
    "The file is read anew, and what is drawn from it is drawn anew. As names the cells of its first "
    "row are on screen and in what you publish, with the truth off, too. Cells that look like values "
    "never are: numbers, dates, and what has the form of the cells below."
)
FEW = 5  # columns that are shown as a list
UNREADABLE = (
    "While the truth is off, such values count as missing without a word, whether there are any or "
    "not; the choice is for when it is on."
)


def file_card(own: session.Upload) -> None:
    """Name, how it was read, its columns; with the truth on what the reader noted of its rows."""
    table = own.table
    st.markdown(f":material/draft: **{plain(table.name)}**")
    rows = forgets = ""
    if isinstance(table, Table):
        rows = f" {counted(table.rows, 'row')}." if session.shows_truth() else ""
        forgets = f" {FORGETS}"
    how = f"{table.how} {column_words(len(table.columns))}.{rows}{forgets}"
    quiet(how)
    _first_row(own)
    if session.shows_truth():
        for one in table.notes:
            quiet(one)
    if session.has_names_alone():
        with st.popover(f"{column_words(len(table.columns))}, none of numbers", type="tertiary"):
            _column(own)
        return
    _column(own)
    _second(own)
    if isinstance(table, Table):
        _unreadable(table.rows, table.info(own.column or table.columns[0].name))


def _first_row(own: session.Upload) -> None:
    """What became of the first row, in fixed words, and the other way; a file may declare its names."""
    table = own.table
    if not isinstance(table, Table) or table.header is None:
        return
    quiet(table.first_row)
    header, key = table.header, f"first_row_{own.number}"
    visitor.put(key, header)
    st.toggle(
        FIRST_ROW, key=key, help=FIRST_ROW_HELP, on_change=lambda: read_again(table, not header)
    )


def _column(own: session.Upload) -> None:
    kinds = {info.name: KIND_WORDS[info.kind] for info in own.table.columns}
    names = list(kinds)
    if visitor.get("upload_column") not in names:
        visitor.put("upload_column", own.column)
    if len(names) == 1:
        quiet(f"Column {names[0]}: {kinds[names[0]]}.")
        return
    others: dict[str, Any] = {
        "key": "upload_column",
        "on_change": _choose,
        "persist_state": "session",
        "index": None,  # of names alone none is chosen
    }
    if len(names) <= FEW:
        captions = [kinds[name] for name in names]
        st.radio("Column", names, format_func=plain, captions=captions, **others)
    else:
        st.selectbox("Column", names, format_func=lambda name: f"{name} ({kinds[name]})", **others)


def _second(own: session.Upload) -> None:
    others = [i.name for i in own.table.numeric_columns if i.name != own.column]
    if not others:
        return
    st.selectbox(
        "Second column, for the map",
        others,
        key="upload_y",
        index=None,
        placeholder="none",
        persist_state="session",
    )


def _unreadable(rows: int, info: ColumnInfo) -> None:
    """Offered where it matters; with the truth off always, for its absence would speak."""
    what = "values that are not numbers"
    if session.shows_truth():
        some = 0 < info.not_numeric < rows - info.missing
        if not some or info.kind not in {"numeric", "text"}:
            return
        what = f"{info.not_numeric:,} {what}"
        if info.not_numeric == 1:
            what = "1 value that is no number"
    st.checkbox(
        f"Drop {what}",
        key="drop_unreadable",
        on_change=_choose,
        persist_state="session",
        help=None if session.shows_truth() else UNREADABLE,
    )


def _choose() -> None:
    own = session.upload()
    assert own is not None
    chosen = visitor.get("upload_column", own.column)
    drop = bool(visitor.get("drop_unreadable", False))
    if visitor.get("upload_y") == chosen:
        visitor.put("upload_y", None)
    session.keep_upload(replace(own, column=chosen, drop_unreadable=drop))
