"""Which doubles can come out: against all outputs of a coarse sampler, and NumPy's own draws."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.experiments.twins import naive
from dpviz.experiments.twins.naive import (
    grid_reaches,
    laplace_reaches,
    uniform_reaches,
    whole_reaches,
)
from tests.rows import by_rows

COARSE = 2.0**-12
CENTRES = [0.0, 1.0, 864.0, 865.0, -3.0, 2.0**43, 2.0**46]


@pytest.fixture
def coarse(monkeypatch):
    """A sampler with 4,096 uniform numbers, so that all its outputs can be listed."""
    monkeypatch.setattr(naive, "UNIT", COARSE)


def every_laplace(centre: float, scale: float) -> np.ndarray:
    """What NumPy's Generator.laplace makes of every uniform number of the coarse sampler."""
    u = np.arange(1, round(1 / COARSE)) * COARSE
    low, high = u[u < 0.5], u[u >= 0.5]
    noise = scale * np.log(low + low), -scale * np.log(2.0 - high - high)
    return centre + np.concatenate(noise)


@pytest.mark.law
@by_rows("scale", [0.1, 1.0, 37.5])
@by_rows("centre", CENTRES)
def test_every_output_of_a_coarse_laplace_sampler_is_reached_and_nothing_else(
    coarse, centre, scale
):
    mine = every_laplace(centre, scale)
    assert laplace_reaches(mine, centre, scale).all()
    for other in (centre + 1, centre - 1):
        theirs = every_laplace(other, scale)
        assert laplace_reaches(mine, other, scale).tolist() == np.isin(mine, theirs).tolist()
    beside = centre + 1.001 * (mine - centre)
    assert laplace_reaches(beside, centre, scale).tolist() == np.isin(beside, mine).tolist()


INTERVALS = [(0.0, 1.0), (0.0, 5e5), (16.0, 100.0), (1.5e5, 1.5e5 + 3), (-3.0, 2.0), (1e6, 1e6)]


@pytest.mark.parametrize(("low", "high"), INTERVALS)
def test_every_output_of_a_coarse_uniform_sampler_is_reached_and_nothing_else(coarse, low, high):
    uniform = np.arange(round(1 / COARSE)) * COARSE
    mine = low + (high - low) * uniform
    ends = np.full(mine.size, low), np.full(mine.size, high)
    assert uniform_reaches(mine, *ends).all()
    among = np.append(mine, high)
    for outputs in (np.nextafter(mine, np.inf), low + 0.3 * (mine - low), mine + 0.1):
        found = uniform_reaches(outputs, *ends)
        assert found.tolist() == np.isin(outputs, among).tolist()


@pytest.mark.law
@by_rows("scale", [1e-3, 0.1, 1.0, 30.0, 1e6])
@by_rows("centre", CENTRES)
def test_what_numpy_draws_is_reached(rng, centre, scale):
    drawn = centre + rng.laplace(0.0, scale, 20_000)
    assert laplace_reaches(drawn, centre, scale).all()


@pytest.mark.parametrize(("low", "high"), INTERVALS)
def test_what_numpy_draws_inside_an_interval_is_reached(rng, low, high):
    drawn = np.minimum(low + (high - low) * rng.random(20_000), high)
    ends = np.full(drawn.size, low), np.full(drawn.size, high)
    assert uniform_reaches(drawn, *ends).all()


def test_a_multiple_of_the_uniform_step_is_the_mark_of_an_empty_column(rng):
    # bounds (0, 1): the one difference between {.3} and {} that needs no search
    ends = np.zeros(20_000), np.ones(20_000)
    drawn = 0.3 * rng.random(20_000)
    assert uniform_reaches(drawn, *ends).tolist() == (drawn * 2**53 % 1 == 0).tolist()


@pytest.mark.parametrize("resolution", [0.0, 0.1, 1.0])
def test_the_public_grid_is_reached_and_nothing_else(rng, resolution):
    column = Column.from_values([3.0], Bounds(-1.5, 7), resolution)
    cells = rng.integers(0, column.grid.cells, 10_000)
    on_grid = column.grid.printed(cells)
    assert grid_reaches(on_grid, column).all()
    assert not grid_reaches(np.nextafter(on_grid, 3.0)[on_grid != 3.0], column).any()
    assert whole_reaches(np.array([-3.0, 0.0, 0.5])).tolist() == [True, True, False]
