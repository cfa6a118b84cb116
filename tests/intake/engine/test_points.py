"""Points counted in DuckDB lie in the cells that memory puts them into."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import dpviz as dp
from dpviz.core.errors import InvalidData
from dpviz.core.spatial.boxes import grid_edges
from dpviz.counts.spatial import grid_cell
from dpviz.intake.engine.points import count_points
from tests.intake.engine.tables import around, in_duckdb, in_memory

BOXES = [
    ((0, 1), (0, 1)),
    ((-180, 180), (-90, 90)),
    ((5.9, 15.1), (47.2, 55.1)),
    ((1e9, 1e9 + 0.3), (-1e-9, 2e-9)),
    ((0.1, 0.8), (1e6, 1e6 + 7)),
]
MORE = [pytest.param(side, marks=pytest.mark.thorough) for side in (1, 2, 1024)]


def made(ends: tuple, side: int, rng: np.random.Generator) -> np.ndarray:
    """Points on edges, next to them, between and outside them."""
    bounds = dp.Bounds(*ends)
    edges = rng.choice(grid_edges(bounds, side), 400)
    far = bounds.low + bounds.width * rng.uniform(-0.2, 1.2, 800)
    odd = [np.nan, np.inf, -np.inf, -0.0, bounds.low, bounds.high]
    return rng.permutation(np.concatenate([around(edges), far, odd]))


def counted(x: np.ndarray, y: np.ndarray, box: dp.Box, side: int) -> dp.GridCounts:
    points = dp.Points.from_xy(x, y, box)
    cells = grid_cell(points.x, box.x, side) * side + grid_cell(points.y, box.y, side)
    flat = np.bincount(cells, minlength=side * side)
    return dp.GridCounts.from_flat(box, side, flat, points.clipped, points.dropped)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("side", [64, 4096, *MORE])
@pytest.mark.parametrize("ends", BOXES)
def test_counts_are_those_of_the_points(tmp_path, ends, side):
    rng = np.random.default_rng(1)
    x, y = (made(one, side, rng) for one in ends)
    box = dp.Box(*(dp.Bounds(*one) for one in ends))
    expected = counted(x, y, box, side)
    found = count_points(in_duckdb(tmp_path, a=x, b=y), "a", "b", box, side)
    assert found.fingerprint == expected.fingerprint
    assert (found.n, found.clipped, found.dropped) == (
        expected.n,
        expected.clipped,
        expected.dropped,
    )
    assert found.clipped > 0 < found.dropped


def test_a_release_is_that_of_the_points():
    rng = np.random.default_rng(2)
    x, y = rng.normal(0, 1, 3000), rng.normal(0, 1, 3000)
    box = dp.Box(dp.Bounds(-2, 2), dp.Bounds(-2, 2))
    grid = count_points(in_memory(x=x, y=y), "x", "y", box, 64)
    releases = [
        dp.Quadtree(6).release(data, dp.PureDP(1), np.random.default_rng(3)).to_json()
        for data in (grid, dp.Points.from_xy(x, y, box))
    ]
    assert releases[0] == releases[1]


def test_whole_numbers_and_null():
    x = pa.array([0, 1, 2, None, 3, 9], pa.int32())
    y = pa.array([0, 1, None, 1, 3, -9], pa.int64())
    box = dp.Box(dp.Bounds(0, 4), dp.Bounds(0, 4))
    grid = count_points(in_memory(x=x, y=y), "x", "y", box, 4)
    assert (grid.n, grid.clipped, grid.dropped) == (4, 1, 2)
    assert [*zip(*np.nonzero(grid.counts), strict=True)] == [(0, 0), (1, 1), (3, 0), (3, 3)]


@pytest.mark.parametrize("values", [[], [None, None]])
def test_tables_without_a_point(values):
    given = pa.array(values, pa.float64())
    box = dp.Box(dp.Bounds(0, 4), dp.Bounds(0, 4))
    grid = count_points(in_memory(x=given, y=given), "x", "y", box, 2)
    assert (grid.n, grid.clipped, grid.dropped) == (0, 0, len(values))


def test_refusals():
    box = dp.Box(dp.Bounds(0, 4), dp.Bounds(1e6, 1e6 + 1e-7))
    table = in_memory(x=[1.0], y=["a"], z=[2.0])
    with pytest.raises(InvalidData, match="few doubles lie in each of 1,024 cells"):
        count_points(table, "x", "z", box, 1024)
    with pytest.raises(InvalidData, match="'y' is of type string"):
        count_points(table, "x", "y", box, 2)
    with pytest.raises(InvalidData, match="no column 'w'"):
        count_points(table, "x", "w", box, 2)


@pytest.mark.parametrize("gone", ["x", "y"])
def test_nan_among_points_inside_the_box(tmp_path, gone):
    """Parquet's least and greatest value tell DuckDB that all are inside; they leave NaN out."""
    columns = {"x": [1.5, 2.5, 0.5], "y": [1.5, 2.5, 0.5]}
    columns[gone][1] = np.nan
    box = dp.Box(dp.Bounds(0, 4), dp.Bounds(0, 4))
    grid = count_points(in_duckdb(tmp_path, **columns), "x", "y", box, 4)
    assert (grid.n, grid.clipped, grid.dropped) == (2, 0, 1)
    assert [*zip(*np.nonzero(grid.counts), strict=True)] == [(0, 0), (1, 1)]
