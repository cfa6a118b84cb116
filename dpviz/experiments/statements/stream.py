"""Continual release: the number of records so far after every step, Honaker's motivation."""

import numpy as np
import pandas as pd

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.running_counts import RunningCounts

HEIGHT, RUNS, RATE, SHOWN = 12, 100, 5.0, 113
STEPS = 2**HEIGHT
EPSILON = 1.0
EACH, ANEW, NODES, COMBINED = "each step", "anew", "tree", "combined"


def running_totals(rng: np.random.Generator) -> pd.DataFrame:
    """Errors of the count so far in a stream of 4,096 steps, four ways at ε = 1.

    each step: noise on every step's count, then added up; anew: a fresh count each time, for which
    the steps share the budget; tree: the fewest complete nodes; combined: these read from below.
    Returns: columns way, step, variance (exact, records²), mse (over 100 streams);
    every 113th step, and the last.
    """
    arrived = rng.poisson(RATE, STEPS)
    truth, steps = np.cumsum(arrived), np.arange(1, STEPS + 1)
    each = np.cumsum(rng.laplace(0, 1 / EPSILON, (RUNS, STEPS)), axis=1)
    anew = rng.laplace(0, STEPS / EPSILON, (RUNS, STEPS))
    parts = [
        _rows(EACH, steps, 2.0 * steps / EPSILON**2, (each**2).mean(axis=0)),
        _rows(ANEW, steps, np.full(STEPS, 2 * (STEPS / EPSILON) ** 2), (anew**2).mean(axis=0)),
    ]
    for name, combine in ((NODES, False), (COMBINED, True)):
        stream = RunningCounts(
            HEIGHT, PureDP(EPSILON), rng, combine=combine, runs=RUNS, noise=Noise.LAPLACE
        )
        found = [stream.add(float(count)) for count in arrived]
        squares = [
            ((counts - exact) ** 2).mean() for (counts, _), exact in zip(found, truth, strict=True)
        ]
        parts.append(_rows(name, steps, [spread for _, spread in found], squares))
    rows = pd.concat(parts)
    kept: pd.DataFrame = rows.loc[(rows["step"] % SHOWN == 0) | (rows["step"] == STEPS)]
    return kept.reset_index(drop=True)


def _rows(way: str, steps: object, variance: object, mse: object) -> pd.DataFrame:
    return pd.DataFrame({"way": way, "step": steps, "variance": variance, "mse": mse})
