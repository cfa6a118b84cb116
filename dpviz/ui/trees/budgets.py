"""The budgets view of the Trees page: how levels share, and what that makes of a workload."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.figures.trees.level_budgets import level_budget_figure
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal, workload_variance
from dpviz.ui.kit import frame, memory
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.controls import TreeChoice
from dpviz.ui.trees.weights import weight_sliders


def budget_panel(choice: TreeChoice) -> None:
    """Shares by level for several splits, and what each makes of the workload."""
    if choice.tree.levels.rule is LevelRule.WEIGHTS:
        weight_sliders(choice.tree.height)
    trees = alternatives(choice)
    variances = {name: workload_variance_of(tree, choice) for name, tree in trees.items()}
    if choice.optimal is not None:
        word = "optimal" if choice.optimal.certified else "the best found"
        st.caption(f"The workload-optimal split is {word} for {choice.workload}.")
    st.plotly_chart(
        level_budget_figure(
            {name: tree.shares() for name, tree in trees.items()}, frame.ink(), variances=variances
        ),
        key="t_budgets",
        config=chart_options("level-budgets", scroll=False),
        alt="Share of the budget by level for each split",
    )
    best = min(variances.values())
    table = pd.DataFrame(
        {
            "split": list(variances),
            "mean variance": [significant(one) for one in variances.values()],
            "standard error": [significant(math.sqrt(one)) for one in variances.values()],
            "times the best": [significant(one / best) for one in variances.values()],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        alt="Variance of the workload under each split",
        column_config={
            name: st.column_config.TextColumn(alignment="right") for name in table.columns[1:]
        },
    )
    st.caption(
        f"Mean variance of a query of the workload ({choice.workload}) after least squares; it "
        "depends on public choices alone, so choosing by it costs nothing."
    )


def workload_variance_of(tree: CountTree, choice: TreeChoice) -> float:
    """The mean variance of the workload; ∞ where a needed level is left out."""
    return memory.remembered(
        ("workload", tree, choice.budget, choice.energies.tobytes()),
        lambda: workload_variance(tree, choice.budget, choice.energies),
    )


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
