"""The square root of the running sum: a lower triangle M with M·M = A, and what follows from it.

A is the lower triangle of ones, so A x are running counts; M holds c_{i−j} on and below its
diagonal, c_0 = 1, c_k = c_{k−1} (1 − 1/(2k)). It depends on the number of bins alone.
Source: Fichtenberger, Henzinger and Upadhyay 2023; the replace-one case: this project.

M z is fast: what lies near goes by short Fourier transforms, far blocks through a few points of
each. z is cut into blocks of b. A block's own part and that of the block before it are convolutions
of length 2b, which stay in fast memory. Further away c is so smooth that a block acts through its
values at 20 Chebyshev points, to the last digits; and blocks then act on each other by their
distance alone, which is one more Fourier transform. One transform of all of z takes
three times as long.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import Neighbours
from dpviz.core.checks import checked_whole
from dpviz.core.trees.shape import MAX_LEAVES

MOST_BINS = MAX_LEAVES
BLOCK = 1024
PIECE = 2**17  # numbers transformed at once: 1 MB, in fast memory
POINTS = 20  # the nearest zero of 1/c is 3 half-blocks away: (3 + √8)^−20 < 1e-15
# c_t √(πt) = 1 − 1/(8t) + …, to the last digit from t = 1,000 on
SERIES = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, slots=True, eq=False)
class SquareRoot:
    """M for K bins, by its first column; read-only.

    Shapes: coefficients c_0 … c_{K−1} (K,); sums (K,), sums[t − 1] = G_t = Σ_{k<t} c_k², the
    variance at edge t of M z for z ~ N(0, I).
    """

    coefficients: FloatArray
    sums: FloatArray
    convolution: "Convolution"

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


@lru_cache(maxsize=256)
def absolute_sensitivity(bins: int, neighbours: Neighbours) -> float:
    """The most that the numbers of M x move in all when one record does: Σ|·|, for Laplace noise.

    Add/remove: S_K, with S_t = Σ_{k<t} c_k, the first column. Replace-one: two columns that are d
    apart differ by 2 S_d + S_{K−d} − S_K in all at most, the left one being the first, for c falls.
    Raises: InvalidParameter for a number of bins outside 1 … 2^22.
    Source: this project.
    """
    sums = np.cumsum(square_root(bins).coefficients)
    joined = float(sums[-1])
    if neighbours is Neighbours.ADD_REMOVE or bins == 1:
        return joined
    return max(joined, float(np.max(2 * sums[:-1] + sums[-2::-1] - joined)))


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


@dataclass(frozen=True, slots=True, eq=False)
class Far:
    """How blocks act on those at least two further on.

    Shapes: weights (r, b), the polynomials that are 1 at one of r points and 0 at the others;
    spectrum (f, r, r), over the distance of two blocks: source point, then target point.
    """

    weights: FloatArray
    spectrum: ComplexArray

    def acting(self, blocks: FloatArray) -> FloatArray:
        """The part of far blocks in every block, (..., B, b) from the blocks."""
        number = blocks.shape[-2]
        heard = np.fft.rfft(blocks @ self.weights.T, 2 * number, axis=-2)
        heard = (heard[..., None, :] @ self.spectrum)[..., 0, :]
        told = np.fft.irfft(heard, 2 * number, axis=-2)[..., :number, :]
        return np.asarray(told @ self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Convolution:
    """The first K terms of a convolution with c, for rows of z (..., K); read-only.

    near (2, b + 1) holds the transforms of c as one block sees it in itself and in the next.
    """

    bins: int
    block: int
    near: ComplexArray
    far: Far | None

    @classmethod
    def of(cls, coefficients: FloatArray) -> "Convolution":
        """For c (K,)."""
        bins = coefficients.size
        block = min(BLOCK, 1 << (bins - 1).bit_length())
        seen = np.zeros(4 * block)  # a block of zeros, then what there is of c
        known = min(bins, 2 * block)
        seen[block : block + known] = coefficients[:known]
        near = np.fft.rfft([seen[: 2 * block], seen[block : 3 * block]])
        number = -(-bins // block)
        far = _far(number, block) if number > 2 else None
        return cls(bins, block, frozen(near), far)

    def applied(self, noise: FloatArray) -> FloatArray:
        """M z for every row of z (..., K), in O(K log K) each."""
        blocks = self._blocks(noise)
        result = np.zeros(blocks.shape) if self.far is None else self.far.acting(blocks)
        self._add_near(blocks, result)
        return np.asarray(result.reshape(*noise.shape[:-1], -1)[..., : self.bins])

    def _add_near(self, blocks: FloatArray, result: FloatArray) -> None:
        """Add what each block (..., B, b) hears of itself and of the one before, some at a time."""
        number, block = blocks.shape[-2:]
        size = max(1, PIECE * number // blocks.size)
        before = np.zeros((*blocks.shape[:-2], 1, block + 1), dtype=np.complex128)
        for start in range(0, number, size):
            part = np.s_[..., start : start + size, :]
            own = np.fft.rfft(blocks[part], 2 * block)
            heard = own * self.near[0]
            heard[..., :1, :] += before * self.near[1]
            before = own[..., -1:, :].copy()
            own *= self.near[1]
            heard[..., 1:, :] += own[..., :-1, :]
            result[part] += np.fft.irfft(heard, 2 * block)[..., block:]

    def _blocks(self, noise: FloatArray) -> FloatArray:
        """Rows (..., B, b), with zeros at the end where K is no multiple of b."""
        missing = -self.bins % self.block
        if missing:
            widths: Any = [(0, 0)] * (noise.ndim - 1) + [(0, missing)]
            noise = np.pad(noise, widths)
        return noise.reshape(*noise.shape[:-1], -1, self.block)


def _far(number: int, block: int) -> Far:
    """Between `number` blocks, at Chebyshev points of each."""
    angles = (np.arange(POINTS) + 0.5) * np.pi / POINTS
    points = np.cos(angles)
    # barycentric weights; no point is a whole number, so nothing is divided by 0
    signs = np.sin(angles) * (-1.0) ** np.arange(POINTS)
    places = 2 * np.arange(block) / (block - 1) - 1
    weights = signs[:, None] / (places - points[:, None])
    weights /= weights.sum(axis=0)
    at = (points + 1) / 2 * (block - 1)
    lags = np.arange(2, number)[:, None, None] * block + at - at[:, None]
    acts = np.zeros((number, POINTS, POINTS))
    acts[2:] = smooth_coefficients(lags)
    return Far(frozen(weights), frozen(np.fft.rfft(acts, 2 * number, axis=0)))


def smooth_coefficients(at: FloatArray) -> FloatArray:
    """Γ(t + ½)/(√π Γ(t + 1)), c at any t from 1,000 up, whole or not, to the last digit."""
    inverse = 1 / at
    series = np.polynomial.polynomial.polyval(inverse, SERIES)
    return np.asarray(np.sqrt(inverse / np.pi) * series)
