"""How often the bands of the release view hold the truth, on every sample set and for every ε.

The bands come from one release and a declared size alone (dpviz/mechanisms/quantiles/republish.py).
No theorem covers them, so this is what their "about 19 in 20" rests on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.results import Table
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QUARTILES
from dpviz.intake.samples import sample_column, samples
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.republish import likely_errors
from dpviz.metrics.quantiles import true_quantiles

EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 10.0)
SETS = {"quartiles": QUARTILES, "deciles": DECILES}
RELEASES = 60
SEED = 20210829
TITLE = "Bands of the release view: how often they hold the truth"
MEASURES = (TITLE,)


def covered(column: Column, quantiles: np.ndarray, epsilon: float, releases: int) -> np.ndarray:
    """Of each quantile the share of releases whose band holds the truth; empty without bands."""
    mechanism, rng = ApproximateQuantiles(round_to_grid=True), np.random.default_rng(SEED)
    truth, held = true_quantiles(column, quantiles), []
    for _ in range(releases):  # a release at a time, as a visitor gets them
        release = mechanism.release(column, quantiles, PureDP(epsilon), rng)
        half = likely_errors(mechanism, release, column.n, rng)
        if half is None:
            return np.empty(0)
        held.append(np.abs(release.values - truth) <= half + 1e-9)
    return np.mean(held, axis=0)


def rows(releases: int = RELEASES) -> Iterator[tuple[str, str, float, np.ndarray]]:
    """Set, quantiles, ε, and how often each quantile's band held."""
    for one in samples():
        if len(one.columns) == 1:
            column = sample_column(one.key)
            for name, quantiles in SETS.items():
                for epsilon in EPSILONS:
                    yield one.title, name, epsilon, covered(column, quantiles, epsilon, releases)


def run() -> list[Table]:
    """One row for each ε: coverage on average, of the worst set, and of the worst quantile."""
    found = list(rows())
    cells = []
    for epsilon in EPSILONS:
        mine = [(title, name, held) for title, name, at, held in found if at == epsilon]
        with_bands = [(title, name, held) for title, name, held in mine if held.size]
        average = [float(held.mean()) for _, _, held in with_bands]
        least = [float(held.min()) for _, _, held in with_bands]
        if not with_bands:
            continue
        at = int(np.argmin(average))
        cells.append(
            [
                f"{epsilon:g}",
                f"{len(with_bands)} of {len(mine)}",
                f"{100 * np.mean(average):.1f} %",
                f"{100 * average[at]:.1f} % ({with_bands[at][0]}, {with_bands[at][1]})",
                f"{100 * min(least):.0f} %",
            ]
        )
    note = f"{RELEASES} releases of recursive halving each; a band stands for about 19 in 20."
    header = ("ε", "sets with bands", "held on average", "worst average", "worst quantile")
    table = Table(TITLE, header, cells, note)
    print(table.markdown(), flush=True)
    return [table]
