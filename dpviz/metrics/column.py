"""What a column looks like before any mechanism: confidential."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column

BARS = 120  # bars of a histogram that a screen shows well


def histogram(column: Column, bars: int = BARS) -> tuple[FloatArray, FloatArray]:
    """Counts over equal bins of the declared bounds, aligned to the resolution when it is coarse.

    Returns: edges (b+1,) and counts (b,), in records.
    """
    bounds, step = column.bounds, column.resolution
    if step > 0:
        width = step * max(1, int(np.ceil(bounds.width / step / bars)))
        low = bounds.low - step / 2
        edges = low + width * np.arange(int(np.ceil((bounds.width + step) / width)) + 1)
    else:
        edges = np.linspace(bounds.low, bounds.high, bars + 1)
    below = column.count_below(edges)
    below[-1] = column.n  # the last bin is closed
    return edges.astype(np.float64), np.diff(below).astype(np.float64)
