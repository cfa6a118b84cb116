"""Which fanout errs least on running counts, against how many parts there are: all public."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.fanout_study import FanoutStudy, fanout_study, square_root_variance
from dpviz.estimators.splits.prefix_fanout import best_fanout, prefix_variance
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.noisy_counts import noise_scale


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to release a CDF of any number of parts: its typical errors (k,).

    best are the fanouts that its dots are labelled with, where it is the best of all fanouts.
    """

    name: str
    errors: FloatArray
    is_first: bool = False
    is_tree: bool = True
    best: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FanoutsNumbers:
    """Typical errors of a running count, in people, by number of parts (bins, (k,)) and way.

    About a tree of so many leaves: best is the fanout that errs least there, by least; own_error is
    that of the tree's own fanout. split_gain is the share of the error that a binary tree with the
    best split saves beside the best fanout, at the nearest number of parts in bins.
    """

    bins: IntArray
    ways: tuple[Way, ...]
    leaves: int
    own: int
    best: int
    least: float
    own_error: float
    split_gain: float
    raw: bool


def answer(
    shape: TreeShape, budget: Budget, relation: Neighbours, reading: TreeEstimator
) -> FanoutsNumbers:
    """For the raw and the efficient reading, which stands for the others, too."""
    unit = "eps" if isinstance(budget, PureDP) else "rho"
    read = "raw" if reading is TreeEstimator.RAW else "efficient"
    each, leaves = _unit_error(budget, relation), max(shape.leaves, 2)
    study = fanout_study(unit, read)
    best, _ = best_fanout(leaves, unit, read)
    at = int(np.argmin(np.abs(np.log2(study.bins / leaves))))
    return FanoutsNumbers(
        bins=study.bins,
        ways=tuple(_ways(study, each, relation)),
        leaves=shape.leaves,
        own=shape.fanout,
        best=best,
        least=each * math.sqrt(prefix_variance(leaves, best, unit, read)),
        own_error=each * math.sqrt(prefix_variance(leaves, shape.fanout, unit, read)),
        split_gain=1 - float(np.sqrt(study.split[at] / study.best_equal[at])),
        raw=reading is TreeEstimator.RAW,
    )


def _unit_error(budget: Budget, relation: Neighbours) -> float:
    """The standard error of a count with all of the budget, over that of ε = 1 or ρ = 1."""
    pure = isinstance(budget, PureDP)
    scale = noise_scale(Noise.LAPLACE if pure else Noise.GAUSSIAN, budget, 1.0, relation)
    return scale if pure else scale * math.sqrt(2)


def _ways(study: FanoutStudy, each: float, relation: Neighbours) -> list[Way]:
    """Lines of the picture, their errors in people."""
    found = [
        Way(f"fanout {fanout}", each * np.sqrt(variances))
        for fanout, variances in study.equal.items()
    ]
    best = each * np.sqrt(study.best_equal)
    found.append(Way("best fanout", best, is_first=True, best=study.best))
    found.append(Way("binary, best split", each * np.sqrt(study.split), is_tree=False))
    if study.square_root is not None:  # its errors grow less under replace-one than those of trees
        own = [square_root_variance(int(bins), relation) for bins in study.bins]
        alone = each / math.sqrt(2) if relation is Neighbours.REPLACE_ONE else each
        found.append(Way("square root", alone * np.sqrt(own), is_tree=False))
    return found
