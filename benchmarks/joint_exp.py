"""JointExp: time and peak memory of one release, on the rows of the speed table."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

import numpy as np

from benchmarks.targets import TARGETS, Row, joint_exp, memory
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp

BOUNDS = Bounds(-100, 100)
ROWS = (  # n, m, values left tied
    (1_000, 120, False),
    (10_000, 120, False),
    (1_000_000, 120, False),
    (1_000_000, 120, True),
    (1_000_000, 9, True),
)
REPEATS = 5
LIMIT_MB = 300
MEASURES = tuple(what for row in ROWS for what in (joint_exp(*row), memory(joint_exp(*row))))


def run() -> list[Row]:
    """Time and memory of every row."""
    return list(measured())


def measured() -> Iterator[Row]:
    """Print the median of five timed releases, and the peak of allocations in one more."""
    print("JointExp, one release at ε = 1, uniform(−5, 5) in (−100, 100)")
    for n, m, tied in ROWS:
        name = joint_exp(n, m, tied)
        limit = TARGETS[name].limit / 1e3
        seconds, best, peak = measure(n, m, tied)
        kind = "integers, tied" if tied else "no ties"
        verdict = "ok" if seconds <= limit and peak <= LIMIT_MB else "TOO SLOW OR LARGE"
        print(
            f"  n = {n:>9,}  m = {m:>3}  {kind:<14} {seconds * 1e3:7.1f} ms (≤ {limit * 1e3:.0f})"
            f"  {peak:6.1f} MB (≤ {LIMIT_MB})  {verdict}"
        )
        yield Row(name, 1e3 * best, "ms")
        yield Row(memory(name), peak, "MB")


def measure(n: int, m: int, tied: bool) -> tuple[float, float, float]:
    """Median and least seconds, and peak megabytes beyond the column itself."""
    rng = np.random.default_rng(1)
    values = rng.integers(-5, 6, n) if tied else rng.uniform(-5, 5, n)
    column = Column.from_values(values, BOUNDS)
    mechanism, quantiles, budget = JointExp(ties=Ties.KEEP), uniform_quantiles(m), PureDP(1.0)
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        mechanism.release(column, quantiles, budget, rng)
        times.append(time.perf_counter() - begin)
    tracemalloc.start()
    mechanism.release(column, quantiles, budget, rng)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return float(np.median(times)), min(times), peak


if __name__ == "__main__":
    run()
