"""The noise of running counts by the square root, before any count: what errors depend on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.square_root import square_root

CHUNK = 2**20  # products worked on at once


@dataclass(frozen=True, slots=True)
class PrefixNoise:
    """Noise M z on the running counts at edges 1 … K of K bins, z ~ N(0, scale² I).

    public_total says that N is known: then what the noise of the last count says about the others
    is taken off, and the last one is exact. Edges are 0 … K, the count at edge 0 is exactly 0.
    Units: records, records². It depends on public choices alone.
    """

    bins: int
    scale: float
    public_total: bool = False

    @property
    def shape(self) -> TreeShape:
        """The bins as the leaves of a tree of height 1, for their edges."""
        return shape_of(self.bins)

    @property
    def variances(self) -> FloatArray:
        """At edges 1 … K, (K,): scale² G_t, less the part that a public N explains."""
        sums = square_root(self.bins).sums
        if not self.public_total:
            return np.asarray(self.scale**2 * sums)
        left = self.scale**2 * (sums - last_covariances(self.bins) ** 2 / sums[-1])
        left[-1] = 0.0
        return np.asarray(np.maximum(left, 0.0))

    @property
    def standard_errors(self) -> FloatArray:
        """At edges 1 … K, (K,)."""
        return np.sqrt(self.variances)

    def covariance(self, first: ArrayLike, second: ArrayLike) -> FloatArray:
        """Cov(s, t) = scale² Σ_{k<min} c_k c_{k+|s−t|} of the counts at pairs of edges 0 … K.

        Shapes: first and second broadcast against each other; so does the result.
        Raises: InvalidParameter for an edge that is not a whole number from 0 to K.
        """
        one, other = self._pairs(first, second)
        joint = _summed(self.bins, np.minimum(one, other), np.abs(one - other), np.multiply)
        if self.public_total:
            joint -= self._explained(one) * self._explained(other)
        return np.asarray(self.scale**2 * joint)

    @property
    def covariances_with_last(self) -> FloatArray:
        """Cov(t, K) at edges 0 … K, (K + 1,), as covariance in O(K log K): 0 for a public N."""
        if self.public_total:
            return np.zeros(self.bins + 1)
        return np.concatenate(([0.0], self.scale**2 * last_covariances(self.bins)))

    def range_variance(self, first: ArrayLike, second: ArrayLike) -> FloatArray:
        """Variance of the number of records between two edges s ≤ t, in bins s + 1 … t.

        scale² Σ_{k<t} (c_k − c_{k−(t−s)} [k ≥ t − s])²; shapes and errors as covariance.
        """
        one, other = self._pairs(first, second)
        start, width = np.minimum(one, other), np.abs(one - other)
        sums = np.concatenate(([0.0], square_root(self.bins).sums))
        own = sums[width] + _summed(self.bins, start, width, _squared_difference)
        if self.public_total:
            own -= (self._explained(one) - self._explained(other)) ** 2
        return np.asarray(self.scale**2 * np.maximum(own, 0.0))

    def linear_error(self, weights: FloatArray) -> FloatArray:
        """Standard error (...) of Σ d_t S_t from weights d (..., K + 1) on the counts at the edges.

        Σ d_t S_t = (Mᵀ d)·z, and Mᵀ d is M applied to d read backwards, in O(K log K).
        """
        moved = np.array(weights[..., 1:], dtype=np.float64)
        if self.public_total:  # S*_t = S_t − Cov(t, K)/Var(K) S_K
            last = last_covariances(self.bins)
            moved[..., -1] -= moved @ (last / last[-1])
        through = square_root(self.bins).applied(moved[..., ::-1])
        return np.asarray(self.scale * np.sqrt((through**2).sum(axis=-1)))

    def simulate(self, runs: int, rng: np.random.Generator) -> FloatArray:
        """Noise of the running counts at edges 1 … K, (runs, K); nothing in it is private."""
        noise = square_root(self.bins).applied(rng.normal(0.0, self.scale, (runs, self.bins)))
        return with_last(noise, 0.0) if self.public_total else noise

    def _explained(self, edges: IntArray) -> FloatArray:
        """Cov(t, K)/√Var(K) at edges t, for scale 1."""
        last = np.concatenate(([0.0], last_covariances(self.bins)))
        return np.asarray(last[edges] / np.sqrt(last[-1]))

    def _pairs(self, first: ArrayLike, second: ArrayLike) -> tuple[IntArray, IntArray]:
        one, other = (_edges(given, self.bins) for given in (first, second))
        try:
            one, other = np.broadcast_arrays(one, other)
        except ValueError:
            raise InvalidParameter(
                f"Pairs of edges need shapes that fit, got {one.shape} and {other.shape}."
            ) from None
        return one, other


def shape_of(bins: int) -> TreeShape:
    """The tree whose leaves are these bins."""
    return TreeShape(2, 0) if bins == 1 else TreeShape(bins, 1)


def with_last(counts: FloatArray, total: float) -> FloatArray:
    """Running counts (..., K) at edges 1 … K, given that the last one is total exactly.

    S*_t = S_t − Cov(t, K)/Var(K) (S_K − N): the regression on the noise of the last count.
    """
    last = last_covariances(counts.shape[-1])
    known = counts - (last / last[-1]) * (counts[..., -1:] - total)
    known[..., -1] = total
    return np.asarray(known)


@lru_cache(maxsize=4)  # of a public number
def last_covariances(bins: int) -> FloatArray:
    """Cov(t, K) at edges t = 1 … K for scale 1, (K,), read-only: M times the last row of M."""
    root = square_root(bins)
    return frozen(root.applied(root.coefficients[::-1]))


def _edges(given: Any, bins: int) -> IntArray:
    try:
        edges = np.asarray(given)
    except ValueError:  # rows of different lengths
        edges = np.asarray(None)
    if edges.dtype.kind not in "iu" or not ((edges >= 0) & (edges <= bins)).all():
        raise InvalidParameter(
            f"Edges must be whole numbers from 0 to {bins:,}, got {found(given)}."
        )
    return edges.astype(np.int64)


def _squared_difference(low: FloatArray, high: FloatArray) -> FloatArray:
    return np.asarray((high - low) ** 2)


def _summed(
    bins: int,
    terms: IntArray,
    lags: IntArray,
    combine: Callable[[FloatArray, FloatArray], FloatArray],
) -> FloatArray:
    """Σ_{k<terms} combine(c_k, c_{k+lag}) for arrays of terms and lags, some k at a time."""
    coefficients = square_root(bins).coefficients
    total = np.zeros(terms.shape)
    size = max(1, CHUNK // max(1, terms.size))
    for start in range(0, int(terms.max(initial=0)), size):
        k = np.arange(start, min(bins, start + size))
        counted = k < terms[..., None]
        shifted = np.minimum(k + lags[..., None], bins - 1)  # those beyond are not counted
        total += np.where(counted, combine(coefficients[k], coefficients[shifted]), 0.0).sum(-1)
    return total
