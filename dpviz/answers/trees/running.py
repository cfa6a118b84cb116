"""Running counts by a square root beside trees: errors at every edge, and one release's curve."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.answers.trees.question import SURE
from dpviz.answers.trees.rows import spread
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.square_root import absolute_sensitivity, squared_sensitivity
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.counting.prefix_sums import PrefixSums, lower_bound
from dpviz.mechanisms.counting.workload_split import workload_optimal

DRAWN = 512  # edges that a line is drawn with
SAME = 0.005  # share by which two errors differ that are called the same
ROOT, YOURS, BEST = "square root", "your tree", "best binary tree"


@confidential("name")
@dataclass(frozen=True, slots=True, eq=False)
class EdgeErrors:
    """One way: its name, standard errors (k,) at edges (k,), and their root mean square."""

    name: str
    edges: FloatArray
    errors: FloatArray
    typical: float
    is_first: bool = False


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class RunningNumbers:
    """Errors at every edge under each way, and the least mean error; all is public.

    tree is ∞ for a tree that tells larger parts alone, and alike whether it errs as the root.
    less is the share of the best binary tree's variance that the root saves; bound, the least
    possible error by mean variance, is known where records are added or removed and noise is
    Gaussian, and above is the share by which the root's variance is above it. Under pure ε the
    root has Laplace noise, and moved says how far one record moves its sums: in all, as that
    needs, and by the root of their squares, as Gaussian noise does.
    """

    every: tuple[EdgeErrors, ...]
    root: float
    tree: float
    alike: bool
    less: float
    bound: float | None
    above: float | None
    moved: tuple[float, float] | None = None


def answer(
    tree: CountTree, leaves: int, budget: Budget, ends: tuple[float, float]
) -> RunningNumbers:
    """For any budget; leaves are those that were asked for."""
    moved = _moved(leaves, tree.neighbours) if isinstance(budget, PureDP) else None
    noise = _root_noise(leaves, budget, tree.neighbours)
    if tree.root is Root.PUBLIC:
        noise = replace(noise, public_total=True)
    own = np.concatenate(([0.0], noise.standard_errors))
    every = [_errors(ROOT, own, ends, is_first=True)]
    if tree.shape.leaves == leaves:  # without its lowest level it tells other, larger parts
        every.append(_errors(YOURS, _tree_errors(tree.tree_noise(budget)), ends))
    every.append(_errors(BEST, best_binary(tree, leaves, budget), ends))
    typical = {one.name: one.typical for one in every}
    root, yours = typical[ROOT], typical.get(YOURS, math.inf)
    bound = _bound(leaves, budget, tree.neighbours)
    return RunningNumbers(
        tuple(every),
        root,
        yours,
        alike=abs(yours / root - 1) < SAME,
        less=1 - (root / typical[BEST]) ** 2,
        bound=bound,
        above=None if bound is None else (root / bound) ** 2 - 1,
        moved=moved,
    )


def _moved(leaves: int, relation: Neighbours) -> tuple[float, float]:
    squares = math.sqrt(squared_sensitivity(leaves, relation))
    return absolute_sensitivity(leaves, relation), squares


def _root_noise(leaves: int, budget: Budget, relation: Neighbours) -> PrefixNoise:
    """That of PrefixSums; under pure ε, which it does not give, with Laplace's variance."""
    if not isinstance(budget, PureDP):
        return PrefixSums(leaves, relation).noise(budget)
    scale = absolute_sensitivity(leaves, relation) / budget.epsilon
    return PrefixNoise(leaves, math.sqrt(Noise.LAPLACE.variance(scale)))


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class RunningCurve:
    """One release's running counts at its edges, (k,) each, smoothed, with their standard errors.

    band (k,) are half-widths of 19 in 20. truth (k,) and off, the smoothed curve's largest error,
    are confidential, and None while the truth is hidden.
    """

    edges: FloatArray
    counts: FloatArray
    smooth: FloatArray
    errors: FloatArray
    band: FloatArray
    truth: FloatArray | None
    off: float | None


def curve(release: PrefixRelease, truth: FloatArray | None) -> RunningCurve:
    """The CDF of a release; truth (k,) are exact running counts at its edges, or None."""
    raw = cdf(release)
    smooth = monotone(raw).counts
    errors = np.concatenate(([0.0], release.noise.standard_errors))
    off = None if truth is None else float(np.abs(smooth - truth).max())
    return RunningCurve(raw.edges, raw.counts, smooth, errors, SURE * errors, truth, off)


def best_binary(tree: CountTree, leaves: int, budget: Budget) -> FloatArray:
    """Standard errors at every leaf edge of the binary tree whose levels share the budget best."""
    height = max(1, math.ceil(math.log2(leaves)))
    binary = replace(tree, fanout=2, height=height, levels=LevelBudget.uniform())
    return _tree_errors(
        workload_optimal(binary, budget, prefixes(binary.shape))[0].tree_noise(budget)
    )


def _tree_errors(noise: TreeNoise) -> FloatArray:
    """At every leaf edge, after least squares; levels that are left out may tell no leaf."""
    return CdfErrors(noise, TreeEstimator.EFFICIENT).running_errors()


def _errors(
    name: str, errors: FloatArray, ends: tuple[float, float], *, is_first: bool = False
) -> EdgeErrors:
    size = errors.size
    at = np.unique(np.concatenate(([0], spread(size, DRAWN), [size - 1])))
    edges = ends[0] + (ends[1] - ends[0]) * at / (size - 1)
    typical = float(np.sqrt(np.mean(errors[1:] ** 2)))
    return EdgeErrors(name, edges, errors[at], typical, is_first)


def _bound(leaves: int, budget: Budget, relation: Neighbours) -> float | None:
    if relation is not Neighbours.ADD_REMOVE or isinstance(budget, PureDP):
        return None
    one = noise_scale(Noise.GAUSSIAN, budget, 1.0, relation)
    return one * math.sqrt(2 * lower_bound(leaves))
