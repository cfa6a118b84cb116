"""What a person chose for a tree, and the tree that it makes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.answers.trees.names import NOISE_NAMES
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget, Neighbours
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.optimal_split import OptimalSplit
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.trees.splits import OPTIMAL, Split

BY_BUDGET = "by budget"
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


def tree_choice(values: Mapping[str, Any], budget: Budget) -> TreeChoice:
    """The tree that the fields of the page make.

    Raises: DpvizError for a tree that cannot be, weights or ranges that cannot be read; NotYet
    while N is to be declared.
    """
    shape = TreeShape(values["t_fanout"], values["t_height"])
    names = ("t_split", "t_ratio", "t_weights", "t_workload", "t_ranges")
    split, noise = Split(*map(values.__getitem__, names)), values["t_noise"]
    tree = CountTree(
        fanout=shape.fanout,
        height=shape.height,
        levels=split.levels(),
        noise=Noise.for_budget(budget) if noise == BY_BUDGET else NOISES[noise],
        root=values["t_root"],
        neighbours=session.neighbours(),
        records=_records(values),
    )
    tree.check(budget)
    if split.name != OPTIMAL:
        return TreeChoice(tree, budget, split, shape, None)
    best, optimal = optimal_split(tree, budget, split.energies(shape))
    return TreeChoice(best, budget, split, shape, optimal)


def _records(values: Mapping[str, Any]) -> int | None:
    """The declared N where it is public."""
    if values["t_root"] is not Root.PUBLIC:
        return None
    if session.neighbours() is Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "A public N means replace-one neighbours: under Expert choose that one person's "
            "value changes, or a private N."
        )
    records: int | None = values["t_records"]
    if records is None:
        raise NotYet(
            "Declare N, the number of people that the data is about, from public knowledge; or "
            "choose a private N. Both are under Expert."
        )
    return records


def exact_cost(choice: TreeChoice) -> None:
    """How much less noise ρ buys since its costs are exact, on the levels of this tree."""
    gain = choice.gain_in_rho
    if gain is not None:
        st.caption(
            f"Noise × {gain:.3g} of the older rule's: a changed count pays exactly what its noise "
            "costs in ρ, not ½ (change / scale)²."
        )


def optimal_split(
    tree: CountTree, budget: Budget, energies: FloatArray
) -> tuple[CountTree, OptimalSplit]:
    """The tree with the levels that suit a workload best, searched for once."""
    return memory.remembered(
        ("split", tree, budget, energies.tobytes()),
        lambda: workload_optimal(tree, budget, energies),
    )
