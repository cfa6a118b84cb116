"""The budgets view of the Trees page: how levels share, and what that makes of a workload."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.names import spread_error
from dpviz.figures.trees.split_rows import SplitRow, split_rows_picture
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_variance
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.charts import number_table
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.choice import TreeChoice, optimal_split
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.splits import weight_sliders
from dpviz.ui.visit.page import Visit

HERO, CHOSEN = "trees_budgets", "chosen"


def budgets_view(page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """Shares by level for several splits, and what each makes of the workload."""
    choice = page.choice
    trees = alternatives(choice)
    found = {name: _workload_variance(tree, choice) for name, tree in trees.items()}
    finding = _finding(found)
    headline("Trees", finding, _second(choice))
    rows = [
        SplitRow(name, tree.shares(), float(np.sqrt(found[name])), in_use=name == CHOSEN)
        for name, tree in trees.items()
    ]
    hero(
        split_rows_picture(
            rows, choice.tree.fanout, names(), now.look,
            title=f"<b>Share of the budget</b> by level; at the right the error of a query of the "
            f"workload ({choice.split.workload})",
        ),
        HERO,
        "Share of the budget by level for each split, and the error of a query under each",
        slides="tree-budgets",
    )  # fmt: skip
    strip(
        now,
        [("workload", choice.split.workload), ("spent", str(page.draw.spent(choice.budget)))],
        ledger=True,
    )
    if now.presenting:
        return HERO, finding
    if choice.tree.levels.rule is LevelRule.WEIGHTS:
        weight_sliders(choice.tree.height)
    _table(found)
    return HERO, finding


def _finding(found: dict[str, float]) -> str:
    error = float(np.sqrt(found[CHOSEN]))
    best = min(found, key=lambda name: found[name])
    people = plain(names().people)
    said = f"These levels answer a query to {private(spread_error(error))} {people}, typically"
    if found[best] > 0.99 * found[CHOSEN]:
        return f"{said}; none here does better."
    better = spread_error(float(np.sqrt(found[best])))
    return f"{said}; {best} would reach {private(better)}."


def _second(choice: TreeChoice) -> str:
    public = (
        "It depends on public choices alone, so choosing by it costs nothing; after least squares."
    )
    if choice.optimal is None:
        return public
    word = "best there is" if choice.optimal.certified else "best found"
    return f"For {choice.split.workload} the workload-optimal split is the {word}. {public}"


def _table(variances: dict[str, float]) -> None:
    found = np.array(list(variances.values()))
    columns = {
        "mean variance": found,
        "standard error": np.sqrt(found),
        "times the best": found / found.min(),
    }
    said = {name: [significant(one) for one in column] for name, column in columns.items()}
    table = pd.DataFrame({"split": list(variances), **said})
    number_table(table, "Variance of the workload under each split", dict.fromkeys(columns))


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
    others = {
        "uniform": base,
        "geometric 2^⅓": replace(base, levels=LevelBudget.geometric(2 ** (1 / 3))),
        "leaves only": replace(base, levels=LevelBudget.leaves_only()),
        "workload-optimal": best,
    }
    return {CHOSEN: choice.tree} | {
        name: tree for name, tree in others.items() if tree != choice.tree
    }
