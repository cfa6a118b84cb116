"""The split of a tree's budget that answers a workload with the least variance.

Minimises Σ_k a_k/Λ_k over the shares s_l of the levels, Σ s_l = 1, where Λ_k = Σ_{l≥k} λ_l f^{h−l}.

Where a level's precision goes with the square of its share, every set of levels has a local optimum
of its own, so descent alone is not enough: dynamic programming over a grid of the Λ_k chooses the
set; descent from it and many other starts refines.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.tree_noise import Root

GRID = 400
STEPS = 400
DROPPED = 1e-6  # a share below this is on its way to 0


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


def best_found(energies: FloatArray, fanout: int) -> FloatArray:
    """Shares (levels,) summing to 1 with the least Σ a_k/Λ_k that was found."""
    deepest = int(np.flatnonzero(energies)[-1])  # counting finer than anyone asks is never better
    wanted = energies[: deepest + 1]
    simple = _simple_starts(wanted.size)
    starts = np.concatenate([simple, _grid_optimum(wanted, fanout, simple)[None]])
    best = _refined(starts, wanted, fanout)
    best = _refined(np.concatenate([best[None], _neighbours(best)]), wanted, fanout)
    return np.concatenate([best, np.zeros(energies.size - wanted.size)])


def objective(shares: FloatArray, energies: FloatArray, fanout: int) -> FloatArray:
    """Σ a_k/Λ_k up to a constant, shape (...) from shares (..., levels); ∞ without the last."""
    with np.errstate(divide="ignore"):
        parts = np.where(energies > 0, energies / _strengths(shares, fanout), 0.0)
    return np.asarray(parts.sum(axis=-1))


def _strengths(shares: FloatArray, fanout: int) -> FloatArray:
    levels = np.arange(shares.shape[-1], dtype=np.float64)
    parts = shares**2 * float(fanout) ** -levels
    return np.asarray(np.cumsum(parts[..., ::-1], axis=-1)[..., ::-1])


def _refined(starts: FloatArray, energies: FloatArray, fanout: int) -> FloatArray:
    """The best of all starts after descent; never worse than any of them."""
    found = _descended(starts, energies, fanout)
    pruned = np.where(found > DROPPED, found, 0.0)
    pruned /= pruned.sum(axis=1, keepdims=True)
    candidates = np.concatenate([starts, found, pruned])
    return np.asarray(candidates[np.argmin(objective(candidates, energies, fanout))])


def _descended(starts: FloatArray, energies: FloatArray, fanout: int) -> FloatArray:
    """All starts together towards their local optima; the objective never grows.

    By convexity of 1/x, Σ a_k/Λ_k(λ) ≤ Σ_l B_l/λ_l with B_l = λ_l² f^{h−l} Σ_{k≤l} a_k/Λ_k² at the
    current point, where both agree; with λ = s² the right side is least at s_l ∝ B_l^{1/3}.
    """
    levels = np.arange(starts.shape[1], dtype=np.float64)
    shares = starts
    for _ in range(STEPS):
        slopes = np.cumsum(energies / _strengths(shares, fanout) ** 2, axis=1)
        shares = np.cbrt(shares**4 * float(fanout) ** -levels * slopes)
        shares = shares / shares.sum(axis=1, keepdims=True)
    return shares


def _simple_starts(levels: int) -> FloatArray:
    """Uniform, geometric, leaves only, and even splits over runs and strides of levels."""
    at = np.arange(levels)
    ratios = np.geomspace(0.25, 8, 11)
    geometric = ratios[:, None] ** (at - levels + 1)
    first = (at[None, :] >= at[:, None]).astype(np.float64)  # from level i down to the leaves
    # two end points and every stride in between, always with the leaves
    stride = np.arange(2, levels)
    strided = ((levels - 1 - at[None, :]) % stride[:, None] == 0).astype(np.float64)
    starts = np.concatenate([geometric, first, strided])
    return np.asarray(starts / starts.sum(axis=1, keepdims=True))


def _neighbours(shares: FloatArray) -> FloatArray:
    """The split with each level in turn taken out, or brought in with a fair share."""
    used = shares > 0
    fair = 1 / max(int(used.sum()), 1)
    changed = np.where(np.eye(shares.size, dtype=bool), np.where(used, 0.0, fair), shares)
    changed = changed[changed[:, -1] > 0]
    return np.asarray(changed / changed.sum(axis=1, keepdims=True))


def _grid_optimum(energies: FloatArray, fanout: int, starts: FloatArray) -> FloatArray:
    """The best split with all Λ_k on one logarithmic grid, by dynamic programming upwards.

    Scaling the shares shows that minimising Σ a_k/Λ_k + Σ s_l gives the same split as fixing Σ s_l,
    and a share is s_l = √((Λ_l − Λ_{l+1}) f^l): the cost is a sum over pairs of adjacent levels.
    """
    per_node = float(fanout) ** np.arange(energies.size)
    bound = float(objective(starts, energies, fanout).min())
    scale = (2 * bound) ** (2 / 3)  # the budget squared at which both sums balance
    lowest = min(scale * float(a) / bound for a in energies if a > 0) / 4
    strengths = np.geomspace(lowest, 4 * scale, GRID)
    steps = np.sqrt(np.maximum(strengths[:, None] - strengths[None, :], 0.0))
    steps[np.triu_indices(GRID, 1)] = np.inf  # Λ never grows downwards
    cost = np.sqrt(strengths * per_node[-1]) + energies[-1] / strengths
    chosen = []
    for level in range(energies.size - 2, -1, -1):
        paths = cost[None, :] + steps * np.sqrt(per_node[level])
        chosen.append(paths.argmin(axis=1))
        cost = np.take_along_axis(paths, chosen[-1][:, None], axis=1)[:, 0]
        cost = cost + energies[level] / strengths
    at = [int(cost.argmin())]
    for choice in reversed(chosen):
        at.append(int(choice[at[-1]]))
    taken = strengths[at]
    shares = np.sqrt((taken - np.append(taken[1:], 0.0)) * per_node)
    return np.asarray(shares / shares.sum())
