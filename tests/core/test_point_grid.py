from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.grid import as_written, rounded_down, written_down
from dpviz.core.point_grid import POINT_BITS, PointGrid


@pytest.mark.parametrize(
    ("bounds", "resolution", "cells"),
    [
        ((0, 120), 1, 121),
        ((0, 0.7), 0.1, 8),
        ((0.5, 5), 0.5, 10),
        ((0, 1), 1, 2),
        ((0, 1.1), 0.3, 5),
    ],
)
def test_cells_of_a_declared_resolution(bounds, resolution, cells):
    grid = PointGrid.of(Bounds(*bounds), resolution)
    assert grid.cells == cells
    assert grid.shift == max(16, 48 - (cells - 1).bit_length())
    printed = grid.printed(np.arange(cells))
    assert (np.diff(printed) > 0).all()
    assert ((printed >= bounds[0]) & (printed <= bounds[1])).all()
    assert grid.cell(printed).tolist() == list(range(cells))


def test_numbers_are_printed_as_decimals():
    grid = PointGrid.of(Bounds(0, 5), 0.1)
    assert [repr(value) for value in grid.printed(np.arange(51)).tolist()] == [
        f"{j // 10}.{j % 10}" for j in range(51)
    ]
    shifted = PointGrid.of(Bounds(-0.3, 1), 0.1)
    assert shifted.printed([0, 3, 4]).tolist() == [-0.3, 0.0, 0.1]


def test_a_continuous_column_has_two_to_the_forty_cells():
    grid = PointGrid.of(Bounds(-1, 1))
    assert (grid.cells, grid.shift) == (1 << 40, 8)
    assert grid.cell([-1, 0, 1, 5, -7]).tolist() == [0, 1 << 39, (1 << 40) - 1, (1 << 40) - 1, 0]
    assert grid.printed([0, 1 << 39]).tolist() == [-1, 0]
    tiny = PointGrid.of(Bounds(0, 5e-324))
    assert tiny.cell([0, 5e-324]).tolist() == [0, (1 << 40) - 1]
    wide = PointGrid.of(Bounds(-8e307, 8e307))
    assert np.isfinite(wide.printed(wide.cell([-8e307, 0, 8e307]))).all()


def test_a_map_of_single_records_keeps_the_order(rng):
    for bounds, resolution in (((-3, 4), 0.0), ((-3, 4), 0.01), ((0, 1e9), 1e-3)):
        grid = PointGrid.of(Bounds(*bounds), resolution)
        values = np.sort(rng.uniform(*bounds, 5000))
        assert (np.diff(grid.cell(values)) >= 0).all()
        alone = [int(grid.cell(value)) for value in values[:50]]
        assert alone == grid.cell(values)[:50].tolist()
        width = resolution or 7 * 2.0**-40
        assert np.abs(grid.rounded(values) - values).max() <= width


def test_more_than_sixty_bits_are_refused_from_declarations_alone():
    assert PointGrid.of(Bounds(0, 2.0**43), 1).points <= 1 << POINT_BITS
    for values in ([], np.arange(5.0)):
        column = Column.from_values(values, Bounds(0, 2e15), resolution=1)
        with pytest.raises(InvalidData, match="coarser one"):
            column.grid.cells  # noqa: B018


def test_parts_of_a_budget_are_never_rounded_up():
    for size in (0.1, 0.3, 1.0, 1e-9, 7.7):
        for parts in (1, 3, 7, 30, 99):
            exact = as_written(size) / parts
            assert rounded_down(exact) <= exact < np.nextafter(rounded_down(exact), np.inf)
            assert as_written(written_down(exact)) <= exact
            assert float(written_down(exact) / exact) == pytest.approx(1, abs=1e-15)
