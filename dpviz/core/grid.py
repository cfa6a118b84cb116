"""The grid that a declared resolution speaks of: its multiples."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray


def nearest_on_grid(values: ArrayLike, resolution: float) -> FloatArray:
    """The multiple of resolution nearest to each value, as a decimal file would write it.

    Division by 10 gives the double that is written 5.3; multiplication by 0.1 gives another.
    """
    array = np.asarray(values, dtype=np.float64)
    per_unit = np.round(1 / resolution)
    if per_unit >= 1 and abs(per_unit * resolution - 1) < 1e-9:
        return np.asarray(np.round(array * per_unit) / per_unit)
    return np.asarray(np.round(array / resolution) * resolution)


def as_written(number: float) -> Fraction:
    """The decimal that a double is shown as, exactly: .1 is one tenth."""
    return Fraction(repr(float(number)))


def rounded_down(number: Fraction) -> float:
    """The largest double that is not above a fraction."""
    near = float(number)
    return near if Fraction(near) <= number else math.nextafter(near, -math.inf)


def written_up(number: Fraction) -> float:
    """A double that is shown as a decimal not below a fraction: for sums of what was spent."""
    near = float(number)
    while as_written(near) < number:
        near = math.nextafter(near, math.inf)
    return near


def written_down(number: Fraction) -> float:
    """A double that is shown as a decimal not above a fraction: for parts of a budget."""
    near = float(number)
    while as_written(near) > number:
        near = math.nextafter(near, -math.inf)
    return near
