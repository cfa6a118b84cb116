"""A file of the visitor's own: read it, say so while it is read, forget it again.

A file starts with the truth off. While it is off nothing is shown that a value decides: a refusal
that counts rows is told only on request.

Tables that whoever runs the server declares stand in .streamlit/secrets.toml; visitors choose by
title.

[tables.visits]
title = "Visits of 2025"
url = "warehouse/visits/*.parquet"   # or "duckdb:///warehouse.db", or any address Ibis takes
table = "visits"                     # where the address has several
hive = true                          # folders called year=2025 are a column year; else they are not

In the address of files *, ? and ** stand for letters and folders, brackets are letters, and the
name of a file means that file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpviz.answers.number_text import amount
from dpviz.answers.said import plain
from dpviz.core.errors import DpvizError, UnreadableFile
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.engines import declared_table
from dpviz.intake.counted.files import taken
from dpviz.intake.table import Table
from dpviz.ui import visitor
from dpviz.ui.bench.cards import card, quiet
from dpviz.ui.data.people import forget_people
from dpviz.ui.kit import session
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.process import private
from dpviz.ui.kit.process.raw_files import keep_in_memory
from dpviz.ui.visit import data, declared, screen, state
from dpviz.ui.visit import page as visits

FILE = "file"
PAGE, CHOOSE, DECLARE = "data", "choose", "declare"
BELOW = 6  # elements that may follow the picture
LARGE = 20_000_000  # bytes from which reading takes so long that the page says so
_PENDING, _PROBLEM = "_upload_pending", "_upload_problem"
FORGETS = "Reloading the page forgets the file."
NOT_COVERED = (
    "Reading a file is not covered by any ε: whoever looks at the screen sees the file's name and "
    "size, the names of its columns, their kinds (numbers, text, dates, empty), and whether it "
    "could be read at all; a run in the background that ends sooner or later also speaks of its "
    "size. With the truth off nothing else of it is shown but releases. A file that is read again "
    "is a new draw, the same bytes or not: its numbers are others, and they are booked once more."
)
GONE = (
    ":material/restart_alt: The server began this visit anew. A file that was here, or on its way, is "
    "gone: hand it in again."
)
TABLES = (
    "A table stays where it is. Its columns are counted there, for the bounds and the steps that you "
    "declare; the counts are exact and confidential, and stay in this session's memory."
)
ABOUT = (
    "The file stays in this session's memory. It goes when you forget it, and a few minutes after "
    "you close or reload the page. "
    "Nothing of it is written to a link, a log or another visitor's session."
)
SECTION = "tables"


def uploader() -> None:
    """Where a file is handed over, and what can be done with the one that is there."""
    keep_in_memory()
    st.file_uploader(
        "CSV, TSV, Excel or Parquet, up to 500 MB",
        key=screen.uploader_key(FILE),
        on_change=_received,
        help=ABOUT,
    )
    _tables()
    own = session.upload()
    if own is None:
        if screen.was_lost():
            st.markdown(GONE)
        quiet(ABOUT)
        return
    st.markdown(f":material/draft: **{plain(own.table.name)}**")
    with st.container(horizontal=True):
        if not session.is_upload():
            st.button("Use your file", on_click=use, icon=":material/arrow_forward:")
        st.button("Forget this file", on_click=forget, icon=":material/delete:")
    quiet(NOT_COVERED)


def _tables() -> None:
    """The tables that whoever runs this server declared."""
    found = declared_tables()
    if not found:
        return
    st.markdown("**Tables of this server**")
    with st.container(horizontal=True):
        for key, one in found.items():
            st.button(
                plain(one.title),
                key=f"table_{key}",
                icon=":material/database:",
                on_click=use_table,
                args=(one,),
            )
    quiet(TABLES)


def use_table(one: "DeclaredTable") -> None:
    """Work on a declared table; a refusal is kept to be shown."""
    forget_problem()
    try:
        table = one.open()
        if not table.numeric_columns:
            raise UnreadableFile(f"The table '{one.title}' has no column with numbers.")
    except DpvizError as error:
        visitor.put(_PROBLEM, (one.title, str(error)))
        return
    _take(table)


def label() -> str:
    """What the popover of the uploader is called."""
    own = session.upload()
    if own is None:
        return "A file or a table" if declared_tables() else "Your own file"
    return "Your file" if isinstance(own.table, Table) else "Your table"


def _received() -> None:
    """Read at once what is small, so that every widget of this run already knows it."""
    uploaded = visitor.held(screen.uploader_key(FILE))
    if private.is_removed(uploaded):  # it was read, and its bytes were let go
        return
    forget_problem()
    if uploaded is None:
        return  # closing the uploader keeps the data; "Forget this file" is explicit
    if uploaded.size < LARGE:
        read(uploaded)
    else:
        visitor.put(_PENDING, uploaded)


def pending() -> Any:
    """A large file that was handed over and is not read yet."""
    return visitor.get(_PENDING)


def read_pending() -> None:
    """Read it now, with the page already saying so."""
    read(visitor.take(_PENDING))
    st.rerun()


def read(uploaded: Any) -> None:
    """Parse a file and work on it; a refusal is kept to be shown."""
    try:
        table = session.read_upload(uploaded, taken)
    except DpvizError as error:
        visitor.put(_PROBLEM, (uploaded.name, str(error)))
        return
    _take(table)


def read_again(table: Table, header: bool) -> None:
    """The same file with its first row as names or as a record: a new file, with a new secret."""
    forget_problem()
    try:
        again = session.read_upload(table, lambda one, _: one.again(header))
    except DpvizError as error:
        visitor.put(_PROBLEM, (table.name, str(error)))
        return
    _take(again)


def _take(table: Table | CountedTable) -> None:
    """Make it what this visit works on, with the truth off."""
    numeric = table.numeric_columns
    column = numeric[0].name if numeric else None
    number = visitor.get("_uploads", 0) + 1
    visitor.put("_uploads", number)
    visitor.forget("upload_column", "upload_y", "drop_unreadable", "_kind_y", "_scale_y")
    for key in ("y_low", "y_high"):
        state.store().pop(key, None)
    forget_people()
    session.keep_upload(session.Upload(table, number, column))
    if isinstance(table, CountedTable) and table.declared is not None:
        bounds, step = table.declared
        for field, value in (("low", bounds.low), ("high", bounds.high), ("resolution", step)):
            state.put(declared.key(f"own{number}_0", field), value)
    forget_other_uploads()
    state.put("truth_own", False)
    use()


def use() -> None:
    """Work on the file, and go to where it is declared."""
    data.choose(session.UPLOAD)
    visits.show_view(PAGE, DECLARE)


def forget() -> None:
    """Let the file go, with every run in the background that holds it, too."""
    session.forget_upload()
    forget_other_uploads()
    state.store().pop("truth_own", None)
    forget_problem()


def forget_problem() -> None:
    """A refusal is about one file: the next one is another matter."""
    visitor.forget(_PROBLEM, "_upload_reason")


def problem_card() -> None:
    """Why a file was not read, in the reader's own words, and what is in use instead."""
    found: tuple[str, str] | None = visitor.get(_PROBLEM)
    if found is None:
        return
    name, reason = found
    own = session.upload()
    told = is_harmless(name, reason) or bool(visitor.get("_upload_reason"))
    told = told or (session.is_upload() and session.shows_truth())
    with card("problem", f"{name} was not read", ":material/do_not_disturb_on:"):
        if told:
            st.markdown(plain(reason))
        else:
            st.markdown("It cannot be used as it is. Why may speak of its rows.")
            st.button("Show why (teaching only)", key="upload_why", on_click=_show_reason)
        if own is not None:
            quiet(f"Still in use: {own.table.name}.")


def _show_reason() -> None:
    visitor.put("_upload_reason", True)


def is_harmless(name: str, reason: str) -> bool:
    """Whether a refusal counts nothing: without its file's name it holds no digit."""
    return re.search(r"\d", reason.replace(name, "")) is None


def reading_card(uploaded: Any) -> None:
    """What stands in the picture's place while a large file is read."""
    with (
        st.container(key="hero_reading"),
        st.container(border=True, height="stretch", vertical_alignment="center"),
    ):
        st.markdown(
            f"#### :material/hourglass_top: Reading {amount(uploaded.size / 1e6, 0)} MB",
            text_alignment="center",
        )
        st.markdown(
            f"{plain(uploaded.name)} goes into memory, behind the barrier. {FORGETS}",
            text_alignment="center",
        )
    for _ in range(BELOW):
        st.empty()  # what the page showed before lies below until the run is over


def column_words(count: int) -> str:
    """How many columns a file has, small numbers in words."""
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    number = words[count] if count < len(words) else amount(count, 0)
    return f"{number} column{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """One table; only its title is for visitors."""

    title: str
    url: str = field(repr=False)
    table: str | None = field(repr=False, default=None)
    hive: bool = False

    def open(self) -> CountedTable:
        """The table with its columns.

        Raises: UnreadableFile if it cannot be opened, in words that hold neither address nor path.
        """
        if not self.url:
            raise UnreadableFile(f"The table '{self.title}' was declared without an address (url).")
        return declared_table(self.title, self.url, self.table, hive=self.hive)


def declared_tables() -> dict[str, DeclaredTable]:
    """All of them by key, in the order of the file; none where nothing was declared."""
    if not st.secrets.load_if_toml_exists():
        return {}
    section = st.secrets.get(SECTION, {})
    return {
        key: _declared_table(key, one) for key, one in section.items() if isinstance(one, Mapping)
    }


def _declared_table(key: str, one: Mapping[str, object]) -> DeclaredTable:
    table = one.get("table")
    title = str(one.get("title") or key.replace("_", " ").capitalize())
    named = None if table is None else str(table)
    return DeclaredTable(title, str(one.get("url") or ""), named, hive=one.get("hive") is True)
