"""Where to ask next, and where a quantile lies, given what people said: a noisy binary search.

The quantile may lie in any cell of a grid, each as likely at first. A cell weighs as much as the
likelihood of all answers under the curve that fits them best among those that ascend and cross the
quantile there: least squares, ascending, not above the quantile below the cell and not below it
above. The next people are asked at the median of these weights, which is the answer in the end.
Other searches move their weights by a fixed step, which needs a known distance from the quantile.
Source: after Karp and Kleinberg 2007; Gretta and Price 2023; Aamand et al. 2025; the weights are of
this project.
"""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray


def crossing(
    cuts: IntArray, shares: FloatArray, weights: FloatArray, quantile: float, cells: int
) -> float:
    """The median of where the quantile lies, in cells from 0, given estimates at the asked cuts.

    cuts (t,) lie in 1 … cells − 1, in any order, shares (t,) are unbiased, weights (t,) their
    1/variance.
    """
    at, order = np.unique(cuts, return_inverse=True)
    total = np.bincount(order, weights).astype(np.float64)
    means = np.bincount(order, weights * shares) / total
    lost = _misfits(means, total, quantile)
    lost += _misfits(-means[::-1], total[::-1], -quantile)[::-1]
    edges = np.concatenate(([0.0], at, [float(cells)]))
    chances = np.diff(edges) * np.exp((lost.min() - lost) / 2)
    sums = np.concatenate(([0.0], np.cumsum(chances)))
    return float(np.interp(sums[-1] / 2, sums, edges))


def _misfits(means: FloatArray, weights: FloatArray, top: float) -> FloatArray:
    """Σ w (mean − fit)² of the first 0 … t means, for the best ascending fit that is ≤ top.

    Neighbours that descend share their mean; one above top is fitted by top.
    """
    found = [0.0]
    pools: list[tuple[float, float, float, float]] = []  # Σ w, Σ w mean, Σ w mean², lost so far
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        w, first, second = weight, weight * mean, weight * mean * mean
        while pools and pools[-1][1] * w >= first * pools[-1][0]:
            before = pools.pop()
            w, first, second = w + before[0], first + before[1], second + before[2]
        fit = min(first / w, top)
        lost = (pools[-1][3] if pools else 0.0) + (second - 2 * fit * first + fit * fit * w)
        pools.append((w, first, second, lost))
        found.append(lost)
    return np.array(found)
