"""A grid counts what its points are counted as, in boxes that are only a few doubles wide, too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from dpviz.core.spatial.boxes import grid_edges
from dpviz.counts.on_grid import curve_places, leaf_counts, places_below, quadtree_counts
from dpviz.counts.spatial import grid_cell
from tests.mechanisms.spatial.counted import counted, one_cell
from tests.mechanisms.spatial.planes import cloud

LOWS = (-1e9, -1e-100, 0.1, 1e9, 1e15, 1e100)


@st.composite
def narrow(draw):
    """Bounds that are 8 to 2^50 doubles wide."""
    low = draw(st.sampled_from(LOWS))
    width = float(np.spacing(abs(low))) * 2.0 ** draw(st.floats(3, 50))
    return Bounds(low, low + width)


@pytest.mark.law
@given(narrow(), st.integers(0, 9), st.integers(0, 2**32))
def test_cells_of_a_narrow_box_are_cut_at_their_edges(bounds, height, seed):
    rng, side = np.random.default_rng(seed), 1 << height
    edges = grid_edges(bounds, side)
    x = np.concatenate([rng.uniform(bounds.low, bounds.high, 50), rng.choice(edges, 50)])
    x = np.concatenate([x, np.nextafter(x, -np.inf), np.nextafter(x, np.inf)])
    p = Points.from_xy(x, rng.permutation(x), Box(bounds, bounds))
    searched = np.searchsorted(edges, p.x, side="right") - 1
    assert grid_cell(p.x, bounds, side).tolist() == np.minimum(searched, side - 1).tolist()
    grid = counted(p, side)
    for depth in range(height + 1):
        for one, other in zip(quadtree_counts(grid, depth), quadtree_counts(p, depth), strict=True):
            assert one.tolist() == other.tolist()
    assert counted(grid.points(), side).counts.tolist() == grid.counts.tolist()


@pytest.mark.parametrize("depth", [0, 1, 4, 6])
def test_a_grid_holds_its_points_in_the_order_of_the_tree_and_of_the_curve(depth, rng):
    p = cloud(400, rng)
    grid, at = counted(p, 64), np.arange(4**depth + 1)
    assert places_below(grid, depth)(at).tolist() == places_below(p, depth)(at).tolist()
    assert np.diff(places_below(p, depth)(at)).tolist() == leaf_counts(grid, depth).tolist()
    if depth:
        (ours, _), (theirs, _) = curve_places(grid, depth), curve_places(p, depth)
        assert ours.tolist() == theirs.tolist()


def test_a_grid_in_rectangles_of_cells():
    grid = GridCounts(one_cell(1).box, 4, np.arange(16).reshape(4, 4))
    assert grid.coarser(1, 4).tolist() == [[24, 28, 32, 36]]
    assert grid.coarser(4, 2).tolist() == [[1, 5], [9, 13], [17, 21], [25, 29]]
    with pytest.raises(InvalidData, match="2 × 3 cells"):
        grid.coarser(2, 3)


def test_points_lie_in_the_middles_cell_after_cell():
    grid = GridCounts(Box(Bounds(0, 4), Bounds(-1, 1)), 2, [[1, 0], [0, 2]], clipped=1, dropped=5)
    moved = grid.points()
    assert moved.x.tolist() == [1, 3, 3]
    assert moved.y.tolist() == [-0.5, 0.5, 0.5]
    assert (moved.clipped, moved.dropped) == (1, 5)
    assert one_cell(0).points().n == 1
    with pytest.raises(InvalidData, match=r"16,777,216 points are the most.*draw a sample"):
        one_cell(2**24).points()
