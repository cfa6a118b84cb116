"""The Python lines that make the same noisy tree, and the same reading of it."""

from __future__ import annotations

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.script import seed_remark, seed_text, source_import, values_line


def purpose_of_tree(tree: CountTree, column: Column, budget: Budget) -> tuple[object, ...]:
    """What the release is, in full: it decides the noise of an upload."""
    return (tree, column.fingerprint, budget)


def tree_lines(
    tree: CountTree, column: Column, budget: Budget, reading: TreeEstimator, draw: Draw
) -> str:
    """A script whose `release` equals the one on screen, and `read` the chosen reading of it."""
    return f"""# where dpviz is installed, or in the folder of its repository
import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import {type(budget).__name__}
from dpviz.core.data import Column
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.trees.readings import TreeEstimator
{source_import()}
from dpviz.mechanisms.counting.count_tree import CountTree

{values_line()}
bounds = Bounds({column.bounds.low!r}, {column.bounds.high!r})  # declared, public
column = Column.from_values(values, bounds, resolution={column.resolution!r})
budget = {budget!r}
tree = CountTree(
    fanout={tree.fanout},
    height={tree.height},
    levels={_levels(tree.levels)},
    noise={tree.noise.value!r},
    root={tree.root.value!r},
    neighbours={tree.neighbours.value!r},
)
seed = {seed_text(draw, purpose_of_tree(tree, column, budget))}{seed_remark()}
release = tree.release(column, budget, np.random.default_rng(seed))
read = TreeEstimator({reading.value!r}).apply(release.levels, release.total)
for level, counts in enumerate(read.counts):
    print(level, counts.round(1))
"""


def _levels(levels: LevelBudget) -> str:
    if levels.rule is LevelRule.GEOMETRIC:
        return f"LevelBudget.geometric({levels.ratio!r})"
    if levels.rule is LevelRule.WEIGHTS:
        return f"LevelBudget.own({levels.weights!r})"
    if levels.rule is LevelRule.WORKLOAD_OPTIMAL:
        return f"LevelBudget.workload_optimal({levels.weights!r})"
    return f"LevelBudget.{levels.rule.value.replace('-', '_')}()"
