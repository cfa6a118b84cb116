"""The choices of the Trees page: shape, level budgets, workload, noise, total."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.optimal_split import OptimalSplit
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.choices import menu, whole_number
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.kit.pickers import declared_total
from dpviz.ui.trees.splits import SPLITS, WORKLOADS, split_picker, workload_picker

PREFIX = "t_"
NOISE_NAMES = {
    Noise.LAPLACE: "Laplace",
    Noise.DISCRETE_LAPLACE: "discrete Laplace",
    Noise.GAUSSIAN: "Gaussian",
}
NOISES = {name: noise for noise, name in NOISE_NAMES.items()}
BY_BUDGET = "by budget"
ROOTS = {Root.RELEASED: "noised", Root.SUM: "summed", Root.PUBLIC: "public"}


@dataclass(frozen=True, slots=True, eq=False)
class TreeChoice:
    """A tree, the workload that it is judged by, and the optimal split if it was asked for."""

    tree: CountTree
    budget: Budget
    workload: str
    energies: FloatArray
    optimal: OptimalSplit | None


def tree_picker(budget: Budget, *, asks_workload: bool) -> TreeChoice:
    """The tree and its workload, which is asked for only where it changes something.

    Raises: InvalidParameter for a tree that cannot be, weights or ranges that cannot be read.
    """
    shape = _shape_picker()
    split = split_picker()
    levels = SPLITS[split](shape)
    optimises = split == "workload-optimal"
    workload = workload_picker() if asks_workload or optimises else next(iter(WORKLOADS))
    energies = WORKLOADS[workload](shape)
    noise, root = _noise_picker(budget)
    tree = CountTree(
        fanout=shape.fanout,
        height=shape.height,
        levels=levels,
        noise=noise,
        root=root,
        neighbours=_neighbours(root),
        records=_records(root),
    )
    tree.check(budget)
    _exact_cost(tree, budget)
    if not optimises:
        return TreeChoice(tree, budget, workload, energies, None)
    best, optimal = optimal_split(tree, budget, energies)
    return TreeChoice(best, budget, workload, energies, optimal)


def optimal_split(
    tree: CountTree, budget: Budget, energies: FloatArray
) -> tuple[CountTree, OptimalSplit]:
    """The tree with the levels that suit a workload best, searched for once."""
    return memory.remembered(
        ("split", tree, budget, energies.tobytes()),
        lambda: workload_optimal(tree, budget, energies),
    )


def _shape_picker() -> TreeShape:
    memory.start_with("t_fanout", 2)
    memory.start_with("t_height", 6)
    left, right = st.columns(2, wrap=False)
    fanout = whole_number("Fanout", 2, 4096, "t_fanout", "f, children of each node.", place=left)
    height = whole_number(
        "Height",
        0,
        22,
        "t_height",
        "h, levels below the root; f^h leaves, at most 2^22.",
        place=right,
    )
    return TreeShape(fanout, height)


def _noise_picker(budget: Budget) -> tuple[Noise, Root]:
    left, right = st.columns(2, wrap=False)
    noise = menu(
        "Noise",
        (BY_BUDGET, *NOISES),
        "t_noise",
        "By budget: Laplace for pure ε, Gaussian for zCDP and (ε, δ).",
        place=left,
    )
    root = menu(
        "Total N",
        ROOTS,
        "t_root",
        "N is private and noised like any node, or private and summed from the level below, or "
        "public, which means replace-one neighbours.",
        place=right,
    )
    named = Noise.for_budget(budget) if noise == BY_BUDGET else NOISES[noise]
    return named, Root(root)


def _exact_cost(tree: CountTree, budget: Budget) -> None:
    """How much less noise ρ buys since its costs are exact, on the levels of this tree."""
    if not isinstance(budget, ZCDP) or tree.noise is Noise.GAUSSIAN:
        return
    each = budget.rho / tree.neighbours.counts_changed
    gains = [tree.noise.gain_in_rho(share * each) for share in tree.shares() if share > 0]
    older = math.sqrt(tree.neighbours.counts_changed)  # a pair was charged as one change by 2
    st.caption(
        f"Noise × {min(gains) / older:.3g} of the older rule's: a changed count pays exactly what "
        "its noise costs in ρ, not ½ (change / scale)²."
    )


def _records(root: Root) -> int | None:
    if root is not Root.PUBLIC:
        return None
    records = declared_total("t_records")
    if records is None:
        raise NotYet(
            "Declare N, the number of people that the data is about, from public knowledge; or "
            "choose a private N."
        )
    return records


def _neighbours(root: Root) -> Neighbours:
    if root is Root.PUBLIC and session.neighbours() is Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "A public N means replace-one neighbours: choose 'replace' under Neighbours in the "
            "sidebar, or a private N."
        )
    return session.neighbours()
