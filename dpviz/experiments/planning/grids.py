"""The grids of budgets, numbers of people and of quantiles that maps of winners are measured on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of a map, the runs at each, and the seconds of a slow mechanism at one place."""

    epsilons: tuple[float, ...]
    rhos: tuple[float, ...]
    records: tuple[int, ...]
    quantiles: tuple[int, ...]
    runs: int
    slow: float


GRIDS = {
    "quick": Grid(
        epsilons=(0.1, 1.0, 5.0),
        rhos=(0.005, 0.1, 2.0),
        records=(200, 1000),
        quantiles=(3, 9, 60),
        runs=20,
        slow=0.2,
    ),
    "complete": Grid(
        epsilons=(0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        rhos=(0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2.0),
        records=(200, 1000, 5000, 20_000),
        quantiles=(3, 9, 35, 120),
        runs=40,
        slow=1.0,
    ),
}
