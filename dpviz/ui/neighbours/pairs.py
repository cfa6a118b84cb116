"""What the views of the Neighbours page share: the pair of columns, and what a law is drawn as."""

from __future__ import annotations

from typing import Any

from dpviz.core.data import Column
from dpviz.experiments.privacy.neighbours import Change, Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.mechanisms.exponential.ties import Ties, is_randomised
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import FREE, purpose_of
from dpviz.ui.neighbours.controls import Asked


def pair_of(asked: Asked, change: Change) -> Pair:
    """Both columns as the mechanism sees them; only the last pair is kept, for it may be large.

    Raises: InvalidParameter as the change does.
    """
    kept: dict[object, Any] = memory.remembered(("n_pair",), dict)
    column = asked.column
    purpose = purpose_of(asked.query, column, "pair", change)
    key = (purpose, asked.draw)
    if key not in kept:
        kept.clear()
        # spread ties, nothing released: the view shows exact laws, which no budget covers
        rng = asked.draw.rng(purpose, paid=FREE)
        kept[key] = asked.query.pair(column, change, rng)
    pair: Pair = kept[key]
    return pair


def spreads_ties(query: Query, column: Column) -> bool:
    """Whether the pair depends on a draw."""
    return isinstance(query, QuantileQuery) and is_randomised(column, Ties.SPREAD)


def mark_name(query: Query) -> str:
    """The palette's name for what answers the query; counts look as they do in trees."""
    return query.mark


def output_name(query: Query) -> str:
    """The axis of outputs, as untrusted text."""
    return session.unit() if isinstance(query, QuantileQuery) else "noisy count"
