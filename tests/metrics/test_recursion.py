"""The parts behind the nodes of a recursion: people, and outlines of exact densities."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, uniform_quantiles
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.recursion import parts_of

BOUNDS = Bounds(0, 100)


def traced(rng, quantiles=DECILES, epsilon=0.5, n=800, resolution=0.0):
    column = Column.from_values(rng.normal(50, 15, n), BOUNDS, resolution)
    return ApproximateQuantiles().trace(column, quantiles, PureDP(epsilon), rng)


@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_outlines_are_the_exact_densities(rng, resolution):
    run = traced(rng, resolution=resolution)
    parts = parts_of(run)
    for level, nodes in enumerate(run.plan.levels):
        for node, position in enumerate(nodes.position):
            exact = run.density(level, node)
            x, height = parts.x[position - 1], parts.height[position - 1]
            low, high, drawn = x[::2], x[1::2], height[::2]
            wide = high > low
            middle = (low + high)[wide] / 2
            at = np.searchsorted(exact.edges, middle, side="right") - 1
            widths = np.diff(exact.edges)
            peak = exact.log_density[widths > 0].max()
            np.testing.assert_allclose(drawn[wide], np.exp(exact.log_density[at] - peak), atol=1e-6)
            assert drawn[wide].max() == pytest.approx(1)


def test_sizes_are_the_people_of_each_part(rng):
    run = traced(rng)
    parts = parts_of(run)
    assert parts.sizes[4] == 800
    assert parts.sizes[1] + parts.sizes[6] == 800  # the median cuts them in two
    for level, nodes in enumerate(run.plan.levels):
        np.testing.assert_array_equal(parts.sizes[nodes.position - 1], run.sizes(level))


@pytest.mark.parametrize(("m", "epsilon", "n"), [(1, 1e4, 5), (500, 1e-3, 800), (9, 1.0, 0)])
def test_edges(rng, m, epsilon, n):
    parts = parts_of(traced(rng, uniform_quantiles(m), epsilon, n))
    assert parts.x.shape == parts.height.shape
    assert np.isfinite(parts.x).all()
    assert ((parts.height >= 0) & (parts.height <= 1)).all()
    assert (np.diff(parts.x, axis=1) >= 0).all()
