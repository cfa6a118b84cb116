"""The person that a page is about: what taking them away changes, and how they are spoken of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Change, Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.figures.privacy.one_count import Names
from dpviz.mechanisms.exponential.ties import Ties, is_randomised
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.understand import settings
from dpviz.ui.understand.questions import Asked, amount, bounds_or_unit
from dpviz.ui.visit import state

SHARES = {settings.LOWEST: 0, settings.MIDDLE: 50, settings.HIGHEST: 100}
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

    comes: the person is not in the data and joins; pronoun follows "without" in a sentence. at is
    the end of the bounds where a value comes.
    """

    change: Change
    who: str
    names: Names
    pronoun: str = ""
    comes: bool = False
    replaced: bool = False
    at: str | None = None

    @property
    def at_first(self) -> str:
        """The person at the beginning of a sentence."""
        return self.who[0].upper() + self.who[1:]


def person(query: Query, column: Column) -> Person:
    """Who was chosen.

    Ranks are chosen as shares, so that no widget and no link tells how many people there are.
    Raises: InvalidParameter where there is nobody to take away.
    """
    at = where(query)
    if _replaces():
        rank, who, value = _rank(query, column), _who(query), _value(at)
        names = Names(f"{who} as recorded", "as recorded", f"with {amount(value)} instead")
        return Person(Change(rank, value), who, names, replaced=True, at=at)
    if _joins():
        who = f"one more {session.words().people.one}"
        names = Names(who, f"with {who}", "as it is")
        return Person(Change(added=_value(at)), who, names, comes=True, at=at)
    who = _who(query)
    without = f"without {who}" if who == IDA else "without"
    names = Names(who, f"with {who}", without)
    return Person(Change(_rank(query, column)), who, names, "her" if who == IDA else "")


def choices(query: Query) -> tuple[object, ...]:
    """The choices that say who it is; what is booked hangs on these.

    The record that they find would tell of the data: of few records two choices are one.
    """
    whom = () if _joins() else (which(query), _share(query))
    return (*whom, _value(where(query))) if _joins() or _replaces() else whom


def _replaces() -> bool:
    return session.neighbours() is Neighbours.REPLACE_ONE


def _joins() -> bool:
    return settings.get("n_way") == settings.JOINS and not _replaces()


def which(query: Query) -> str:
    """Who is chosen; no quantile has a line, so that there it is the one at the top."""
    chosen = str(settings.get("n_which"))
    is_count = isinstance(query, CountQuery)
    return settings.HIGHEST if chosen == settings.LINE and not is_count else chosen


def _rank(query: Query, column: Column) -> int:
    if column.n == 0:
        raise InvalidParameter("The column has nobody to take away. Let somebody join instead.")
    share = _share(query)
    if share is None:
        assert isinstance(query, CountQuery)
        if query.above > -np.inf:  # the first above the line
            return min(int(column.count_up_to(query.above)), column.n - 1)
        return max(int(column.count_up_to(query.threshold)) - 1, 0)
    return round(share / 100 * (column.n - 1))


def _share(query: Query) -> int | None:
    """The rank that was chosen, in per cent; None for whoever is at the line."""
    chosen = which(query)
    return int(settings.get("n_share")) if chosen == settings.AT_RANK else SHARES.get(chosen)


def _who(query: Query) -> str:
    chosen, one = which(query), session.words().people.one
    if chosen == settings.LINE:
        return IDA if session.scope() == "salaries" else f"the {one} at the line"
    if chosen == settings.AT_RANK:
        return f"the {one} at {settings.get('n_share')} %"
    if chosen == settings.MIDDLE:
        return f"the middle {one}"
    lowest, highest = ENDS.get(session.scope(), (f"the lowest {one}", f"the highest {one}"))
    return lowest if chosen == settings.LOWEST else highest


def value_key() -> str:
    """Where the value of the one who comes is kept; it stands in no link."""
    return f"n_{session.scope()}_value"


def where(query: Query) -> str:
    """At which value a person comes: chosen, else on the other side than who was chosen.

    It never looks at the record, so that what it is at first, and what a change of it books, tell
    nothing of the data.
    """
    chosen = settings.get("n_where")
    if chosen is not None:
        return str(chosen)
    over = isinstance(query, CountQuery) and query.above > -np.inf
    share = _share(query)
    if not _replaces():  # joins, and is counted
        return settings.UPPER if over or not isinstance(query, CountQuery) else settings.LOWER
    if share is None:  # is counted, and leaves the count
        return settings.LOWER if over else settings.UPPER
    middle = 100 * query.quantile if isinstance(query, QuantileQuery) else 50
    return settings.LOWER if share > middle else settings.UPPER


def _value(at: str) -> float:
    bounds = bounds_or_unit()
    if at == settings.ANY:
        return own_value()
    return bounds.low if at == settings.LOWER else bounds.high


def own_value() -> float:
    """The value that was typed for the one who comes; the middle of the bounds at first."""
    bounds = bounds_or_unit()
    typed = state.store().get(value_key())
    return bounds.low + bounds.width / 2 if typed is None else float(typed)


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
