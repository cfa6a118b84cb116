"""Budgets of the levels: how they share, and what that makes of a workload."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from dpviz.answers.said import Said
from dpviz.answers.trees import budgets, budgets_said
from dpviz.answers.trees.budgets import CHOSEN, BudgetsNumbers
from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.split_rows import SplitRow, split_rows_picture
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.trees.choice import TreeChoice, optimal_split
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.splits import weight_sliders

HERO = "trees_budgets"


def key(page: TreePage, _: Values) -> Hashable:
    """What the errors depend on: public choices."""
    choice = page.choice
    return choice.tree, choice.budget, choice.split, choice.energies.tobytes()


def numbers(page: TreePage, _: Values) -> BudgetsNumbers:
    """What several splits make of the workload."""
    choice = page.choice
    certified = None if choice.optimal is None else choice.optimal.certified
    return budgets.answer(
        alternatives(choice),
        choice.budget,
        choice.energies,
        choice.split.workload,
        certified=certified,
    )


def say(page: TreePage, found: BudgetsNumbers) -> Said:
    """How good the levels are, and what was spent."""
    return budgets_said.say(found, names(), str(page.draw.spent(page.choice.budget)))


def draw(page: TreePage, found: BudgetsNumbers, _: Values, look: Look) -> Picture:
    """Shares by level for each split, with the error of a query."""
    rows = [
        SplitRow(split.name, split.shares, split.error, in_use=split is found.chosen)
        for split in found.splits
    ]
    title = (
        "<b>Share of the budget</b> by level; at the right the error of a query of the workload "
        f"({found.workload})"
    )
    return split_rows_picture(rows, page.choice.tree.fanout, names(), look, title=title)


def below(shown: Shown[TreePage, BudgetsNumbers]) -> None:
    """Sliders of own weights, and the errors as a table."""
    choice = shown.asked.choice
    if choice.tree.levels.rule is LevelRule.WEIGHTS:
        weight_sliders(choice.tree.height, choice.split.weights)
    for table in shown.said.tables:
        said_table(table)


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
