"""The square root of the running sum: a lower triangle M with M·M = A, and what follows from it.

A is the lower triangle of ones, so A x are running counts; M holds c_{i−j} on and below its
diagonal, c_0 = 1, c_k = c_{k−1} (1 − 1/(2k)). It depends on the number of bins alone.
Source: Fichtenberger, Henzinger and Upadhyay 2023; the replace-one case: this project.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.checks import checked_whole
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.convolution import Convolution
from dpviz.core.trees.shape import MAX_LEAVES

MOST_BINS = MAX_LEAVES


@dataclass(frozen=True, slots=True, eq=False)
class SquareRoot:
    """M for K bins, by its first column; read-only.

    Shapes: coefficients c_0 … c_{K−1} (K,); sums (K,), sums[t − 1] = G_t = Σ_{k<t} c_k², the
    variance at edge t of M z for z ~ N(0, I).
    """

    coefficients: FloatArray
    sums: FloatArray
    convolution: Convolution

    def applied(self, noise: FloatArray) -> FloatArray:
        """M z for every row of z (..., K): a convolution with c."""
        return self.convolution.applied(noise)

    def overlaps(self) -> FloatArray:
        """Σ_{k≥d} c_k c_{k−d} for d = 0 … K − 1: of the first column and the one d to its right."""
        bins = self.coefficients.size
        padded = 2 << (bins - 1).bit_length()  # so that no product wraps around
        power = np.abs(np.fft.rfft(self.coefficients, padded)) ** 2
        return np.fft.irfft(power, padded)[:bins]


@lru_cache(maxsize=4)  # of a public number; 100 MB for 2^22 bins
def square_root(bins: int) -> SquareRoot:
    """M for a number of bins from 1 to 2^22.

    Raises: InvalidParameter for any other number.
    """
    bins = checked_whole(bins, "bins", 1, MOST_BINS)
    coefficients = np.ones(bins)
    coefficients[1:] -= 0.5 / np.arange(1, bins)
    np.cumprod(coefficients, out=coefficients)
    sums = np.cumsum(coefficients**2)
    return SquareRoot(frozen(coefficients), frozen(sums), Convolution.of(coefficients))


@lru_cache(maxsize=256)
def squared_sensitivity(bins: int, neighbours: Neighbours) -> float:
    """S², the most that M x moves when one record does, squared.

    Add/remove: G_K, the first column of M. Replace-one: the furthest that two columns are apart,
    max_d Σ_{k<K} (c_k − c_{k−d} [k ≥ d])², where the left one is the first; a record that becomes
    a missing value moves one column alone, which is no more, but for a single bin.
    Raises: InvalidParameter for a number of bins outside 1 … 2^22.
    """
    root = square_root(bins)
    joined = float(root.sums[-1])
    if neighbours is Neighbours.ADD_REMOVE or bins == 1:
        return joined
    # ‖first‖² + ‖the one d to the right‖² − 2 · overlap, for d = 1 … K − 1
    apart = joined + root.sums[-2::-1] - 2 * root.overlaps()[1:]
    furthest = int(np.argmax(apart)) + 1
    moved = root.coefficients.copy()  # the winner again, as a sum of squares: nothing cancels
    moved[furthest:] -= root.coefficients[:-furthest]
    return max(joined, float(moved @ moved))


def lower_bound(bins: int) -> float:
    """ρ times the mean variance that no unbiased Gaussian mechanism for running counts goes below.

    (‖A‖_*/K)²/2, under add/remove: A x = L (R x + z) has mean variance ‖L‖_F² max column²(R)/(2ρK),
    and ‖L‖_F ‖R‖_F ≥ ‖A‖_*. The singular values of A are 1/(2 sin((2j − 1)π/(4K + 2))).
    Trees are such mechanisms, too. Units: records², times ρ.
    Raises: InvalidParameter for a number of bins outside 1 … 2^22.
    """
    bins = checked_whole(bins, "bins", 1, MOST_BINS)
    angles = (2 * np.arange(1, bins + 1) - 1) * (np.pi / (4 * bins + 2))
    nuclear = float(np.sum(0.5 / np.sin(angles)))
    return (nuclear / bins) ** 2 / 2
