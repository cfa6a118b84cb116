"""Thinning of long curves to what a screen can show."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray

POINTS = 600  # twice as many steps at most: as many as a wide panel has pixels


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
