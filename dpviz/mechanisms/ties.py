"""What is done about tied values before an exponential mechanism sees a column."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.data import Column

JITTER_SCALE = 1e-5  # the standard deviation that the AQ authors' code adds


class Ties(StrEnum):
    """How tied values are treated; each choice maps records one by one, so budgets are unchanged.

    SPREAD spreads every value uniformly over ± resolution/2 (nothing at resolution 0), JITTER
    adds a Gaussian of scale 1e-5 as the AQ authors do, KEEP leaves ties: they make zero-width
    intervals, and the mechanism drifts away from them.
    """

    SPREAD = "spread"
    JITTER = "jitter"
    KEEP = "keep"


def exponential_bounds(column: Column, ties: Ties) -> Bounds:
    """The public interval an exponential mechanism works in: widened by half a resolution."""
    if ties is Ties.SPREAD and column.resolution > 0:
        return column.bounds.widened(column.resolution / 2)
    return column.bounds


def untied_values(column: Column, ties: Ties, rng: np.random.Generator) -> FloatArray:
    """The column's values after the treatment, ascending, inside exponential_bounds."""
    if ties is Ties.SPREAD and column.resolution > 0:
        offsets = rng.random(column.n) - 0.5
        offsets *= column.resolution
        spread = column.values + offsets
        spread.sort()
        return spread
    if ties is Ties.JITTER:
        jittered = column.values + rng.normal(scale=JITTER_SCALE, size=column.n)
        jittered.sort()
        return np.clip(jittered, column.bounds.low, column.bounds.high)
    return column.values


def declared_outputs(values: FloatArray, column: Column, round_to_grid: bool) -> FloatArray:
    """Post-processing: outputs clipped to the declared bounds, rounded to the grid if wished."""
    if round_to_grid and column.resolution > 0:
        values = np.round(values / column.resolution) * column.resolution
    return np.clip(values, column.bounds.low, column.bounds.high)
