"""What a tree of each fanout makes of a CDF, against how many parts it has; all of it is public."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Neighbours
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.square_root import lower_bound, square_root, squared_sensitivity
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.optimal_split import optimal_split
from dpviz.estimators.splits.prefix_fanout import best_fanout, prefix_variance
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.workload import energies_variance

FANOUTS = (2, 4, 8, 16)
HEIGHTS = tuple(range(4, 21))  # of binary trees: 16 to a million parts


@dataclass(frozen=True, slots=True, eq=False)
class FanoutStudy:
    """Mean variances over all running counts, for ε = 1 or ρ = 1 and one added or removed record.

    Shapes: bins (k,), and every variance (k,), in records². equal are trees of one fanout whose
    levels share equally, best the fanout that is best then and its variance; split is the binary
    tree with the best split of its budget. In ε there is no square_root, and least is not known.
    """

    bins: IntArray
    equal: Mapping[int, FloatArray]
    best: tuple[int, ...]
    best_equal: FloatArray
    split: FloatArray
    square_root: FloatArray | None = None
    least: FloatArray | None = None


@lru_cache(maxsize=4)  # of public numbers
def fanout_study(unit: str, reading: str) -> FanoutStudy:
    """The study at 2^4 … 2^20 parts; unit is "eps" or "rho", reading "raw" or "efficient".

    The binary tree with the best split is read efficiently in either case.
    Raises: InvalidParameter for another unit or reading.
    Source: this project (methods_next.md §9 and §10), after Rameshwar, Tandon and Sharma 2024.
    """
    bins = 2 ** np.array(HEIGHTS, dtype=np.int64)
    best = tuple(best_fanout(int(one), unit, reading)[0] for one in bins)
    equal = {
        fanout: np.array([prefix_variance(int(one), fanout, unit, reading) for one in bins])
        for fanout in FANOUTS
    }
    found = np.array(
        [prefix_variance(int(k), f, unit, reading) for k, f in zip(bins, best, strict=True)]
    )
    split = np.array([split_variance(height, unit) for height in HEIGHTS])
    if unit == "eps":
        return FanoutStudy(bins, equal, best, found, split)
    roots = np.array([square_root_variance(int(one), Neighbours.ADD_REMOVE) for one in bins])
    least = np.array([lower_bound(int(one)) for one in bins])
    return FanoutStudy(bins, equal, best, found, split, roots, least)


def split_variance(height: int, unit: str) -> float:
    """Mean variance of a binary tree with the split that is best for running counts."""
    energies = prefixes(TreeShape(2, height))
    pure = unit == "eps"
    found = optimal_split(energies, 2, Root.RELEASED, quadratic=pure)
    shares = np.array(found.shares)
    with np.errstate(divide="ignore"):
        variances = 2.0 / shares**2 if pure else 0.5 / shares
    return float(energies_variance(energies, 2, variances.tolist(), public_total=False))


def square_root_variance(bins: int, relation: Neighbours) -> float:
    """Mean variance of running counts by the square root, for ρ = 1."""
    return float(squared_sensitivity(bins, relation) * square_root(bins).sums.mean() / 2)
