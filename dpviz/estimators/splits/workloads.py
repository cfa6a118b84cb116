"""Workloads to plan for, each as h + 1 numbers: the mean energies of its queries by level.

energies[k] is the mean of ‖P_k c‖² (see workload.py); all are public choices, made without data.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.trees.ranges import Ranges, leaf_units
from dpviz.estimators.trees.workload import range_energies


def all_ranges(shape: TreeShape) -> FloatArray:
    """Every range of whole leaves once, n(n + 1)/2 of them, in closed form; shape (h + 1,).

    With u_a = P_k of the prefix [0, a): Σ_{a<b} ‖u_b − u_a‖² = (n + 1) Σ ‖u_a‖² − ‖Σ u_a‖².
    """
    n = float(shape.leaves)
    constants = (n + 1) * (n + 2) / (6 * n)

    def energy(level: int) -> float:
        f, width = float(shape.fanout), float(shape.leaves // shape.nodes(level))
        parents = shape.nodes(level - 1)
        squared_sum = parents * width**3 * f * (f**2 - 1) / 12
        return ((n + 1) * parents * _prefixes_in_a_node(f, width) - squared_sum) * 2 / (n * (n + 1))

    return _by_levels(shape, constants, energy)


def prefixes(shape: TreeShape, step: int = 1) -> FloatArray:
    """The running counts of a CDF at every step-th leaf edge, the last included; (h + 1,)."""
    n = shape.leaves
    if not 1 <= step <= n:
        raise InvalidParameter(f"The step must lie in 1 … {n} leaves, got {step}.")
    if step > 1:
        ends = np.append(np.arange(step, n, step, dtype=np.float64), float(n))
        return range_energies(shape, np.zeros(ends.size), ends)

    def energy(level: int) -> float:
        width = float(shape.leaves // shape.nodes(level))
        return shape.nodes(level - 1) * _prefixes_in_a_node(float(shape.fanout), width) / n

    return _by_levels(shape, (n + 1) * (2 * n + 1) / (6 * n), energy)


def single_leaves(shape: TreeShape) -> FloatArray:
    """Every leaf count once: what a histogram is read for; (h + 1,)."""
    sizes = np.array([shape.nodes(level) for level in range(shape.height + 1)], dtype=np.float64)
    return np.diff(sizes, prepend=0.0) / shape.leaves


def listed_ranges(
    low: ArrayLike,
    high: ArrayLike,
    bounds: Bounds,
    shape: TreeShape,
    weights: ArrayLike | None = None,
) -> FloatArray:
    """A user's list of ranges [low, high) in the column's units; (h + 1,)."""
    return range_energies(shape, *leaf_units(low, high, bounds, shape), weights)


def random_ranges(
    shape: TreeShape, count: int, rng: np.random.Generator, *, whole_leaves: bool = True
) -> Ranges:
    """Ranges in leaf units with both ends drawn uniformly: starts and ends (count,).

    Whole leaves by default, and then never empty; else anywhere in the leaves.
    """
    if whole_leaves:
        first, second = rng.integers(0, shape.leaves, (2, count)).astype(np.float64)
        return np.minimum(first, second), np.maximum(first, second) + 1
    ends = np.sort(rng.uniform(0, shape.leaves, (2, count)), axis=0)
    return ends[0], ends[1]


def _prefixes_in_a_node(f: float, m: float) -> float:
    """Σ ‖P_k [0, a)‖² over the f·m offsets a inside one parent with f children of m leaves."""
    whole_children = m**2 * f * (f - 1) / 2
    cut_child = f * (m - 1) * (2 * m - 1) / 6
    mean = (f * m - 1) * (2 * f * m - 1) / 6
    return whole_children + cut_child - mean


def _by_levels(shape: TreeShape, constants: float, energy: Callable[[int], float]) -> FloatArray:
    return np.array([constants, *(energy(level) for level in range(1, shape.height + 1))])
