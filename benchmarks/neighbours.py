"""What the Neighbours page works out when a control moves, on a million records."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.targets import Row
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.hard_pairs import hard_pair
from dpviz.experiments.privacy.loss_view import loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Change
from dpviz.experiments.privacy.privacy_audit import audit
from dpviz.experiments.privacy.quantile_query import QuantileQuery

RUNS = 50_000
REPEATS = 5
COLUMNS = "neighbours: both columns, n = 10^6"
LAWS = "neighbours: both laws and their picture, n = 10^6"
AUDIT = f"neighbours: audit of {RUNS:,} runs"
MEASURES = (COLUMNS, LAWS, AUDIT)


def best_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        taken.append(1e3 * (time.perf_counter() - start))
    return min(taken)


def speeds() -> list[Row]:
    rng = np.random.default_rng(20261122)
    column = Column.from_values(np.round(rng.normal(50, 9, 10**6)), Bounds(0, 100), 1.0)
    query, budget = QuantileQuery(0.5, Neighbours.ADD_REMOVE), PureDP(1.0)
    change = Change(removed=column.n // 2)
    pair = query.pair(column, change, rng)

    def laws() -> object:
        loss = query.loss(pair, budget)
        return loss_curves(loss, outputs_span(loss))

    def audited() -> object:
        hard = hard_pair(query, column.bounds, Neighbours.ADD_REMOVE, budget.epsilon)
        drawn = (query.release_many(one, budget, rng, RUNS) for one in (hard.one, hard.other))
        return audit(*drawn)

    rows = [
        Row(COLUMNS, best_ms(lambda: query.pair(column, change, rng)), "ms"),
        Row(LAWS, best_ms(laws), "ms"),
        Row(AUDIT, best_ms(audited), "ms"),
    ]
    for row in rows:
        print(f"{row.name:<52}{row.value:8.1f} ms", flush=True)
    return rows


def run() -> list[Row]:
    return speeds()


if __name__ == "__main__":
    run()
