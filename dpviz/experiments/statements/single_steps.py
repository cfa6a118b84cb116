"""AQ around three mechanisms for a single quantile, and Lemmas 3.2 and 3.4: AQ §1.1.1, §3.2."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.around.exponential import ExponentialQuantile
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.around.noisy_search import NoisySearchQuantile
from dpviz.mechanisms.quantiles.around.protocol import SingleQuantile
from dpviz.mechanisms.quantiles.around.smooth import SmoothQuantile
from dpviz.mechanisms.quantiles.descent import Run
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.bounds import carried_error

SIZES = (1_000, 30_000)
COUNTS = (1, 3, 7, 15, 31, 63, 127)
RUNS = 60
BUDGET = ApproxDP(1.0, 1e-6)
BOUNDS = Bounds(-100.0, 100.0)
EXPONENTIAL, SEARCH, SMOOTH = "exponential", "search", "smooth"
SINGLES: Mapping[str, SingleQuantile] = {
    EXPONENTIAL: ExponentialQuantile(),
    SEARCH: NoisySearchQuantile(16),
    SMOOTH: SmoothQuantile(),
}


def single_steps(rng: np.random.Generator) -> pd.DataFrame:
    """Errors in records of m even quantiles, with three single mechanisms, (1, 1e-6)-DP.

    Uniform values in (−5, 5), declared ±100; one column for each n.
    Returns: columns single, n, m, error (mean miss of a quantile, over 60 runs), standard_error,
    worst (mean of the largest miss), carried (the largest of worst miss / largest miss of a single
    step, over the runs), limit (what the latter can be), steps (⌊log2 m⌋ + 1, Lemma 3.2's factor).
    """
    rows = []
    for n in SIZES:
        column = Column.from_values(rng.uniform(-5, 5, n), BOUNDS)
        for m in COUNTS:
            wanted = QuantileSet.of(np.arange(1, m + 1) / (m + 1))
            limit = carried_error(plan(wanted))
            for name, single in SINGLES.items():
                runs = QuantilesAround(single).trace_many(column, wanted, BUDGET, rng, RUNS)
                parts = [misses(run, wanted, n) for run in runs]
                every, steps = (np.concatenate(found) for found in zip(*parts, strict=True))
                mean, worst = every.mean(axis=1), every.max(axis=1)
                off = mean.std(ddof=1) / math.sqrt(RUNS)
                own = steps.max(axis=1)
                carried = np.divide(worst, own, out=np.zeros(RUNS), where=own > 0).max()
                rows.append(
                    (name, n, m, mean.mean(), off, worst.mean(), carried, limit, wanted.levels)
                )
    names = ["single", "n", "m", "error", "standard_error", "worst", "carried", "limit", "steps"]
    return pd.DataFrame(rows, columns=names)


def misses(run: Run, wanted: QuantileSet, n: int) -> tuple[FloatArray, FloatArray]:
    """Records between values and quantiles of the whole column, and of each step's own part.

    Shapes: both (runs, m); not private. Targets are q·n, as they are.
    """
    before = run.ladder.rank(run.above[:, :1])
    below = run.ladder.rank(run.below[:, 1:-1])
    own = np.empty_like(below)
    for depth, nodes in enumerate(run.plan.levels):
        target = run.problems(depth).target.reshape(below.shape[0], -1)
        own[:, nodes.position - 1] = np.abs(below[:, nodes.position - 1] - target)
    return np.abs(below - before - wanted.distinct * n), own
