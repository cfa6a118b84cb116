"""The budgets view of the Trees page: how levels share, and what that makes of a workload."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.figures.trees.level_budgets import level_budget_figure
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_variance
from dpviz.ui.kit import frame, memory
from dpviz.ui.kit.charts import chart, number_table
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.controls import TreeChoice, optimal_split
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.weights import weight_sliders


def budget_panel(page: TreePage, _: None) -> None:
    """Shares by level for several splits, and what each makes of the workload."""
    choice = page.choice
    if choice.tree.levels.rule is LevelRule.WEIGHTS:
        weight_sliders(choice.tree.height)
    trees = alternatives(choice)
    variances = {name: _workload_variance(tree, choice) for name, tree in trees.items()}
    if choice.optimal is not None:
        word = "optimal" if choice.optimal.certified else "the best found"
        st.caption(f"The workload-optimal split is {word} for {choice.workload}.")
    shares = {name: tree.shares() for name, tree in trees.items()}
    chart(
        level_budget_figure(shares, frame.ink(), variances=variances),
        "t_budgets",
        "level-budgets",
        "Share of the budget by level for each split",
    )
    found = np.array(list(variances.values()))
    columns = {
        "mean variance": found,
        "standard error": np.sqrt(found),
        "times the best": found / found.min(),
    }
    said = {name: [significant(one) for one in column] for name, column in columns.items()}
    table = pd.DataFrame({"split": list(variances), **said})
    number_table(table, "Variance of the workload under each split", dict.fromkeys(columns))
    st.caption(
        f"Mean variance of a query of the workload ({choice.workload}) after least squares; it "
        "depends on public choices alone, so choosing by it costs nothing."
    )


def _workload_variance(tree: CountTree, choice: TreeChoice) -> float:
    """The mean variance of the workload; ∞ where a needed level is left out."""
    return memory.remembered(
        ("workload", tree, choice.budget, choice.energies.tobytes()),
        lambda: workload_variance(tree, choice.budget, choice.energies),
    )


def alternatives(choice: TreeChoice) -> dict[str, CountTree]:
    """The same tree under the other splits, for comparison on the same workload."""
    base = replace(choice.tree, height=len(choice.energies) - 1, levels=LevelBudget.uniform())
    best, _ = optimal_split(base, choice.budget, choice.energies)
    return {
        "chosen": choice.tree,
        "uniform": base,
        "geometric 2^⅓": replace(base, levels=LevelBudget.geometric(2 ** (1 / 3))),
        "leaves only": replace(base, levels=LevelBudget.leaves_only()),
        "workload-optimal": best,
    }
