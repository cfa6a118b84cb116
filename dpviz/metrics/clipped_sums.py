"""The exact error of a noisy clipped mean: what clipping cuts off, and what noise adds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.core.scalars.noise_size import expected_size
from dpviz.mechanisms.sums.noisy_mean import NoisyMean


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class ClippingError:
    """Mean errors for several upper bounds, in the column's units. Confidential.

    Shapes: all (bounds,). cut is what clipping takes from the mean, noise what the noise alone
    would be off by on average, error what both are.
    """

    upper: FloatArray
    cut: FloatArray
    noise: FloatArray
    error: FloatArray

    @property
    def best(self) -> int:
        """Which of the bounds has the least error."""
        return int(np.argmin(self.error))


def clipping_error(
    values: FloatArray, low: float, upper: FloatArray, mechanism: NoisyMean, budget: Budget
) -> ClippingError:
    """E|noisy clipped mean − mean of the values as they are|, for each upper bound.

    Shapes: values (n,) without NaN, upper (bounds,). Exact: no draw is made. The mean is over the
    mechanism's public number of records.
    """
    ends = [Bounds(low, float(one)) for one in upper]
    scales = np.array([mechanism.total.scale(one, budget) for one in ends]) / mechanism.records
    ordered = np.sort(values)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    above = np.searchsorted(ordered, upper, side="right")
    below = int(np.searchsorted(ordered, low))
    clipped = sums[above] - sums[below] + low * below + upper * (ordered.size - above)
    cut = (clipped - sums[-1]) / mechanism.records
    law = mechanism.total.law(budget)
    noise = np.array([expected_size(law, scale) for scale in scales])
    pairs = zip(scales.tolist(), cut.tolist(), strict=True)
    error = np.array([expected_size(law, scale, shift) for scale, shift in pairs])
    return ClippingError(np.asarray(upper, dtype=float), np.abs(cut), noise, error)
