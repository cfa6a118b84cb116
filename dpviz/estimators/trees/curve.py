"""A CDF as running counts, and the numbers read from it with their errors: costs no budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.checks import checked_flag, checked_whole, found, real_numbers
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.core.trees.shape import TreeShape
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.trees.quantiles import interpolated_quantiles

ELEMENTS = 1 << 22  # weights worked on at once
Number = Any  # a float of one curve and one number, else an array; types cannot tell


class LinearErrors(Protocol):
    """What is known of the noise in running counts."""

    def linear_error(self, weights: ArrayLike) -> FloatArray:
        """Standard error (...) of Σ d_i·C_i from weights d (..., t + 1) on the running counts."""


class CurveErrors(LinearErrors, Protocol):
    """What is known of the noise in a curve of which quantiles have intervals."""

    def intervals(self, curve: Cdf, quantiles: FloatArray, beta: float) -> FloatArray:
        """Two edges (k, 2) between which each q-quantile lies with confidence 1 − β."""


class QuantileInterval(NamedTuple):
    """A quantile, and two edges between which it lies with the confidence that was asked for."""

    value: Number
    low: Number
    high: Number


@dataclass(frozen=True, slots=True, eq=False)
class Cdf:
    """Running counts: counts[..., i] records lie below edges[i]; the last is the estimate n̂ of N.

    >>> curve = dp.cdf(dp.estimate(tree))
    >>> [round(number, 1) for number in curve.quantile(0.5, beta=0.05)]
    [58.3, 56.2, 62.5]

    Shapes: edges (t + 1,) ascending, counts (..., t + 1) starting with 0. Units: the column's, and
    records. monotone says whether the counts were smoothed, public_total whether n̂ is a public N.
    Between edges counts are interpolated. curve(x) is a count of records, as counts are, no share.
    errors is what is known of the noise: a curve that dp.cdf made of a release or of an efficient
    estimate has it, one from_below or from_above does not. Methods that end in _error give the
    standard error of that noise alone (what lies between edges is not in it), and on a smoothed
    curve that of the curve before smoothing, which seldom makes it larger.
    Guarantee: post-processing; reading spends nothing.
    Raises: InvalidParameter for edges and counts that do not fit; errors that are not known.
    """

    edges: FloatArray
    counts: FloatArray
    monotone: bool = False
    public_total: bool = False
    errors: CurveErrors | None = None

    def __post_init__(self) -> None:
        for name in ("edges", "counts"):
            object.__setattr__(self, name, real_numbers(getattr(self, name), name))
        for name in ("monotone", "public_total"):
            object.__setattr__(self, name, checked_flag(getattr(self, name), name))
        edges, counts = self.edges, self.counts
        if edges.ndim != 1 or edges.size < 2 or counts.shape[-1:] != edges.shape:
            raise InvalidParameter(
                "A CDF needs two edges at least and one count for each, got edges of shape "
                f"{edges.shape} and counts of shape {counts.shape}."
            )
        if not (np.isfinite(edges).all() and (edges[:-1] <= edges[1:]).all()):
            raise InvalidParameter("The edges of a CDF must be finite and ascending.")
        if not (self.errors is None or hasattr(self.errors, "intervals")):
            raise InvalidParameter(
                f"errors must be what dp.cdf(release) knows of the noise, got {found(self.errors)}."
            )

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

    def __call__(self, x: ArrayLike) -> Number:
        """Records below x, as below."""
        return self.below(x)

    @usual_floats
    def below(self, x: ArrayLike) -> Number:
        """Records below each x, in the shape of x behind that of the curves.

        Raises: InvalidParameter if an x is NaN or no number.
        """
        at = _places(x, "x")
        return _plain(counts_below(self, at.ravel()), at.shape)

    def below_error(self, x: ArrayLike) -> Number:
        """Standard error of below, exact, in the shape of x. Raises: as below and Cdf."""
        at = _places(x, "x")
        return _plain(_errors(self, self._known(), value_weights, at.ravel()), at.shape)

    @usual_floats
    def count(self, low: ArrayLike, high: ArrayLike) -> Number:
        """Records in each [low, high); low and high broadcast against each other.

        Raises: InvalidParameter if low > high, or an end is NaN or no number.
        """
        start, end = _ranges(low, high)
        return _plain(cdf_range(self, start.ravel(), end.ravel()), start.shape)

    def count_error(self, low: ArrayLike, high: ArrayLike) -> Number:
        """Standard error of count, exact. Raises: as count and Cdf."""
        start, end = _ranges(low, high)
        ends = start.ravel(), end.ravel()
        return _plain(_errors(self, self._known(), range_weights, *ends), start.shape)

    @overload
    def quantile(self, q: ArrayLike) -> Number: ...
    @overload
    def quantile(self, q: ArrayLike, beta: float) -> QuantileInterval: ...

    @usual_floats
    def quantile(self, q: ArrayLike, beta: float | None = None) -> Number | QuantileInterval:
        """Where the curve passes q·n̂, in the shape of q; with β a value, a low and a high.

        The column's ⌈qN⌉-th value lies between the edges low and high with confidence 1 − β, each
        q for itself; the value read may lie outside on a curve that the noise makes fall.
        Raises: InvalidQuantiles for a q outside (0, 1); with β InvalidParameter for a smoothed
        curve and as Cdf. Source of the interval: quantile_interval.
        """
        asked = real_numbers(q, "q")
        value = _plain(cdf_quantiles(self, asked.ravel()), asked.shape)
        if beta is None:
            return value
        ends = self._known().intervals(self, asked.ravel(), beta)
        low, high = (_plain(side, asked.shape) for side in ends.T)
        return QuantileInterval(value, low, high)

    def quantile_error(self, q: ArrayLike) -> Number:
        """Standard error of quantile to first order, in the shape of q; NaN where n̂ ≤ 0.

        Half the distance between where the curve is one standard error below and above q·n̂.
        Raises: InvalidQuantiles for a q outside (0, 1); as Cdf.
        """
        asked = real_numbers(q, "q")
        spread = quantile_errors(self, self._known(), asked.ravel())
        return _plain(spread, asked.shape)

    @usual_floats
    def mean(self) -> Number:
        """Mean, records spread evenly between edges; NaN where n̂ ≤ 0."""
        return _plain(cdf_mean(self), None)

    def mean_error(self) -> Number:
        """Standard error of mean: exact for a public N, else to first order; NaN where n̂ ≤ 0."""
        return _plain(np.asarray(mean_error(self, self._known())), None)

    @usual_floats
    def variance(self) -> Number:
        """Variance around the curve's mean; negative for some curves before smoothing."""
        return _plain(cdf_variance(self), None)

    def variance_error(self) -> Number:
        """Standard error of variance to first order; NaN where n̂ ≤ 0."""
        return _plain(np.asarray(variance_error(self, self._known())), None)

    @usual_floats
    def mode(self) -> Number:
        """The middle of the interval with the highest count for its width: an argmax, no error."""
        return _plain(cdf_mode(self), None)

    def _known(self) -> CurveErrors:
        if self.errors is None:
            raise InvalidParameter(
                "The errors of this curve are not known. Make the curve with dp.cdf(release) or "
                "dp.cdf(dp.efficient(release))."
            )
        return self.errors


def edge_positions(shape: TreeShape, step: int = 1) -> IntArray:
    """Every step-th leaf edge and the last: indices into the leaf edges, shape (t + 1,).

    Raises: InvalidParameter for a step outside 1 … leaves.
    """
    checked_whole(step, "step", 1, shape.leaves)
    return np.append(np.arange(0, shape.leaves, step), shape.leaves)


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


def value_weights(curve: Cdf, values: FloatArray) -> FloatArray:
    """Weights (k, t + 1) of the running counts in the interpolated count below each value."""
    at = np.clip(values, curve.edges[0], curve.edges[-1])
    left, part = located(curve.edges, at)
    weights = np.zeros((at.size, curve.edges.size))
    rows = np.arange(at.size)
    weights[rows, left] = 1 - part
    weights[rows, left + 1] += part
    return weights


def range_weights(curve: Cdf, low: FloatArray, high: FloatArray) -> FloatArray:
    """Weights (k, t + 1) of the running counts in the count of each [low, high)."""
    return value_weights(curve, high) - value_weights(curve, low)


def quantile_errors(curve: Cdf, errors: LinearErrors, quantiles: FloatArray) -> FloatArray:
    """Standard errors (k,) of quantiles (k,), by the slope of one curve around them; NaN if n̂ ≤ 0.

    Half the distance between where the CDF is one standard error below and above its target.
    """
    values = cdf_quantiles(curve, quantiles)
    spread = _errors(curve, errors, _target_weights, values, quantiles)
    low, high = (_crossing(curve, counts_below(curve, values) + sign * spread) for sign in (-1, 1))
    return np.where(curve.total > 0, (high - low) / 2, np.nan)


def _target_weights(curve: Cdf, values: FloatArray, quantiles: FloatArray) -> FloatArray:
    """Of C(v) − q·n̂, whose noise moves v."""
    weights = value_weights(curve, values)
    weights[:, -1] -= quantiles
    return weights


def _errors(
    curve: Cdf, errors: LinearErrors, weights: Callable[..., FloatArray], *asked: FloatArray
) -> FloatArray:
    """Standard errors (k,) of weights(curve, …) for rows of what was asked, some at a time."""
    size = max(1, ELEMENTS // curve.edges.size)
    pieces = [
        errors.linear_error(weights(curve, *(each[start : start + size] for each in asked)))
        for start in range(0, asked[0].size, size)
    ]
    return np.concatenate([np.empty(0), *pieces])


def _crossing(curve: Cdf, targets: FloatArray) -> FloatArray:
    highest = np.maximum.accumulate(curve.counts)
    rising, first = np.unique(highest, return_index=True)
    return np.asarray(np.interp(targets, rising, curve.edges[first]))


def mean_error(curve: Cdf, errors: LinearErrors) -> float:
    """Standard error of cdf_mean of one curve; NaN where n̂ ≤ 0."""
    return _per_record_error(curve, errors, curve.middles - float(cdf_mean(curve)))


def variance_error(curve: Cdf, errors: LinearErrors) -> float:
    """Standard error of cdf_variance of one curve; NaN where n̂ ≤ 0."""
    variance = float(cdf_variance(curve))
    squares = (curve.middles - float(cdf_mean(curve))) ** 2 + np.diff(curve.edges) ** 2 / 12
    return _per_record_error(curve, errors, squares - variance)


def _per_record_error(curve: Cdf, errors: LinearErrors, bin_values: FloatArray) -> float:
    """Standard error of Σ value·count / n̂; NaN where n̂ ≤ 0."""
    if not curve.total > 0:
        return float("nan")
    weights = -np.diff(bin_values, prepend=0.0, append=0.0)  # Σ g_j (C_{j+1} − C_j) by parts
    return float(errors.linear_error(weights)) / float(curve.total)


def _places(x: ArrayLike, name: str) -> FloatArray:
    """Values of any shape; infinite ones lie beyond the bounds."""
    at = real_numbers(x, name)
    if np.isnan(at).any():
        raise InvalidParameter(f"{name} must be numbers, and NaN is not one.")
    return at


def _ranges(low: ArrayLike, high: ArrayLike) -> tuple[FloatArray, FloatArray]:
    try:
        start, end = np.broadcast_arrays(_places(low, "low"), _places(high, "high"))
    except ValueError as error:
        if isinstance(error, InvalidParameter):
            raise
        raise InvalidParameter(
            f"low and high need shapes that fit, got {np.shape(low)} and {np.shape(high)}."
        ) from None
    if not (start <= end).all():
        raise InvalidParameter("A range of values needs low ≤ high.")
    return start, end


def _plain(found: FloatArray, asked: tuple[int, ...] | None) -> Number:
    """Numbers (..., k) in the shape asked for behind that of the curves; one alone as a float."""
    shaped = found if asked is None else found.reshape((*found.shape[:-1], *asked))
    return float(shaped) if shaped.ndim == 0 else shaped
