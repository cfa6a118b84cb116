"""Who a person is: each row, or all rows of one name, of which some count."""

from dataclasses import replace

import streamlit as st

from dpviz.answers.number_text import amount, counted
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.person_rows import PARTS, PersonRows
from dpviz.intake.counted.counted_table import NOBODY, CountedTable, People
from dpviz.intake.table import Table
from dpviz.metrics.column import farthest
from dpviz.ui import visitor
from dpviz.ui.bench.cards import note, quiet
from dpviz.ui.kit import session
from dpviz.ui.visit.page import Visit

WHO, HOW, MOST = "upload_person", "upload_rows_how", "upload_rows_most"  # widgets
KEEP, SHARE = "keep", "share"
HOWS = {KEEP: "At most so many count", SHARE: "All count, as one person together"}
EACH_ROW = "Each row is one person"
HELP = (
    "A column that names each row's person: a number, a text, a date. Rows of one name are one "
    "person's; rows whose cell is empty or missing are left out. Names are taken as they are "
    "written: 0012 is not 12. Two people who share a name are protected as if they were one."
)
HOW_HELP = (
    "At most so many: drawn at random from each person's rows; every row spends its part of the "
    "budget. All as one: every row weighs 1 / its person's rows, and what is estimated is how values "
    "lie among people, not among rows."
)
ROW = (
    "One row counts as one person",
    "Every promise here is about one row. If a person has k rows, what is promised to that person "
    "is k times ε, or k² times ρ: name the column that says whose row it is.",
)
OF_COUNTS = (
    "One row counted as one person",
    "This file holds counts of rows, so every promise here is about one row. For people with "
    "several rows hand in the rows, or count them anew.",
)


def forget_people() -> None:
    """Another file is another matter."""
    visitor.forget(WHO, HOW, MOST)


def people_card(own: session.Upload, now: Visit, found: Column | object | None) -> None:
    """The choice, and loudly what follows of it for the promise."""
    table = own.table
    if isinstance(table, CountedTable) and not table.has_rows:
        note("rows", *OF_COUNTS)
        return
    _check_names(own)
    others = _names(own)
    if others:
        _who(own, others)
    own = session.upload() or own
    rows = own.people.rows
    if rows is None:
        note("rows", *ROW)
        return
    _how(rows)
    note("rows", *_said(now, own, rows))
    if now.truth and isinstance(table, Table) and isinstance(found, Column):
        quiet(_moved(own, table, found))


def _names(own: session.Upload) -> list[str]:
    taken = {own.column, visitor.get("upload_y")}
    return [one.name for one in own.table.columns if one.name not in taken]


def _check_names(own: session.Upload) -> None:
    """A column that is measured now names nobody any longer."""
    if own.people.column is not None and own.people.column not in _names(own):
        session.keep_upload(replace(own, people=NOBODY))
        forget_people()


def _who(own: session.Upload, names: list[str]) -> None:
    visitor.put(WHO, own.people.column or "")
    st.selectbox(
        "Who is a person?",
        ["", *names],
        format_func=lambda name: f"All rows of one {name}" if name else EACH_ROW,
        key=WHO,
        on_change=_choose,
        help=HELP,
    )


def _how(rows: PersonRows) -> None:
    visitor.put(HOW, SHARE if rows.shared else KEEP)
    st.radio(
        "How do a person's rows count?",
        list(HOWS),
        format_func=HOWS.__getitem__,
        key=HOW,
        on_change=_choose,
        help=HOW_HELP,
    )
    if not rows.shared:
        visitor.put(MOST, rows.most)
        st.number_input(
            "Rows a person, at most", 1, 1_000, step=1, key=MOST, on_change=_choose, width=200
        )


def _choose() -> None:
    own = session.upload()
    assert own is not None
    name = visitor.get(WHO)
    people = NOBODY
    if name:
        shared = visitor.get(HOW) == SHARE
        most = int(visitor.get(MOST) or 1)
        people = People(name, PersonRows.weighted() if shared else PersonRows.at_most(most))
    session.keep_upload(replace(own, people=people))


def _said(now: Visit, own: session.Upload, rows: PersonRows) -> tuple[str, str]:
    """The price, in one place: what of the visit's budget each row spends."""
    name = own.people.column or ""
    title = f"One person is all rows of one {name}"
    try:
        part = rows.row_budget(now.budget)
    except DpvizError as error:
        return title, str(error)
    if rows.shared:
        return title, (
            f"A person's rows share {PARTS} parts evenly, and counts are in parts. Of a person's "
            f"{now.budget} each part spends {part.symbol} = {part.size:.3g}: the price of one "
            "person, however many rows there are."
        )
    if rows.most == 1:
        return title, (
            "One row of each person counts, drawn at random from theirs: the price is that of one "
            "row a person. People with few rows weigh more than among all rows."
        )
    return title, (
        f"At most {rows.most:,} rows of each person count, drawn at random from theirs. Of a "
        f"person's {now.budget} each row spends {part.symbol} = {part.size:.3g}. People with few "
        "rows weigh more than among all rows."
    )


def counted_rows(most: int) -> str:
    """How many of them count."""
    return f"at most {counted(most, 'row')}"


def _moved(own: session.Upload, table: Table, found: Column) -> str:
    """What the choice does to the truth: confidential."""
    whole = session.own_column(
        replace(own, people=NOBODY), own.column or "", found.bounds, found.resolution
    )
    if not (whole.n and found.n):
        return ""
    far = 100 * farthest(whole, found)
    rows = own.people.rows
    kept = "all count, weighed" if rows is not None and rows.shared else f"{found.n:,} count"
    return (
        f"Of {counted(table.rows, 'row')} {kept}. Against the curve of all rows this one lies "
        f"up to {amount(far, 1)} percentage points off."
    )
