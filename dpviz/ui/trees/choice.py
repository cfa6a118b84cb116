"""What a person chose for a tree, and the tree that it makes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.optimal_split import OptimalSplit
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.ui.kit import memory
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.trees.splits import OPTIMAL, Split

BY_BUDGET = "by budget"
NOISE_NAMES = {
    Noise.LAPLACE: "Laplace",
    Noise.DISCRETE_LAPLACE: "discrete Laplace",
    Noise.GAUSSIAN: "Gaussian",
    Noise.DISCRETE_GAUSSIAN: "discrete Gaussian",
}
NOISES = {name: noise for noise, name in NOISE_NAMES.items()}


@dataclass(frozen=True, slots=True, eq=False)
class TreeChoice:
    """A tree, how its split was asked for, and the optimal split if that was found.

    shape is the one that was asked for: levels without a share may be left out of the release.
    """

    tree: CountTree
    budget: Budget
    split: Split
    shape: TreeShape
    optimal: OptimalSplit | None

    @property
    def energies(self) -> FloatArray:
        """What the workload asks of each level. Raises: InvalidParameter for unreadable ranges."""
        return self.split.energies(self.shape)

    @property
    def gain_in_rho(self) -> float | None:
        """The share of the older rule's noise that ρ now buys; None where it is the same."""
        noise = self.tree.law(self.budget)
        if not isinstance(self.budget, ZCDP) or noise.gaussian:
            return None
        each = self.budget.rho / self.tree.neighbours.counts_changed
        gains = [noise.gain_in_rho(share * each) for share in self.tree.shares() if share > 0]
        older = math.sqrt(self.tree.neighbours.counts_changed)  # a pair was one change by 2
        return min(gains) / older


@dataclass(frozen=True, slots=True)
class Settings:
    """The widgets' values; what they make may not exist yet, or not at all."""

    fanout: int
    height: int
    split: Split
    noise: str
    root: Root
    neighbours: Neighbours
    records: int | None

    def choice(self, budget: Budget) -> TreeChoice:
        """The tree that was chosen.

        Raises: DpvizError for a tree that cannot be, weights or ranges that cannot be read; NotYet
        while N is to be declared.
        """
        shape = TreeShape(self.fanout, self.height)
        self._check_total()
        tree = CountTree(
            fanout=shape.fanout,
            height=shape.height,
            levels=self.split.levels(),
            noise=Noise.for_budget(budget) if self.noise == BY_BUDGET else NOISES[self.noise],
            root=self.root,
            neighbours=self.neighbours,
            records=self.records if self.root is Root.PUBLIC else None,
        )
        tree.check(budget)
        if self.split.name != OPTIMAL:
            return TreeChoice(tree, budget, self.split, shape, None)
        best, optimal = optimal_split(tree, budget, self.split.energies(shape))
        return TreeChoice(best, budget, self.split, shape, optimal)

    def _check_total(self) -> None:
        if self.root is not Root.PUBLIC:
            return
        if self.neighbours is Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "A public N means replace-one neighbours: under Expert choose that one person's "
                "value changes, or a private N."
            )
        if self.records is None:
            raise NotYet(
                "Declare N, the number of people that the data is about, from public knowledge; or "
                "choose a private N. Both are under Expert."
            )


def optimal_split(
    tree: CountTree, budget: Budget, energies: FloatArray
) -> tuple[CountTree, OptimalSplit]:
    """The tree with the levels that suit a workload best, searched for once."""
    return memory.remembered(
        ("split", tree, budget, energies.tobytes()),
        lambda: workload_optimal(tree, budget, energies),
    )
