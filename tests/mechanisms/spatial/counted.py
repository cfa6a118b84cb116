"""Points as counts on a grid, as a person who holds only counts has them."""

import numpy as np

from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.spatial.boxes import grid_edges
from dpviz.counts.spatial import grid_cell
from tests.mechanisms.spatial.planes import BOX, edge_cases, points


def counted(p, side):
    """The points counted in the equal cells of their box."""
    cell = grid_cell(p.x, p.box.x, side) * side + grid_cell(p.y, p.box.y, side)
    counts = np.bincount(cell, minlength=side * side)
    return GridCounts.from_flat(p.box, side, counts, p.clipped, p.dropped)


def hard_points(rng):
    """The edge cases of points, and points on the edges of cells and one double before them."""
    x, y = grid_edges(BOX.x, 32)[rng.integers(0, 33, 300)], grid_edges(BOX.y, 32)
    y = y[rng.integers(0, 33, 300)]
    on_edges = points(x, y)
    before = points(np.nextafter(x, -np.inf), np.nextafter(y, np.inf))
    return {**edge_cases(rng), "on edges": on_edges, "beside edges": before}


def one_cell(count, side=8):
    """So many points in one cell, and one in another."""
    counts = np.zeros((side, side), dtype=np.int64)
    counts[3, 5], counts[0, 0] = count, 1
    return GridCounts(BOX, side, counts)
