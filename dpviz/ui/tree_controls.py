"""The choices of the Trees page: shape, level budgets, noise, total, workload, presets."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.level_budget import LevelBudget
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.tree import TreeShape
from dpviz.core.tree_noise import Root
from dpviz.estimators.optimal_split import OptimalSplit
from dpviz.mechanisms.count_tree import CountTree
from dpviz.mechanisms.workload_split import workload_optimal
from dpviz.ui import memory, session
from dpviz.ui.tree_splits import SPLITS, WORKLOADS, energies_picker, levels_picker

PREFIX = "t_"
NOISES = ("by budget", "Laplace", "discrete Laplace", "Gaussian")
ROOTS = {Root.RELEASED: "private, noised", Root.SUM: "private, summed", Root.PUBLIC: "public"}
PRESETS = {
    "own choices": {},
    "poster: ε = .01, β = .05": {
        "t_notion": "pure",
        "t_eps": 0.01,
        "t_fanout": 2,
        "t_height": 7,
        "t_split": "uniform",
        "t_noise": "Laplace",
        "t_root": Root.RELEASED,
        "t_reading": "raw",
        "t_view": "CDF",
        "t_beta": 0.05,
    },
    "Honaker's tree: 16 leaves": {
        "t_fanout": 2,
        "t_height": 4,
        "t_split": "uniform",
        "t_root": Root.RELEASED,
        "t_view": "Variances",
    },
}


@dataclass(frozen=True, slots=True, eq=False)
class TreeChoice:
    """A tree, the workload that it is judged by, and the optimal split if it was asked for."""

    tree: CountTree
    budget: Budget
    workload: str
    energies: FloatArray
    optimal: OptimalSplit | None


def preset_picker() -> None:
    """Settings of the papers, put into the widgets."""
    st.selectbox(
        "Preset",
        list(PRESETS),
        key="t_preset",
        on_change=_apply_preset,
        help="Puts a paper's settings into the widgets: Manohar's poster, or the tree of Honaker's "
        "simulation.",
    )


def _apply_preset() -> None:
    chosen = PRESETS[st.session_state["t_preset"]]
    for key, value in chosen.items():
        st.session_state[key] = value
    if "t_eps" in chosen:
        st.session_state.pop("t_eps_slider", None)


def tree_picker(budget: Budget) -> TreeChoice:
    """The tree and its workload.

    Raises: InvalidParameter for a tree that cannot be, weights or ranges that cannot be read.
    """
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
    shape = TreeShape(int(fanout), int(height))
    split = st.selectbox(
        "Level budgets",
        SPLITS,
        key="t_split",
        bind="query-params",
        persist_state="session",
        help="How the levels share the budget: evenly; growing by a ratio towards the leaves; all "
        "for the leaves; your own weights; or the split that answers the workload best.",
    )
    workload = st.selectbox(
        "Workload",
        WORKLOADS,
        key="t_workload",
        bind="query-params",
        persist_state="session",
        help="The queries that the tree is judged by, and that the optimal split is made for.",
    )
    energies = energies_picker(workload, shape)
    noise = st.selectbox(
        "Noise",
        NOISES,
        key="t_noise",
        bind="query-params",
        persist_state="session",
        help="By budget: Laplace for pure ε, Gaussian for zCDP and (ε, δ).",
    )
    root = st.selectbox(
        "Total N",
        list(ROOTS),
        key="t_root",
        format_func=lambda one: ROOTS[one],
        bind="query-params",
        persist_state="session",
        help="N is noised like any node, or summed from the level below, or public, which means "
        "replace-one neighbours.",
    )
    tree = CountTree(
        fanout=shape.fanout,
        height=shape.height,
        levels=levels_picker(split, shape),
        noise=_noise(noise, budget),
        root=Root(root),
        neighbours=_neighbours(Root(root)),
    )
    tree.check(budget)
    if split != "workload-optimal":
        return TreeChoice(tree, budget, workload, energies, None)
    best, optimal = memory.remembered(
        ("split", tree, budget, energies.tobytes()),
        lambda: workload_optimal(tree, budget, energies),
    )
    return TreeChoice(best, budget, workload, energies, optimal)


def _neighbours(root: Root) -> Neighbours:
    if root is Root.PUBLIC and session.neighbours() is Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "A public N means replace-one neighbours: choose 'replace' under Neighbours in the "
            "sidebar, or a private N."
        )
    return session.neighbours()


def _noise(name: str, budget: Budget) -> Noise:
    named = {
        "Laplace": Noise.LAPLACE,
        "discrete Laplace": Noise.DISCRETE_LAPLACE,
        "Gaussian": Noise.GAUSSIAN,
    }
    automatic = Noise.LAPLACE if isinstance(budget, PureDP) else Noise.GAUSSIAN
    return named.get(name, automatic)


def alternatives(choice: TreeChoice) -> dict[str, CountTree]:
    """The same tree under the other splits, for comparison on the same workload."""
    tree = choice.tree
    height = len(choice.energies) - 1
    base = replace(tree, height=height, levels=LevelBudget.uniform())
    best, _ = memory.remembered(
        ("split", base, choice.budget, choice.energies.tobytes()),
        lambda: workload_optimal(base, choice.budget, choice.energies),
    )
    return {
        "chosen": tree,
        "uniform": base,
        "geometric 2^⅓": replace(base, levels=LevelBudget.geometric(2 ** (1 / 3))),
        "leaves only": replace(base, levels=LevelBudget.leaves_only()),
        "workload-optimal": best,
    }
