"""The choice of a neighbour: which record goes, or which comes."""

from __future__ import annotations

import streamlit as st

from dpviz.core.data import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.privacy.neighbours import Change
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import NotYet

WHICH = ("least", "median", "greatest", "at a rank")
WAYS = {"remove": "removed", "add": "added"}
AT = ("lower bound", "upper bound", "a value")


def change_picker(column: Column) -> Change:
    """The record that goes, the value that comes, or both, as the relation has it.

    Ranks are chosen as shares, so that no widget and no link tells how many records there are.
    Raises: InvalidParameter where there is no record to take away.
    """
    if session.neighbours() is Neighbours.REPLACE_ONE:
        return Change(_rank(column, "Replace"), _value("by a value"))
    way = st.segmented_control(
        "Neighbour: one record",
        list(WAYS),
        default="remove",
        required=True,
        key="n_way",
        format_func=lambda way: WAYS[way],
        bind="query-params",
        persist_state="session",
        help="Add/remove: neighbours differ in one record. The sidebar changes the relation.",
    )
    if way == "add":
        return Change(added=_value("Added at"))
    return Change(removed=_rank(column, "Record"))


def _rank(column: Column, label: str) -> int:
    which = st.selectbox(
        label,
        WHICH,
        key="n_which",
        bind="query-params",
        persist_state="session",
        help="Which record: ranks run from the least to the greatest value.",
    )
    share = {"least": 0.0, "median": 50.0, "greatest": 100.0}.get(which)
    if share is None:
        memory.start_with("n_share", 25)
        share = st.slider(
            "Rank, in per cent of the records",
            0,
            100,
            key="n_share",
            bind="query-params",
            persist_state="session",
            help="0 is the least record, 100 the greatest; a share does not tell how many there are.",
        )
    if column.n == 0:
        raise InvalidParameter("The column has no record to take away. Add one instead.")
    return round(share / 100 * (column.n - 1))


def _value(label: str) -> float:
    bounds = session.declared_bounds()
    at = st.selectbox(
        label,
        AT,
        index=1,
        key="n_where",
        bind="query-params",
        persist_state="session",
        help="The value of the record that comes. A worst case often lies on a bound.",
    )
    if at == "a value":
        value = st.number_input(
            "Value",
            value=bounds.low + bounds.width / 2,
            key=f"n_{session.scope()}_value",
            format="%.10g",
            persist_state="session",
            help="Clipped to the bounds like every record. It stands in no link.",
        )
        if value is None:
            raise NotYet("Choose the value of the record that comes.")
        return float(value)
    return bounds.low if at == "lower bound" else bounds.high
