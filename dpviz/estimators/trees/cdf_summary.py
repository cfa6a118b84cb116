"""What a CDF says in a few numbers, each with a standard error where it has one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.curve import (
    Cdf,
    cdf_mean,
    cdf_mode,
    cdf_quantiles,
    cdf_range,
    cdf_variance,
    mean_error,
    quantile_errors,
    range_weights,
    variance_error,
)


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
    ends = np.array([low], dtype=np.float64), np.array([high], dtype=np.float64)
    return Reading(
        f"records in [{low:g}, {high:g})",
        float(cdf_range(curve, *ends)[0]),
        float(errors.linear_error(range_weights(curve, *ends))[0]),
        EXACT,
    )


def quantile_readings(
    curve: Cdf, errors: CdfErrors, quantiles: ArrayLike, names: list[str]
) -> list[Reading]:
    """Quantiles with standard errors by the slope of the CDF around them."""
    q = np.asarray(quantiles, dtype=np.float64)
    found = zip(names, cdf_quantiles(curve, q), quantile_errors(curve, errors, q), strict=True)
    return [Reading(name, float(v), _known(float(error)), SECANT) for name, v, error in found]


def _mean(curve: Cdf, errors: CdfErrors) -> Reading:
    method = EXACT if errors.noise.root is Root.PUBLIC else DELTA
    return Reading("mean", float(cdf_mean(curve)), _known(mean_error(curve, errors)), method)


def _variance(curve: Cdf, errors: CdfErrors) -> Reading:
    error = _known(variance_error(curve, errors))
    return Reading("variance", float(cdf_variance(curve)), error, DELTA)


def _known(error: float) -> float | None:
    return None if np.isnan(error) else error
