"""What plans of releases come to in (ε, δ): added up, tight, and by dp-accounting's own accountant.

The oracle composes randomised responses under each ε one by one on its own grid of losses, which it
rounds up more coarsely. Run by hand or `make bench`.
"""

from __future__ import annotations

import math
import time

from dp_accounting import NeighboringRelation, dp_event
from dp_accounting.pld import PLDAccountant

from benchmarks.results import Table
from dpviz.core.budgets import PureDP
from dpviz.people.spending import Loss, tight_epsilon

TITLE = "Plans of pure ε at δ: added up, tight, and by dp-accounting"
MEASURES = (TITLE,)
PLANS = ((0.1, 30, 1e-6), (0.1, 100, 1e-6), (0.5, 20, 1e-5), (1.0, 10, 1e-3))


def run() -> list[Table]:
    """Print and return the table."""
    rows = [_row(*plan) for plan in PLANS]
    for row in rows:
        print(*row, sep="  ", flush=True)
    header = ("plan", "added up", "tight", "dp-accounting", "ms, tight")
    return [Table(TITLE, header, rows, "Processor time, with dp-accounting loaded.")]


def accountants(epsilon: float, releases: int, delta: float) -> float:
    """The ε at δ of so many randomised responses by dp-accounting's accountant."""
    other = 2 / (1 + math.exp(epsilon))  # chance of the coin that answers at random
    accountant = PLDAccountant(NeighboringRelation.REPLACE_ONE)
    for _ in range(releases):
        accountant.compose(dp_event.RandomizedResponseDpEvent(other, 2))
    return float(accountant.get_epsilon(delta))


def _row(epsilon: float, releases: int, delta: float) -> list[str]:
    losses = [Loss.of(PureDP(epsilon))] * releases
    start = time.process_time()
    tight = tight_epsilon(losses, delta)
    seconds = time.process_time() - start
    name, oracle = (
        f"{releases} × ε = {epsilon}, δ = {delta:g}",
        accountants(epsilon, releases, delta),
    )
    return [
        name,
        f"{epsilon * releases:g}",
        f"{tight:.4f}",
        f"{oracle:.4f}",
        f"{1e3 * seconds:.0f}",
    ]


if __name__ == "__main__":
    run()
