"""The ledger of a kd-tree: what every step on a root-to-leaf path takes from the budget."""

import math
from dataclasses import dataclass

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours
from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.medians.protocol import Cost
from dpviz.mechanisms.spatial.kd_tree import KdTree


@dataclass(frozen=True, slots=True)
class Charge:
    """One entry: the level it is spent on, for what, and how much.

    what is "x median", "y median" or "counts"; a cost is that of all nodes of the level together,
    as they are disjoint. level is None for Gaussian counts under (ε, δ), priced all at once.
    """

    level: int | None
    what: str
    cost: Cost


def path_costs(tree: KdTree, budget: Budget) -> tuple[Charge, ...]:
    """Every charge on a root-to-leaf path, from the root; all paths have the same.

    Costs are worked out again from the noise that is really drawn (η, scales), not copied from how
    the budget was divided. Public: nothing of the data enters.
    """
    division = tree.division(budget)
    charges = []
    for level in range(tree.upper_levels):
        assert division.step is not None
        cost = tree.median.cost(division.step, tree.neighbours)
        charges += [Charge(level, f"{axis} median", cost) for axis in ("x", "y")]
    scales = tree.counter(division.counts).level_scales(division.counts)
    if isinstance(division.counts, ApproxDP):
        cost = Cost(division.counts.epsilon, division.counts.delta)
        return (*charges, Charge(None, "counts", cost))
    in_rho = isinstance(division.counts, ZCDP)
    charges += [
        Charge(
            level, "counts", _count_cost(tree.law(budget), scale, tree.neighbours, in_rho=in_rho)
        )
        for level, scale in enumerate(scales)
        if math.isfinite(scale)
    ]
    return tuple(sorted(charges, key=lambda charge: charge.level or 0))


def total_cost(charges: tuple[Charge, ...]) -> Cost:
    """The sum of a path."""
    return Cost(
        math.fsum(charge.cost.epsilon for charge in charges),
        math.fsum(charge.cost.delta for charge in charges),
        math.fsum(charge.cost.rho for charge in charges),
    )


def audit(tree: KdTree, budget: Budget) -> Cost:
    """The cost of a path, once it is certain that it is exactly the budget (to 1e-9, relative).

    Raises: InvalidBudget if it is not; that would be a fault of the program.
    """
    found = total_cost(path_costs(tree, budget))
    wanted = _as_cost(budget)
    pairs = [(found.epsilon, wanted.epsilon), (found.rho, wanted.rho)]
    # δ is what the noise covers, which may be less than was set aside for it
    exact = all(math.isclose(a, b, rel_tol=1e-9) for a, b in pairs)
    if not exact or found.delta > wanted.delta * (1 + 1e-9):
        raise InvalidBudget(f"A path costs {found}, the budget is {budget}.")
    return found


def _as_cost(budget: Budget) -> Cost:
    if isinstance(budget, ZCDP):
        return Cost(rho=budget.rho)
    return Cost(budget.epsilon, budget.delta if isinstance(budget, ApproxDP) else 0.0)


def _count_cost(noise: Noise, scale: float, neighbours: Neighbours, *, in_rho: bool) -> Cost:
    changed = neighbours.counts_changed
    if in_rho or noise.gaussian:
        return Cost(rho=changed * noise.rho(scale))
    return Cost(changed / scale)
