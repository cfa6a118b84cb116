"""NodeTree: a noisy tree whose nodes have budgets of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.checks import checked_runs, found
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.levels import count_levels
from dpviz.estimators.splits.node_split import Nodes, path_sums
from dpviz.mechanisms.requests import check_column_request, checked_budget

ROUNDING = 1e-9  # by which the shares of a path may exceed 1; the noise then makes up for it


@dataclass(frozen=True, slots=True, eq=False)
class NodeTree:
    """Noisy counts of a complete tree; shares[l] is (fanout**l,), the share of every node.

    One record is counted in the nodes of one path and in no others. So the tree spends, in ε and
    in ρ, the largest sum of shares along a path, and shares of nodes beside each other do not add.
    A node with share 0 is not released. Shares are public: chosen for a workload, not for the data.
    Guarantee: PureDP (Laplace noise) and ZCDP (Gaussian noise); under either relation. The noise is
    continuous, a teaching choice: the promise holds up to rounding, so secure bits are refused.
    Raises: InvalidParameter for shares that do not make a tree, are negative or NaN, or that add up
    to more than 1 on a path.
    Source: Cormode et al. 2012, §4.2, end.
    """

    fanout: int
    shares: Nodes
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    def __post_init__(self) -> None:
        settle_choices(self, neighbours=Neighbours)
        try:
            shares = tuple(frozen(np.array(level, dtype=np.float64)) for level in self.shares)
        except (TypeError, ValueError):
            raise InvalidParameter(
                f"shares must be one list of numbers a level, root first, got {found(self.shares)}."
            ) from None
        object.__setattr__(self, "shares", shares)
        shape = TreeShape(self.fanout, len(shares) - 1)
        for level, share in enumerate(shares):
            if share.shape != (shape.nodes(level),):
                raise InvalidParameter(
                    f"Level {level} has {shape.nodes(level)} nodes, got shares of shape "
                    f"{share.shape}."
                )
            if not (share >= 0).all() or not np.isfinite(share).all():
                raise InvalidParameter(f"Shares of level {level} must be finite and ≥ 0.")
        largest = float(path_sums(shares, self.fanout).max())
        if not 0 < largest <= 1 + ROUNDING:
            raise InvalidParameter(
                f"A record pays for the nodes of one path, so the shares of each path may add up "
                f"to at most 1, got {largest:g}. Divide all shares by it."
            )

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return TreeShape(self.fanout, len(self.shares) - 1)

    def scales(self, budget: Budget) -> Nodes:
        """Noise scale of every node, ∞ where it is not released.

        Laplace: changed/(share · ε). Gaussian: √(changed/(2 · share · ρ)). changed is 1, or 2
        under replace-one, where both records' paths pay.
        Raises: UnsupportedBudget for (ε, δ).
        """
        checked_budget(budget)
        over = max(1.0, float(path_sums(self.shares, self.fanout).max()))
        changed = self.neighbours.counts_changed * over
        with np.errstate(divide="ignore"):
            match budget:
                case PureDP(epsilon):
                    return tuple(changed / (share * epsilon) for share in self.shares)
                case ZCDP(rho):
                    return tuple(np.sqrt(changed / (2 * share * rho)) for share in self.shares)
        raise UnsupportedBudget("Budgets of single nodes add up in ε and in ρ. Choose one of them.")

    @usual_floats
    def release(self, column: Column, budget: Budget, rng: Randomness | None = None) -> Levels:
        """Spend the budget once: noisy counts with the variance of every node."""
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        noisy = self.noisy(count_levels(column, self.shape), budget, rng, runs=1)
        return Levels(self.fanout, tuple(level[0] for level in noisy.counts), noisy.variances)

    def noisy(
        self, exact: Sequence[FloatArray], budget: Budget, rng: Randomness, runs: int
    ) -> Levels:
        """Runs (runs, nodes) on exact counts, root first; each spends the whole budget."""
        seeded = only_seeded(rng, "A tree whose nodes have budgets of their own")
        checked_runs(runs)
        scales = self.scales(budget)
        laplace = isinstance(budget, PureDP)
        draw = seeded.laplace if laplace else seeded.normal
        counts = []
        for level, scale in zip(exact, scales, strict=True):
            shown = np.isfinite(scale)
            noise = draw(0.0, np.where(shown, scale, 0.0), (runs, level.size))  # spends the budget
            counts.append(np.where(shown, level + noise, np.nan))
        factor = 2.0 if laplace else 1.0
        return Levels(self.fanout, tuple(counts), tuple(factor * scale**2 for scale in scales))
