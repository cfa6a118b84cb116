"""What is read from a CDF: a few numbers, each with a standard error where it has one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.quantiles import QuantileSet
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.cdf import Cdf
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.quantiles import interpolated_quantiles


@dataclass(frozen=True, slots=True)
class Reading:
    """One number read from a CDF. standard_error is None where it has none; method says how."""

    name: str
    value: float
    standard_error: float | None
    method: str


EXACT = "exact"
DELTA = "delta method"
SECANT = "delta method, slope of the CDF over ± one standard error"


def summary(
    curve: Cdf, errors: CdfErrors, quantiles: ArrayLike = (0.25, 0.5, 0.75)
) -> tuple[Reading, ...]:
    """N, mean, variance, median, mode and quantiles of one CDF (t + 1,), with standard errors.

    Errors are those of the CDF before smoothing, which seldom makes them larger. The variance of
    noise is exact; where n̂ divides, to first order. A quantile's is half the distance between
    where the CDF is one standard error below and above its target. The mode is an argmax, without
    one.
    """
    asked = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    unit = np.zeros(curve.counts.size)
    unit[-1] = 1.0
    readings = [
        Reading("N", float(curve.total), float(errors.linear_error(unit)), EXACT),
        _mean(curve, errors),
        _variance(curve, errors),
        Reading("mode", float(cdf_mode(curve)), None, "largest bin"),
        quantile_readings(curve, errors, [0.5], ["median"])[0],
    ]
    names = [f"{q:.4g} quantile" for q in asked]
    return (*readings, *quantile_readings(curve, errors, asked, names))


def range_reading(curve: Cdf, errors: CdfErrors, low: float, high: float) -> Reading:
    """Records in [low, high): exact standard error."""
    weights = _value_weights(curve, np.array([high])) - _value_weights(curve, np.array([low]))
    return Reading(
        f"records in [{low:g}, {high:g})",
        float(cdf_range(curve, [low], [high])[0]),
        float(errors.linear_error(weights[0])),
        EXACT,
    )


def quantile_readings(
    curve: Cdf, errors: CdfErrors, quantiles: ArrayLike, names: list[str]
) -> list[Reading]:
    """Quantiles with standard errors by the slope of the CDF around them."""
    q = np.asarray(quantiles, dtype=np.float64)
    values = cdf_quantiles(curve, q)
    weights = _value_weights(curve, values)
    weights[:, -1] -= q  # C(v) − q·n̂, whose noise moves v
    spread = errors.linear_error(weights)
    low, high = (_crossing(curve, counts_below(curve, values) + sign * spread) for sign in (-1, 1))
    return [
        Reading(name, float(v), float(half) if curve.total > 0 else None, SECANT)
        for name, v, half in zip(names, values, (high - low) / 2, strict=True)
    ]


def _crossing(curve: Cdf, targets: FloatArray) -> FloatArray:
    highest = np.maximum.accumulate(curve.counts)
    rising, first = np.unique(highest, return_index=True)
    return np.asarray(np.interp(targets, rising, curve.edges[first]))


def _value_weights(curve: Cdf, values: FloatArray) -> FloatArray:
    """Weights (k, t + 1) of the running counts in the interpolated count below each value."""
    at = np.clip(values, curve.edges[0], curve.edges[-1])
    left, part = located(curve.edges, at)
    weights = np.zeros((at.size, curve.edges.size))
    rows = np.arange(at.size)
    weights[rows, left] = 1 - part
    weights[rows, left + 1] += part
    return weights


def _mean(curve: Cdf, errors: CdfErrors) -> Reading:
    mean = float(cdf_mean(curve))
    error = _per_record_error(curve, errors, curve.middles - mean)
    method = EXACT if errors.noise.root is Root.PUBLIC else DELTA
    return Reading("mean", mean, error, method)


def _variance(curve: Cdf, errors: CdfErrors) -> Reading:
    variance = float(cdf_variance(curve))
    squares = (curve.middles - float(cdf_mean(curve))) ** 2 + np.diff(curve.edges) ** 2 / 12
    return Reading(
        "variance", variance, _per_record_error(curve, errors, squares - variance), DELTA
    )


def _per_record_error(curve: Cdf, errors: CdfErrors, bin_values: FloatArray) -> float | None:
    """Standard error of Σ value·count / n̂; None where n̂ ≤ 0."""
    if not curve.total > 0:
        return None
    weights = -np.diff(bin_values, prepend=0.0, append=0.0)  # Σ g_j (C_{j+1} − C_j) by parts
    return float(errors.linear_error(weights)) / float(curve.total)


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
