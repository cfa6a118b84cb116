"""The Python lines that make the same noisy tree, and the same reading of it."""

from __future__ import annotations

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.kit.draws import Draw, purpose_of
from dpviz.ui.kit.script import Script, column_text, seed_remark, written

READ = {
    TreeEstimator.RAW: "release",
    TreeEstimator.FROM_BELOW: "dp.from_below(release)",
    TreeEstimator.FROM_ABOVE: "dp.from_above(release)",
    TreeEstimator.EFFICIENT: "dp.efficient(release)",
}


def tree_lines(
    tree: CountTree, column: Column, budget: Budget, reading: TreeEstimator, draw: Draw
) -> str:
    """A script whose `release` equals the one on screen, and `read` the chosen reading of it."""
    script = Script(column_text(column), budget, draw)
    return script.text(f"""\
tree = {written(tree)}
seed = {script.seed(purpose_of(tree, column, budget))}{seed_remark()}
release = tree.release(column, budget, np.random.default_rng(seed))
read = {READ[reading]}
for level, counts in enumerate(read.counts):
    print(level, counts.round(1))
""")
