"""A CDF as running counts, and the numbers read from it: costs no budget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.quantiles import QuantileSet
from dpviz.estimators.trees.quantiles import interpolated_quantiles


@dataclass(frozen=True, slots=True, eq=False)
class Cdf:
    """Running counts: counts[..., i] records lie below edges[i]; the last is the estimate n̂ of N.

    Shapes: edges (t + 1,) ascending, counts (..., t + 1) starting with 0. Units: the column's, and
    records. monotone says whether the counts were smoothed, public_total whether n̂ is a public N.
    """

    edges: FloatArray
    counts: FloatArray
    monotone: bool = False
    public_total: bool = False

    @property
    def total(self) -> FloatArray:
        """n̂, shape (...)."""
        return np.asarray(self.counts[..., -1])

    @property
    def bins(self) -> FloatArray:
        """Counts of the intervals between edges, shape (..., t)."""
        return np.asarray(np.diff(self.counts, axis=-1))

    @property
    def middles(self) -> FloatArray:
        """Middles of the intervals, shape (t,)."""
        return np.asarray((self.edges[:-1] + self.edges[1:]) / 2)


def cdf_quantiles(curve: Cdf, quantiles: QuantileSet | ArrayLike) -> FloatArray:
    """Where the CDF passes q·n̂, by linear interpolation: (..., k) in the order asked."""
    wanted = QuantileSet.of(
        quantiles if isinstance(quantiles, QuantileSet) else np.asarray(quantiles, dtype=float)
    )
    found = interpolated_quantiles(curve.counts, curve.edges, wanted.distinct)
    return wanted.in_order_asked(found)


def cdf_mean(curve: Cdf) -> FloatArray:
    """Σ middle · count / n̂, shape (...); NaN where n̂ ≤ 0."""
    return _ratio(curve.bins @ curve.middles, curve.total)


def cdf_variance(curve: Cdf) -> FloatArray:
    """Variance around the CDF's own mean, records spread evenly in each interval; (...).

    A raw CDF may give a negative one. NaN where n̂ ≤ 0. Units: the column's, squared.
    """
    centred = curve.middles - cdf_mean(curve)[..., None]
    squares = centred**2 + np.diff(curve.edges) ** 2 / 12
    return _ratio((curve.bins * squares).sum(axis=-1), curve.total)


def cdf_mode(curve: Cdf) -> FloatArray:
    """The middle of the interval with the highest count for its width, shape (...)."""
    density = curve.bins / np.diff(curve.edges)
    return np.asarray(curve.middles[density.argmax(axis=-1)])


def cdf_range(curve: Cdf, low: ArrayLike, high: ArrayLike) -> FloatArray:
    """Records in [low, high) by interpolation, shape (..., k) from low and high (k,)."""
    return counts_below(curve, high) - counts_below(curve, low)


def counts_below(curve: Cdf, at: ArrayLike) -> FloatArray:
    """Records below each value by linear interpolation between edges, shape (..., k)."""
    values = np.clip(np.atleast_1d(np.asarray(at, dtype=np.float64)), curve.edges[0], None)
    values = np.minimum(values, curve.edges[-1])
    left, part = located(curve.edges, values)
    return np.asarray((1 - part) * curve.counts[..., left] + part * curve.counts[..., left + 1])


def located(edges: FloatArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """The interval of each value (k,) inside the edges, and how far into it, in [0, 1]."""
    left = np.searchsorted(edges, values, side="right").astype(np.int64) - 1
    left = np.clip(left, 0, edges.size - 2)
    with np.errstate(
        divide="ignore", invalid="ignore"
    ):  # bounds may hold fewer doubles than leaves
        part = (values - edges[left]) / (edges[left + 1] - edges[left])
    return left, np.nan_to_num(np.clip(part, 0.0, 1.0))


def _ratio(numerator: FloatArray, total: FloatArray) -> FloatArray:
    safe = np.where(total > 0, total, np.nan)
    return np.asarray(numerator / safe)
