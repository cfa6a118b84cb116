"""Audits of this session: drawn and counted once, of which only what is shown is kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.privacy_audit import Audit, audit
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, purpose_of
from dpviz.ui.kit.process import turns
from dpviz.ui.understand.questions import Asked

BINS = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """How an audit is done; pays: on columns of real people, whose source names them."""

    source: object
    runs: int
    confidence: float
    pays: bool


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """An audit and a histogram of the outputs that it counted; the outputs are not kept."""

    audit: Audit
    edges: FloatArray
    one: IntArray
    other: IntArray


def finding_of(asked: Asked, pair: Pair, spent: Budget, plan: Plan) -> Finding:
    """The audit of the mechanism that spends one budget while it claims another, done once."""
    query, draw, claim = asked.query, asked.draw, asked.claim()
    purpose = purpose_of(query, asked.column, spent, "audit", plan.source, plan.runs)
    paid = [Cost("audit", spent, plan.runs)] if plan.pays else FREE
    first = 1 if spent == asked.budget else 3  # the twin's noise is its own on samples too

    def compute() -> Finding:
        with turns.aside():
            return found()

    def found() -> Finding:
        one, other = (
            query.release_many(column, spent, draw.generator(purpose, stream), plan.runs)
            for stream, column in ((first, pair.one), (first + 1, pair.other))
        )
        done = audit(one, other, plan.confidence, claim.delta)
        edges = _bins(np.concatenate((one, other)))
        counts = (np.histogram(part, edges)[0].astype(np.int64) for part in (one, other))
        return Finding(done, edges, *counts)

    def pay() -> None:
        for stream in (first, first + 1):
            draw.book(purpose, stream, paid=paid)

    key = (purpose, claim, plan.confidence, draw)
    # the pair, too, is of the column in use alone, or of a made-up one
    return memory.public(asked.column, key, compute, pay)


def _bins(outputs: FloatArray) -> FloatArray:
    """Edges over all but the rarest outputs; whole outputs get bins around whole numbers."""
    low, high = (float(end) for end in np.quantile(outputs, [0.001, 0.999]))
    if (outputs == np.round(outputs)).all():
        low, high = np.floor(low), np.ceil(high)
        width = max(1.0, np.ceil((high - low) / BINS))
        return np.arange(low - 0.5, high + width, width)
    room = 1e-9 * max(abs(low), abs(high), 1e-300)  # all outputs may be one
    return np.linspace(low - room, high + room, BINS + 1)
