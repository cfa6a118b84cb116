"""The pair of columns that a page compares, kept while only other widgets move."""

from __future__ import annotations

from typing import Any

from dpviz.core.data import Column
from dpviz.experiments.privacy.neighbours import Change, Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.mechanisms.exponential.ties import Ties, is_randomised
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import FREE, purpose_of
from dpviz.ui.understand.questions import Asked


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
        rng = asked.draw.rng(purpose, paid=FREE)
        kept[key] = asked.query.pair(asked.column, change, rng)
    pair: Pair = kept[key]
    return pair


def spreads_ties(query: Query, column: Column) -> bool:
    """Whether the pair depends on a draw."""
    return isinstance(query, QuantileQuery) and is_randomised(column, Ties.SPREAD)
