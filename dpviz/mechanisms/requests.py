"""What a release is asked with: data, a budget, a generator and a number of runs, checked."""

from typing import Any

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.checks import checked_runs, checked_whole, finite, found, wanted
from dpviz.core.data.checks import MOST_COUNTED
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidBudget, InvalidData
from dpviz.core.randomness.bits import Randomness, bits_of, only_seeded

# squares, shares and conversions of sizes in between neither overflow nor lose their digits
SIZES = 1e-140, 1e140
LEAST_DELTA = 1e-300
MOST_QUANTILES = 10**7  # of one request
A_RELEASE = object()  # in place of a number of runs: a single release, of either kind of bits


def checked_budget(budget: Budget) -> Budget:
    """The budget itself.

    Raises: InvalidBudget for anything else, a bare number included: nobody guesses its notion; and
    for a budget so small or large that floating point cannot hold the noise it asks for.
    """
    _a_budget(budget)
    if not SIZES[0] <= budget.size <= SIZES[1]:
        raise InvalidBudget(
            f"Mechanisms take {budget.symbol} from {SIZES[0]:g} to {SIZES[1]:g}, got {budget}: "
            "beyond, floating point does not hold the noise."
        )
    if isinstance(budget, ApproxDP) and budget.delta < LEAST_DELTA:
        raise InvalidBudget(f"Mechanisms take δ from {LEAST_DELTA:g} up, got {budget}.")
    return budget


def _a_budget(budget: Budget) -> None:
    if not isinstance(budget, PureDP | ApproxDP | ZCDP):
        raise InvalidBudget(
            f"budget must be PureDP(epsilon), ApproxDP(epsilon, delta) or ZCDP(rho), got "
            f"{found(budget)}."
        )


def check_column_request(
    column: Column, budget: Budget, rng: Randomness, runs: Any = A_RELEASE
) -> None:
    """Refuse what no release of a column can be drawn from, nor so many runs of a study.

    Raises: InvalidData for anything but a Column, InvalidBudget for anything but a budget,
    InvalidParameter for anything but a generator or bits, for fewer runs than 1, and for bits
    given to a study: it is compared with the truth and never leaves.
    """
    wanted(Column, column, "column", InvalidData)
    checked_budget(budget)
    bits_of(rng)
    if runs is not A_RELEASE:
        only_seeded(rng, "A study of several runs")
        checked_runs(runs)


def check_cost_request(n: int, m: int, budget: Budget, runs: int, resolution: float) -> None:
    """Refuse what no time of a release of m quantiles of n records can be told of.

    Budgets that a release refuses, which takes no time, are let through.
    Raises: InvalidBudget for anything but a budget; InvalidParameter for an n, m or runs that is
    not a whole number from 0, from 1 or from 1 up, and for a resolution that is not finite.
    """
    checked_whole(n, "n", 0, MOST_COUNTED)
    checked_whole(m, "m", 1, MOST_QUANTILES)
    _a_budget(budget)
    checked_runs(runs)
    finite(resolution, "resolution")


def check_points_request(points: Plane, budget: Budget, rng: Randomness) -> None:
    """Refuse what no release of points can be drawn from.

    Raises: as check_column_request, InvalidData for anything but Points or GridCounts.
    """
    if not isinstance(points, GridCounts):
        wanted(Points, points, "points", InvalidData)
    checked_budget(budget)
    bits_of(rng)


def points_apart(points: Plane, subject: str) -> Points:
    """The points themselves, for a mechanism that must see where in a cell each one lies.

    Raises: InvalidData for counts on a grid; subject is who says so, with its reason.
    """
    if isinstance(points, GridCounts):
        raise InvalidData(
            f"{subject}, so it needs every point apart, and these are counted on a grid of "
            f"{points.side:,} × {points.side:,} cells. Choose a quadtree, PrivTree or a uniform "
            "grid."
        )
    return points


def check_fine_enough(points: Plane, depth: int, subject: str, remedy: str) -> None:
    """Refuse to halve both sides of the box more often than the grid that points are counted on.

    subject is who needs 2^depth cells a side, remedy begins a sentence that the grid's own depth
    ends. Both depths are declared, so that a refusal tells nothing of the points.
    Raises: InvalidData for a grid that is too coarse.
    """
    if isinstance(points, GridCounts) and depth > points.height:
        raise InvalidData(
            f"{subject} {depth} needs {1 << depth:,} × {1 << depth:,} cells, and the points are "
            f"counted on a grid of {points.side:,} × {points.side:,}. {remedy} at most "
            f"{points.height}, or count on a finer grid."
        )
