"""The releases behind the Quantiles page: computed once a draw, kept while other widgets move."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.descent import Run
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import Draw

BATCH = 5  # runs between two looks at whether the visitor wants something else
SLOW = 0.5  # seconds from which progress is shown


def purpose_of(
    mechanism: object, column: Column, quantiles: QuantileSet, budget: Budget
) -> tuple[object, ...]:
    """What one release is, in full."""
    return (mechanism, column.fingerprint, tuple(quantiles.asked.tolist()), budget)


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """A release and the seconds it took."""

    release: QuantileRelease
    seconds: float


def release_of(
    mechanism: QuantileMechanism, column: Column, quantiles: QuantileSet, budget: Budget, draw: Draw
) -> Timed:
    """The release of this draw, computed once.

    Raises: DpvizError as the mechanism does.
    """

    def compute() -> Timed:
        mechanism.check(budget, quantiles)
        start = time.perf_counter()
        rng = draw.rng(purpose_of(mechanism, column, quantiles, budget))
        release = mechanism.release(column, quantiles, budget, rng)
        return Timed(release, time.perf_counter() - start)

    return memory.remembered(_key("release", mechanism, column, quantiles, budget, draw), compute)


def trace_of(
    mechanism: ApproximateQuantiles,
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
) -> Run:
    """The sub-problems behind the same release: confidential."""
    rng = draw.rng(purpose_of(mechanism, column, quantiles, budget))
    return memory.remembered(
        _key("trace", mechanism, column, quantiles, budget, draw),
        lambda: mechanism.trace(column, quantiles, budget, rng),
    )


def band_of(
    mechanism: QuantileMechanism,
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
    runs: int,
    single: float,
) -> FloatArray:
    """Values of several independent runs, (runs, k): confidential, for each run spends the budget.

    Slow mechanisms report progress between batches; any widget stops them, and what is done stays
    and is taken up again.
    """
    key = _key("band", mechanism, column, quantiles, budget, draw)
    done: list[FloatArray] = memory.remembered(key, list)
    progress = None
    while len(done) * BATCH < runs:
        left = single * (runs - len(done) * BATCH)
        if progress is None and left > SLOW:
            progress = st.progress(0.0)
        if progress is not None:  # this call is also where another click stops the work
            label = f"{mechanism.name}: {runs} runs, about {left:.0f} s to go"
            progress.progress(len(done) * BATCH / runs, label)
        # a stream for each batch, so that stopping changes nothing
        rng = draw.rng(purpose_of(mechanism, column, quantiles, budget), 1, len(done))
        done.append(mechanism.release_many(column, quantiles, budget, rng, BATCH))
    if progress is not None:
        progress.empty()
    return np.concatenate(done)[:runs]


def _key(
    use: str,
    mechanism: QuantileMechanism,
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
) -> tuple[object, ...]:
    asked = quantiles.asked.tobytes()
    return (use, mechanism, column.fingerprint, asked, budget, draw)
