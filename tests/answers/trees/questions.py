"""A small tree with levels of unequal noise, and its questions."""

import numpy as np

from dpviz.answers.trees.question import TreeQuestion
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree

BUDGET = PureDP(0.5)
RAW, EFFICIENT = TreeEstimator.RAW, TreeEstimator.EFFICIENT
VALUES = np.random.default_rng(5).beta(2, 5, 400).round(2) * 80 + 10  # in [10, 90]


def asked(
    reading: TreeEstimator = EFFICIENT,
    *,
    fanout: int = 2,
    height: int = 3,
    truth: bool = True,
    weights: tuple[float, ...] = (1, 2, 1, 3),
    seed: int = 3,
) -> TreeQuestion:
    column = Column.from_values(VALUES, Bounds(10, 90))
    tree = CountTree(
        fanout=fanout, height=height, levels=LevelBudget.own(weights), noise=Noise.LAPLACE
    )
    release = tree.release(column, BUDGET, np.random.default_rng(seed))
    exact = count_levels(column, tree.shape) if truth else None
    return TreeQuestion(release, tree, BUDGET, reading, exact)
