"""Two averages whose groups differ in one person, and what their difference says of that person.

No privacy here: the averages are exact, or rounded, and nothing hides the difference.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential


@confidential()
@dataclass(frozen=True, slots=True)
class Recovered:
    """What two published averages say of the person in whom their groups differ.

    estimate ± margin holds the value for certain; possible counts the values on the known grid
    that lie inside.
    """

    before: float
    after: float
    estimate: float
    margin: float
    possible: int

    @property
    def low(self) -> float:
        """The least that the value can be."""
        return self.estimate - self.margin

    @property
    def high(self) -> float:
        """The most that the value can be."""
        return self.estimate + self.margin


def difference_of_averages(
    values: FloatArray, person: int, rounding: float, grid: float
) -> Recovered:
    """Publish the average with and without a person, rounded, and take the difference apart.

    Shapes: values (n,). Units: rounding and grid are those of the values; grid is their known
    spacing. n₁A₁ − n₂A₂, off by at most (rounding/2)(n₁ + n₂).
    """
    n = values.size
    before = _rounded(float(values.mean()), rounding)
    after = _rounded(float(np.delete(values, person).mean()), rounding)
    estimate = n * before - (n - 1) * after
    margin = rounding / 2 * (2 * n - 1)
    most = math.floor((estimate + margin) / grid + 1e-9)
    least = math.ceil((estimate - margin) / grid - 1e-9)
    return Recovered(before, after, estimate, margin, max(most - least + 1, 0))


def _rounded(value: float, step: float) -> float:
    places = max(0, -math.floor(math.log10(step)))
    return round(round(value / step) * step, places)
