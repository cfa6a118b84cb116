"""Sets of points that tests of spatial mechanisms share."""

import numpy as np

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.points import Points

BOX = Box(Bounds(-3, 5), Bounds(10, 12))


def points(xs=(), ys=(), box=BOX):
    return Points.from_xy(np.array(xs, dtype=float), np.array(ys, dtype=float), box)


def cloud(n, rng, box=BOX):
    x = box.x.low + box.x.width * rng.beta(2, 5, n)
    return points(x, box.y.low + box.y.width * rng.beta(4, 2, n), box)


def edge_cases(rng):
    """n = 0, n = 1, all equal, ties everywhere, corners, a line, many."""
    corners_x, corners_y = np.repeat([-3, 5], 2), np.tile([10, 12], 2)
    return {
        "none": points(),
        "one": points([0.3], [11.1]),
        "all equal": points(np.full(50, 1.25), np.full(50, 11.0)),
        "ties": points(rng.integers(-3, 6, 200), rng.integers(10, 13, 200)),
        "corners": points(np.repeat(corners_x, 5), np.repeat(corners_y, 5)),
        "line": points(np.linspace(-3, 5, 80), np.full(80, 10.0)),
        "cloud": cloud(500, rng),
    }
