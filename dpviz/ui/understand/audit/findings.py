"""Audits of this session: drawn and counted once, of which only what is shown is kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.privacy_audit import Audit, Event, audit
from dpviz.experiments.twins.naive import only_from
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import Tried
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, purpose_of
from dpviz.ui.kit.process import turns
from dpviz.ui.understand.questions import Asked, AskedTree

BINS = 60
ONLY_FROM_ONE = Event(0.0, below=False, flipped=False)  # of what only_from says of an output


@dataclass(frozen=True, slots=True)
class Plan:
    """How an audit is done; pays: on columns of real people, whose source names them."""

    source: object
    runs: int
    confidence: float
    pays: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What is run: a mechanism or its twin, and the budget that it really spends."""

    tried: Tried
    spent: Budget
    is_twin: bool = False


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """An audit and a histogram of the outputs that it counted; the outputs are not kept.

    Where it was asked which doubles can come out, telling is the histogram of the outputs on one
    that other cannot give, and tells how many there are; None elsewhere.
    """

    audit: Audit
    edges: FloatArray
    one: IntArray
    other: IntArray
    telling: IntArray | None = None
    tells: int | None = None


def finding_of(
    asked: Asked | AskedTree, trial: Trial, pair: Pair, plan: Plan, *, asks_doubles: bool
) -> Finding:
    """The audit of a mechanism that spends one budget while it claims another, done once.

    asks_doubles: the event is an output that the second column cannot give at all.
    """
    tried, spent, draw, claim = trial.tried, trial.spent, asked.draw, asked.claim()
    purpose = purpose_of(tried, asked.column, spent, "audit", plan.source, plan.runs)
    paid = [Cost("audit", spent, plan.runs, simulated=True)] if plan.pays else FREE
    first = 3 if trial.is_twin else 1  # the twin's noise is its own on samples too

    def compute() -> Finding:
        with turns.aside():
            return found()

    def found() -> Finding:
        one, other = (
            tried.release_many(column, spent, draw.generator(purpose, stream), plan.runs)
            for stream, column in ((first, pair.one), (first + 1, pair.other))
        )
        edges = _bins(np.concatenate((one, other)))
        counts = _histogram(one, edges), _histogram(other, edges)
        if not asks_doubles or isinstance(tried, TreeQuery):
            return Finding(audit(one, other, plan.confidence, claim.delta), edges, *counts)
        columns = pair.one, pair.other
        only, rest = (only_from(tried, columns, spent, part) for part in (one, other))
        done = audit(only, rest, plan.confidence, claim.delta, ONLY_FROM_ONE)
        telling = one[only > 0]
        return Finding(done, edges, *counts, _histogram(telling, edges), telling.size)

    def pay() -> None:
        for stream in (first, first + 1):
            draw.book(purpose, stream, paid=paid)

    key = (purpose, claim, plan.confidence, asks_doubles, draw)
    # the pair, too, is of the column in use alone, or of a made-up one
    return memory.public(asked.column, key, compute, pay)


def _histogram(outputs: FloatArray, edges: FloatArray) -> IntArray:
    return np.histogram(outputs, edges)[0].astype(np.int64)


def _bins(outputs: FloatArray) -> FloatArray:
    """Edges over all but the rarest outputs; whole outputs get bins around whole numbers."""
    low, high = (float(end) for end in np.quantile(outputs, [0.001, 0.999]))
    if (outputs == np.round(outputs)).all():
        low, high = np.floor(low), np.ceil(high)
        width = max(1.0, np.ceil((high - low) / BINS))
        return np.arange(low - 0.5, high + width, width)
    room = 1e-9 * max(abs(low), abs(high), 1e-300)  # all outputs may be one
    return np.linspace(low - room, high + room, BINS + 1)
