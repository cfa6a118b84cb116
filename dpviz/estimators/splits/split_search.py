"""A search for the best split where a level's precision goes with the square of its share.

Every set of levels has a local optimum of its own, so descent alone is not enough: dynamic
programming over a grid of the Λ_k chooses the set; descent from it and many other starts refines.
"""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray

GRID = 400
STEPS = 400
DROPPED = 1e-6  # a share below this is on its way to 0


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
