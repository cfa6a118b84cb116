"""How the levels of a tree share its budget, and the queries that this is judged by."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.trees.workloads import all_ranges, listed_ranges, prefixes, single_leaves
from dpviz.ui.kit import session
from dpviz.ui.trees.weights import parse_numbers, start_weights

SPLITS = ("uniform", "geometric", "leaves only", "own weights", "workload-optimal")
WORKLOADS = ("all ranges", "CDF", "single leaves", "own ranges")


def levels_picker(split: str, shape: TreeShape) -> LevelBudget:
    """A level budget by its name, with what else it needs; the optimal one starts as uniform.

    Raises: InvalidParameter for weights that cannot be read.
    """
    if split == "geometric":
        ratio = st.number_input(
            "Ratio from level to level",
            value=1.2599,
            min_value=0.01,
            max_value=100.0,
            key="t_ratio",
            format="%.4f",
            bind="query-params",
            persist_state="session",
            help="Above 1 the leaves get more. 2^(1/3) suits a quadtree in ε (Cormode et al. 2012).",
        )
        return LevelBudget.geometric(float(ratio))
    if split == "leaves only":
        return LevelBudget.leaves_only()
    if split == "own weights":
        start_weights(shape.height)
        text = st.text_input(
            "Weights, root first",
            key="t_weights",
            bind="query-params",
            persist_state="session",
            help="One number a level, h + 1 in all; 0 leaves a level out.",
        )
        return LevelBudget.own(parse_numbers(text, "Weights"))
    return LevelBudget.uniform()


def workload_picker() -> str:
    """The queries that matter, by name."""
    return str(
        st.selectbox(
            "Workload",
            WORKLOADS,
            key="t_workload",
            bind="query-params",
            persist_state="session",
            help="The queries that the tree is judged by, and that the optimal split is made for.",
        )
    )


def energies_picker(workload: str, shape: TreeShape) -> FloatArray:
    """Mean energies (h + 1,) of a workload by its name, with the ranges that it may need.

    Raises: InvalidParameter for ranges that cannot be read.
    """
    if workload == "CDF":
        return prefixes(shape)
    if workload == "single leaves":
        return single_leaves(shape)
    if workload == "own ranges":
        bounds = session.declared_bounds()
        text = st.text_area(
            "Ranges, one a line: low, high",
            value=f"{bounds.low:g}, {bounds.low + bounds.width / 2:g}",
            key="t_ranges",
            bind="query-params",
            persist_state="session",
            help="In the column's units, from public interest in them, not from the data.",
        )
        pairs = [parse_numbers(line, "A range") for line in text.splitlines() if line.strip()]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            raise InvalidParameter("Write one range a line, as low, high: for example 18, 65.")
        ends = np.array(pairs)
        return listed_ranges(ends[:, 0], ends[:, 1], bounds, shape)
    return all_ranges(shape)
