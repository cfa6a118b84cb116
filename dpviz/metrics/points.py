"""What points in the plane look like before any mechanism: confidential."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points


def raster(points: Points, columns: int = 240) -> FloatArray:
    """Counts of points on a grid of square-ish cells, shape (rows, columns), low y first."""
    box = points.box
    rows = int(np.clip(round(columns * box.y.width / box.x.width), 24, 2 * columns))
    across = ((points.x - box.x.low) / box.x.width * columns).astype(np.int64)
    up = ((points.y - box.y.low) / box.y.width * rows).astype(np.int64)
    cell = np.minimum(up, rows - 1) * columns + np.minimum(across, columns - 1)
    counts = np.bincount(cell, minlength=rows * columns).astype(np.float64)
    return counts.reshape(rows, columns)
