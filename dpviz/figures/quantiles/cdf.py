"""The true CDF as a picture needs it: its steps, from one end of the bounds to the other.

Long curves are thinned to what a screen can show.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential

POINTS = 600  # twice as many steps at most: as many as a wide panel has pixels


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class TrueCurve:
    """An empirical CDF: it steps to height[i] at value[i]. Confidential, unless it is made up."""

    value: FloatArray
    height: FloatArray

    def closed(self, bounds: Bounds) -> tuple[FloatArray, FloatArray]:
        """The steps from one bound to the other, x and y."""
        last = self.height[-1:] if self.height.size else np.zeros(1)
        x = np.concatenate(([bounds.low], self.value, [bounds.high]))
        return x, np.concatenate(([0.0], self.height, last))

    def at(self, values: FloatArray) -> FloatArray:
        """The height at values."""
        steps = np.searchsorted(self.value, values, side="right")
        return np.concatenate(([0.0], self.height))[steps]


def thin_steps(
    values: FloatArray, up_to: IntArray, view: tuple[float, float], points: int = POINTS
) -> tuple[FloatArray, FloatArray]:
    """An empirical CDF as at most about 2·points steps inside a view.

    Shapes: values (d,) distinct and ascending, up_to (d,) records up to each. Keeps points evenly
    spaced in value (flat stretches stay sharp) and in rank (steep ones do).
    Returns: where the CDF steps, and its height from there on.
    """
    if values.size == 0:
        return values, values
    total = float(up_to[-1])
    first = max(int(np.searchsorted(values, view[0])) - 1, 0)
    last = min(int(np.searchsorted(values, view[1], side="right")), values.size - 1)
    if last - first < points:
        kept = np.arange(first, last + 1)
    else:
        across = np.searchsorted(values, np.linspace(*view, points))
        up = np.searchsorted(up_to, np.linspace(up_to[first], up_to[last], points))
        kept = np.unique(np.clip(np.concatenate((across, up, [first, last])), first, last))
    return values[kept], up_to[kept] / total
