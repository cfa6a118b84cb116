"""The square root of the running sum: a lower triangle M with M·M = A, and what follows from it.

A is the lower triangle of ones, so A x are running counts; M holds c_{i−j} on and below its
diagonal, c_0 = 1, c_k = c_{k−1} (1 − 1/(2k)). It depends on the number of bins alone.
Source: Fichtenberger, Henzinger and Upadhyay 2023; the replace-one case: this project.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.checks import checked_whole
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.shape import MAX_LEAVES

MOST_BINS = MAX_LEAVES


@dataclass(frozen=True, slots=True, eq=False)
class SquareRoot:
    """M for K bins, by its first column; read-only.

    Shapes: coefficients c_0 … c_{K−1} (K,); sums (K,), sums[t − 1] = G_t = Σ_{k<t} c_k², the
    variance at edge t of M z for z ~ N(0, I); spectrum is the Fourier transform of the
    coefficients, padded so that no product wraps around.
    """

    coefficients: FloatArray
    sums: FloatArray
    spectrum: NDArray[np.complex128]
    padded: int

    def applied(self, noise: FloatArray) -> FloatArray:
        """M z for every row of z (..., K): one convolution with c, O(K log K)."""
        transformed = np.fft.rfft(noise, self.padded)
        transformed *= self.spectrum
        return np.fft.irfft(transformed, self.padded)[..., : self.coefficients.size]

    def overlaps(self) -> FloatArray:
        """Σ_{k≥d} c_k c_{k−d} for d = 0 … K − 1: of the first column and the one d to its right."""
        power = (self.spectrum * self.spectrum.conj()).real
        return np.fft.irfft(power, self.padded)[: self.coefficients.size]


@lru_cache(maxsize=2)  # of a public number; 130 MB for 2^22 bins
def square_root(bins: int) -> SquareRoot:
    """M for a number of bins from 1 to 2^22.

    Raises: InvalidParameter for any other number.
    """
    bins = checked_whole(bins, "bins", 1, MOST_BINS)
    coefficients = np.ones(bins)
    coefficients[1:] -= 0.5 / np.arange(1, bins)
    np.cumprod(coefficients, out=coefficients)
    padded = _fast_size(2 * bins)
    return SquareRoot(
        frozen(coefficients),
        frozen(np.cumsum(coefficients**2)),
        frozen(np.fft.rfft(coefficients, padded)),
        padded,
    )


def _fast_size(least: int) -> int:
    """The smallest size from `least` up that is 1, 3, 5, 9 or 15 times a power of two."""
    return min(odd << max(0, (-(-least // odd) - 1).bit_length()) for odd in (1, 3, 5, 9, 15))


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
