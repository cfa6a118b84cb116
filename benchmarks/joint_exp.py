"""JointExp: time and peak memory of one release, on the rows of the speed table."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.joint_exp import JointExp
from dpviz.mechanisms.ties import Ties

BOUNDS = Bounds(-100, 100)
ROWS = (  # n, m, values left tied, seconds to reach
    (1_000, 120, False, 0.06),
    (10_000, 120, False, 0.4),
    (1_000_000, 120, False, 0.3),
    (1_000_000, 120, True, 1.5),
    (1_000_000, 9, True, 1.5),
)
REPEATS = 5
LIMIT_MB = 300


def run() -> None:
    """Print the median of five timed releases, and the peak of allocations in one more."""
    print("JointExp, one release at ε = 1, uniform(−5, 5) in (−100, 100)")
    for n, m, tied, limit in ROWS:
        seconds, peak = measure(n, m, tied)
        kind = "integers, tied" if tied else "no ties"
        verdict = "ok" if seconds <= limit and peak <= LIMIT_MB else "TOO SLOW OR LARGE"
        print(
            f"  n = {n:>9,}  m = {m:>3}  {kind:<14} {seconds * 1e3:7.1f} ms (≤ {limit * 1e3:.0f})"
            f"  {peak:6.1f} MB (≤ {LIMIT_MB})  {verdict}"
        )


def measure(n: int, m: int, tied: bool) -> tuple[float, float]:
    """Median seconds and peak megabytes beyond the column itself."""
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
    return float(np.median(times)), peak


if __name__ == "__main__":
    run()
