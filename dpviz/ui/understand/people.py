"""The person that a page is about: what taking them away changes, and how they are spoken of."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.number_text import in_digits
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Change, Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.figures.privacy.one_count import Names
from dpviz.mechanisms.exponential.ties import Ties, is_randomised
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.model.fields import Values
from dpviz.ui.understand import rows
from dpviz.ui.understand.declared import bounds_or_unit
from dpviz.ui.understand.questions import Asked

ENDS = {  # the least and the greatest, where people say it better than "the lowest"
    "salaries": ("the least paid person", "the best paid person"),
    "exam": ("the weakest student", "the best student"),
    "ages": ("the youngest resident", "the oldest resident"),
    "hours": ("the worker with the fewest hours", "the busiest worker"),
    "waiting": ("the shortest wait", "the longest wait"),
    "ratings": ("the strictest viewer", "the kindest viewer"),
}
IDA = "Ida"


@dataclass(frozen=True, slots=True)
class Person:
    """One person: the change that makes the neighbour, and names for both sides.

    comes: the person is not in the data and joins; pronoun follows "without" in a sentence.
    """

    change: Change
    who: str
    names: Names
    pronoun: str = ""
    comes: bool = False
    replaced: bool = False


def person(query: Query, column: Column, values: Values) -> Person:
    """Who was chosen.

    Ranks are chosen as shares, so that no widget and no link tells how many people there are.
    Raises: InvalidParameter where there is nobody to take away.
    """
    who = who_of(values)
    if rows.replaces(values):
        rank, value = _rank(query, column, values), _value(values)
        names = Names(f"{who} as recorded", "as recorded", f"with {in_digits(value)} instead")
        return Person(Change(rank, value), who, names, replaced=True)
    if rows.joins(values):
        names = Names(who, f"with {who}", "as it is")
        return Person(Change(added=_value(values)), who, names, comes=True)
    without = f"without {who}" if who == IDA else "without"
    names = Names(who, f"with {who}", without)
    return Person(Change(_rank(query, column, values)), who, names, "her" if who == IDA else "")


def choices(values: Values) -> tuple[object, ...]:
    """The choices that say who it is; what is booked hangs on these.

    The record that they find would tell of the data: of few records two choices are one.
    """
    joins, replaces = rows.joins(values), rows.replaces(values)
    whom = () if joins else (values["n_which"], rows.share(values))
    return (*whom, _value(values)) if joins or replaces else whom


def _rank(query: Query, column: Column, values: Values) -> int:
    if column.n == 0:
        raise InvalidParameter("The column has nobody to take away. Let somebody join instead.")
    share = rows.share(values)
    if share is None:
        assert isinstance(query, CountQuery)
        if query.above > -np.inf:  # the first above the line
            return min(int(column.count_up_to(query.above)), column.n - 1)
        return max(int(column.count_up_to(query.threshold)) - 1, 0)
    return round(share / 100 * (column.n - 1))


def who_of(values: Values) -> str:
    """What the person is called."""
    chosen, one = values["n_which"], session.words().people.one
    if rows.joins(values):
        return f"one more {one}"
    if chosen == rows.LINE:
        return IDA if session.scope() == "salaries" else f"the {one} at the line"
    if chosen == rows.AT_RANK:
        return f"the {one} at {values['n_share']} %"
    if chosen == rows.MIDDLE:
        return f"the middle {one}"
    lowest, highest = ENDS.get(session.scope(), (f"the lowest {one}", f"the highest {one}"))
    return lowest if chosen == rows.LOWEST else highest


def _value(values: Values) -> float:
    """The value at which a person comes."""
    if values["n_where"] == rows.ANY:
        return float(values["n_value"])
    bounds = bounds_or_unit()
    return bounds.low if values["n_where"] == rows.LOWER else bounds.high


def pair_of(asked: Asked, change: Change) -> Pair:
    """Both columns as the mechanism sees them; only the last pair is kept, for it may be large.

    Raises: InvalidParameter as the change does.
    """
    kept: dict[object, Any] = memory.remembered(("n_pair",), dict)
    purpose = purpose_of(asked.query, asked.column, "pair", change)
    key = (purpose, asked.draw)
    if key not in kept:
        kept.clear()
        # spread ties, nothing released: the view shows exact laws, which no budget covers
        rng = asked.draw.generator(purpose)
        kept[key] = asked.query.pair(asked.column, change, rng)
    pair: Pair = kept[key]
    return pair


def spreads_ties(query: Query, column: Column) -> bool:
    """Whether the pair depends on a draw."""
    return isinstance(query, QuantileQuery) and is_randomised(column, Ties.SPREAD)
