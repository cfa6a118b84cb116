"""A count tree whose levels share the budget as a workload likes it best."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.budgets import Budget, PureDP
from dpviz.core.card import Card
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.optimal_split import OptimalSplit, optimal_split
from dpviz.estimators.trees.workload import energies_variance
from dpviz.mechanisms.counting.count_tree import CountTree

CARD = Card(
    key="workload_optimal",
    title="Workload-optimal level budgets",
    words="budgets for a workload",
    lead="Splits the budget over the levels so that the questions you name err least.",
    promises=("free",),
    price="nothing: a public choice",
    use="questions that are known beforehand",
    family="Trees",
    role="planning",
    summary="With noise that is constant by level, the variance of any query after least squares "
    "is $\\sum_k \\|P_k c\\|^2/\\Lambda_k$ with only $h+1$ eigenvalues. The split that "
    "makes it smallest on a workload is exact for Gaussian noise, else the best found.",
    guarantee="a public choice: spends nothing",
    neighbours="as the tree",
    cost="milliseconds",
    good_for="knowing in advance which queries will be asked",
    watch_out="it may leave whole levels out; queries outside the workload can suffer",
    source="this project",
)


def workload_optimal(
    tree: CountTree, budget: Budget, energies: ArrayLike
) -> tuple[CountTree, OptimalSplit]:
    """The tree with the split that answers a workload with the least variance, and the split.

    energies (height + 1,) describe the workload (estimators/workloads.py): a public choice, so the
    split costs nothing. Optimal, and marked certified, for Gaussian noise, where the variance of a
    level is inversely proportional to its share; for other noise the best found. It never loses to
    uniform, geometric 2^{1/3} and 2, leaves only, or the tree's own split.
    """
    wanted = np.asarray(energies, dtype=np.float64)
    pure = isinstance(budget, PureDP)
    found = _split(tuple(wanted.tolist()), tree.fanout, tree.root, quadratic=pure)
    best = replace(tree, levels=LevelBudget.workload_optimal(found.shares))
    # of the other laws no variance in ρ is a power of the share
    exact_law = tree.law(budget) is Noise.GAUSSIAN
    rivals = (best, *(replace(tree, levels=levels) for levels in _simple(tree)))
    values = [workload_variance(rival, budget, wanted) for rival in rivals]
    # rounding alone must not replace a level that is left out by one that is not
    first = values[0] <= min(values) * (1 + 1e-9)
    chosen = best if first else rivals[int(np.argmin(values))]
    shares = chosen.shares()
    shares = shares + (0.0,) * (tree.height + 1 - len(shares))
    split = OptimalSplit(shares, certified=found.certified and exact_law)
    return replace(tree, levels=LevelBudget.workload_optimal(shares)), split


@lru_cache(maxsize=64)  # of public numbers, and the same at every size of a budget
def _split(
    energies: tuple[float, ...], fanout: int, root: Root, *, quadratic: bool
) -> OptimalSplit:
    return optimal_split(energies, fanout, root, quadratic=quadratic)


def workload_variance(tree: CountTree, budget: Budget, energies: ArrayLike) -> float:
    """Mean variance of a workload after the efficient estimator, in records²; nothing is drawn.

    ∞ when the tree leaves out the leaves and the workload needs them.
    Raises: InvalidParameter for energies of another height.
    """
    wanted = np.asarray(energies, dtype=np.float64)
    if wanted.shape != (tree.height + 1,):
        raise InvalidParameter(
            f"A tree of height {tree.height} needs {tree.height + 1} energies, got {wanted.shape}."
        )
    released = [float(v) for v in tree.tree_noise(budget).variances]
    variances = released + [math.inf] * (tree.height + 1 - len(released))
    return float(
        energies_variance(wanted, tree.fanout, variances, public_total=tree.root is Root.PUBLIC)
    )


def _simple(tree: CountTree) -> tuple[LevelBudget, ...]:
    splits = (
        LevelBudget.uniform(),
        LevelBudget.geometric(2 ** (1 / 3)),
        LevelBudget.geometric(2.0),
        LevelBudget.leaves_only(),
        tree.levels,
    )
    # height 0 with a sum or a public N has nothing to share
    return splits if tree.height or tree.root is Root.RELEASED else (tree.levels,)
