"""Rectangles painted on a grid of pixels, and their borders as one line: fast for many cells."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box

PIXELS = 480  # columns of the raster; more than a chart in half a page shows


def rasterised(
    box: Box, boxes: FloatArray, values: FloatArray, columns: int = PIXELS
) -> FloatArray:
    """Values (k,) of rectangles (k, 4) on a grid (rows, columns), low y first; NaN outside all.

    Corner differences and two running sums: no loop over rectangles. Where some overlap (Hilbert
    R-trees) a pixel shows their mean.
    """
    rows = int(np.clip(round(columns * box.y.width / box.x.width), 60, 2 * columns))
    across = _edges(boxes[:, :2], box.x.low, box.x.width, columns)
    up = _edges(boxes[:, 2:], box.y.low, box.y.width, rows)
    known = np.isfinite(values)
    total = _painted(across, up, np.where(known, values, 0.0), (rows, columns))
    cover = _painted(across, up, known.astype(np.float64), (rows, columns))
    covered = np.round(cover) > 0
    mean = np.full(total.shape, np.nan)
    mean[covered] = total[covered] / np.round(cover[covered])
    return mean


def _edges(ends: FloatArray, low: float, width: float, cells: int) -> IntArray:
    """Ends (k, 2) as pixel numbers; neighbours share an edge, so no pixel is painted twice."""
    return np.clip(np.round((ends - low) / width * cells), 0, cells).astype(np.int64)


def _painted(
    across: IntArray, up: IntArray, values: FloatArray, shape: tuple[int, int]
) -> FloatArray:
    rows, columns = shape
    corners = np.zeros((rows + 1) * (columns + 1))
    for side_x, side_y, sign in ((0, 0, 1.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 1.0)):
        at = up[:, side_y] * (columns + 1) + across[:, side_x]
        corners += np.bincount(at, weights=sign * values, minlength=corners.size)
    grid = corners.reshape(rows + 1, columns + 1)
    painted: FloatArray = grid.cumsum(axis=0).cumsum(axis=1)[:rows, :columns]
    return painted


def outline(boxes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The borders of rectangles (k, 4) as one line with gaps."""
    x_low, x_high, y_low, y_high = boxes.T
    gap = np.full(boxes.shape[0], np.nan)
    x = np.stack((x_low, x_high, x_high, x_low, x_low, gap), axis=1).ravel()
    y = np.stack((y_low, y_low, y_high, y_high, y_low, gap), axis=1).ravel()
    return x.astype(np.float32), y.astype(np.float32)
