"""The split of a tree's budget that answers a workload with the least variance.

Minimises Σ_k a_k/Λ_k over the shares s_l of the levels, Σ s_l = 1, where Λ_k = Σ_{l≥k} λ_l f^{h−l}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.split_search import best_found


@dataclass(frozen=True, slots=True)
class OptimalSplit:
    """Shares of the levels, root first, summing to 1; certified says whether no split is better."""

    shares: tuple[float, ...]
    certified: bool


def optimal_split(energies: ArrayLike, fanout: int, root: Root, *, quadratic: bool) -> OptimalSplit:
    """The best shares for a workload given by its energies (h + 1,).

    quadratic=False: a level's precision is proportional to its share (Gaussian noise; any noise
    under zCDP). The problem is convex and solved exactly. quadratic=True: to its square (Laplace
    noise under pure ε). Not convex: the best of a search over a grid and of many starts, each
    taken to a local optimum, never worse than uniform, geometric or leaves only.
    Raises: InvalidParameter for energies of no workload, or when there is nothing to share.
    Source: this project (methods.md §6).
    """
    wanted = np.asarray(energies, dtype=np.float64)
    if wanted.ndim != 1 or wanted.size == 0 or not (wanted >= 0).all() or not wanted.any():
        raise InvalidParameter(f"Energies must be h + 1 numbers ≥ 0, not all 0, got {energies!r}.")
    considered = _paid_for(wanted, root)
    if considered.size == 0:
        raise InvalidParameter("A tree of height 0 with a public N has no budget to split.")
    if not considered.any():  # only N was asked for, and N is public
        considered = np.ones_like(considered)
    search = best_found if quadratic else _convex_optimum
    shares = search(considered, fanout)
    full = np.concatenate([np.zeros(wanted.size - considered.size), shares])
    return OptimalSplit(tuple(full.tolist()), certified=not quadratic)


def _paid_for(energies: FloatArray, root: Root) -> FloatArray:
    """Energies by level among the levels that can be released."""
    if root is Root.RELEASED:
        return energies
    rest = energies[1:].copy()
    if root is Root.SUM and rest.size:
        rest[0] += energies[0]  # with no count of its own the root is known as well as level 1
    return rest


def _convex_optimum(energies: FloatArray, fanout: int) -> FloatArray:
    """Exact shares where precision is proportional to share.

    In Λ, which never grows downwards, the budget is linear: Σ_k w_k Λ_k. Minimising Σ a_k/Λ_k is
    then isotonic regression of a_k/w_k with weights w_k, whose square root is Λ up to a factor
    (Barlow and Brunk 1972): levels pooled by it get no budget of their own.
    """
    levels = np.arange(energies.size, dtype=np.float64)
    per_node = float(fanout) ** (levels - levels[-1])
    weights = per_node * np.where(levels > 0, 1 - 1 / fanout, 1.0)
    fit = isotonic_regression(energies / weights, weights=weights, increasing=False)
    strengths = np.sqrt(np.maximum(fit.x, 0.0))
    shares = (strengths - np.append(strengths[1:], 0.0)) * per_node
    return np.asarray(shares / shares.sum())
