"""The choices of the Trees page: shape, level budgets, workload, noise, total."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.optimal_split import OptimalSplit
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.ui.kit import memory, session
from dpviz.ui.trees.splits import SPLITS, WORKLOADS, energies_picker, levels_picker, workload_picker

PREFIX = "t_"
NOISE_NAMES = {
    Noise.LAPLACE: "Laplace",
    Noise.DISCRETE_LAPLACE: "discrete Laplace",
    Noise.GAUSSIAN: "Gaussian",
}
NOISES = ("by budget", *NOISE_NAMES.values())
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
    split = st.selectbox(
        "Level budgets",
        SPLITS,
        key="t_split",
        bind="query-params",
        persist_state="session",
        help="How the levels share the budget: evenly; growing by a ratio towards the leaves; all "
        "for the leaves; your own weights; or the split that answers the workload best.",
    )
    levels = levels_picker(split, shape)
    optimises = split == "workload-optimal"
    workload = workload_picker() if asks_workload or optimises else WORKLOADS[0]
    energies = energies_picker(workload, shape)
    noise, root = _noise_picker(budget)
    tree = CountTree(
        fanout=shape.fanout,
        height=shape.height,
        levels=levels,
        noise=noise,
        root=root,
        neighbours=_neighbours(root),
    )
    tree.check(budget)
    if not optimises:
        return TreeChoice(tree, budget, workload, energies, None)
    best, optimal = memory.remembered(
        ("split", tree, budget, energies.tobytes()),
        lambda: workload_optimal(tree, budget, energies),
    )
    return TreeChoice(best, budget, workload, energies, optimal)


def _shape_picker() -> TreeShape:
    memory.start_with("t_fanout", 2)
    memory.start_with("t_height", 6)
    left, right = st.columns(2, wrap=False)
    fanout = left.number_input(
        "Fanout",
        2,
        4096,
        key="t_fanout",
        bind="query-params",
        persist_state="session",
        help="f, children of each node.",
    )
    height = right.number_input(
        "Height",
        0,
        22,
        key="t_height",
        bind="query-params",
        persist_state="session",
        help="h, levels below the root; f^h leaves, at most 2^22.",
    )
    return TreeShape(int(fanout), int(height))


def _noise_picker(budget: Budget) -> tuple[Noise, Root]:
    left, right = st.columns(2, wrap=False)
    noise = left.selectbox(
        "Noise",
        NOISES,
        key="t_noise",
        bind="query-params",
        persist_state="session",
        help="By budget: Laplace for pure ε, Gaussian for zCDP and (ε, δ).",
    )
    root = right.selectbox(
        "Total N",
        list(ROOTS),
        key="t_root",
        format_func=lambda one: ROOTS[one],
        bind="query-params",
        persist_state="session",
        help="N is private and noised like any node, or private and summed from the level below, "
        "or public, which means replace-one neighbours.",
    )
    return _noise(noise, budget), Root(root)


def _neighbours(root: Root) -> Neighbours:
    if root is Root.PUBLIC and session.neighbours() is Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "A public N means replace-one neighbours: choose 'replace' under Neighbours in the "
            "sidebar, or a private N."
        )
    return session.neighbours()


def _noise(name: str, budget: Budget) -> Noise:
    named = {text: one for one, text in NOISE_NAMES.items()}
    return named.get(name, Noise.for_budget(budget))
