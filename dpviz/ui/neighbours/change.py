"""The choice of a neighbour: which record goes, or which comes."""

from __future__ import annotations

from dpviz.core.data import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.privacy.neighbours import Change
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.messages import NotYet

SHARES = {"least": 0, "median": 50, "greatest": 100}  # per cent of the records below
AT_RANK = "at a rank"
WAYS = {"remove": "removed", "add": "added"}
LOWER, UPPER, OWN = "lower bound", "upper bound", "a value"


def change_picker(column: Column) -> Change:
    """The record that goes, the value that comes, or both, as the relation has it.

    Ranks are chosen as shares, so that no widget and no link tells how many records there are.
    Raises: InvalidParameter where there is no record to take away.
    """
    if session.neighbours() is Neighbours.REPLACE_ONE:
        return Change(_rank(column, "Replace"), _value("by a value"))
    way = choices.segments(
        "Neighbour: one record",
        WAYS,
        "n_way",
        "Add/remove: neighbours differ in one record. The sidebar changes the relation.",
    )
    if way == "add":
        return Change(added=_value("Added at"))
    return Change(removed=_rank(column, "Record"))


def _rank(column: Column, label: str) -> int:
    which = choices.menu(
        label,
        [*SHARES, AT_RANK],
        "n_which",
        "Which record: ranks run from the least to the greatest value.",
    )
    if which == AT_RANK:
        memory.start_with("n_share", 25)
        share = choices.slide(
            "Rank, in per cent of the records",
            0,
            100,
            "n_share",
            "0 is the least record, 100 the greatest; a share does not tell how many there are.",
        )
    else:
        share = SHARES[which]
    if column.n == 0:
        raise InvalidParameter("The column has no record to take away. Add one instead.")
    return round(share / 100 * (column.n - 1))


def _value(label: str) -> float:
    bounds = session.declared_bounds()
    at = choices.menu(
        label,
        (LOWER, UPPER, OWN),
        "n_where",
        "The value of the record that comes. A worst case often lies on a bound.",
        index=1,
    )
    if at != OWN:
        return {LOWER: bounds.low, UPPER: bounds.high}[at]
    value = choices.field(
        "Value",
        f"n_{session.scope()}_value",
        "Clipped to the bounds like every record. It stands in no link.",
        default=bounds.low + bounds.width / 2,
        bind=None,
    )
    if value is None:
        raise NotYet("Choose the value of the record that comes.")
    return value
