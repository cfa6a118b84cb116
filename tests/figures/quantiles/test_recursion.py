"""The recursion tree and the density of a node, by their data."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data import Column
from dpviz.core.quantiles import DECILES, uniform_quantiles
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.quantiles.recursion import density_figure, recursion_figure
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from tests.figures.inks import LIGHT

BOUNDS = Bounds(0, 100)


@pytest.mark.parametrize("m", [1, 2, 9, 500])
def test_one_bar_and_one_mark_a_node(rng, m):
    quantiles = uniform_quantiles(m)
    column = Column.from_values(rng.normal(50, 10, 300), BOUNDS)
    recursion = ApproximateQuantiles().release(column, quantiles, PureDP(1), rng).recursion
    bars, marks = recursion_figure(recursion, quantiles, LIGHT, chosen=m // 2).data
    assert np.isnan(bars.x[2::3]).all()
    np.testing.assert_array_equal(bars.x[0::3], recursion.low)
    np.testing.assert_array_equal(bars.x[1::3], recursion.high)
    np.testing.assert_array_equal(marks.x, recursion.value)
    np.testing.assert_array_equal(marks.y, recursion.level)
    assert (np.array(marks.marker.symbol) == "star").nonzero()[0].tolist() == [m // 2]
    np.testing.assert_array_equal(marks.customdata[:, 0], quantiles)


def test_sizes_are_drawn_only_where_they_are_given(rng):
    column = Column.from_values(rng.normal(50, 10, 300), BOUNDS)
    recursion = ApproximateQuantiles().release(column, DECILES, PureDP(1), rng).recursion
    public = recursion_figure(recursion, DECILES, LIGHT, chosen=0)
    assert not public.layout.annotations
    assert "records" not in public.data[1].hovertemplate
    assert (public.data[1].customdata[:, 4] == 0).all()
    sizes = np.arange(9.0)
    own = recursion_figure(recursion, DECILES, LIGHT, chosen=0, sizes=sizes)
    assert own.layout.annotations[0].text == NOTICE
    np.testing.assert_array_equal(own.data[1].customdata[:, 4], sizes)


def test_a_density_is_drawn_exactly_when_it_is_short():
    edges, height = np.array([0.0, 1.0, 1.0, 4.0]), np.log([0.4, 7.0, 0.2])
    curve = density_figure(edges, height, 0.5, 2.0, LIGHT).data[0]
    widths, levels = np.diff(curve.x), curve.y[:-1]
    assert (widths * levels).sum() == pytest.approx(1)
    at = np.searchsorted(curve.x, [0.5, 2.0], side="right") - 1
    assert curve.y[at] == pytest.approx([0.4, 0.2])


def test_a_thinned_density_keeps_its_mass(rng):
    edges = np.sort(np.append(rng.random(20_000), [0.0, 1.0]))
    height = -1e4 * np.square((edges[1:] + edges[:-1]) / 2 - 0.5)
    log_mass = height + np.log(np.diff(edges))
    height -= np.logaddexp.reduce(log_mass)
    curve = density_figure(edges, height, 0.5, None, LIGHT, points=400).data[0]
    assert curve.x.size <= 402
    assert (np.diff(curve.x) * curve.y[:-1]).sum() == pytest.approx(1, abs=3e-4)


@pytest.mark.parametrize(
    ("drawn", "true", "sides"), [(0.2, 0.8, ("right", "left")), (0.8, 0.2, ("left", "right"))]
)
def test_the_labels_of_both_lines_stand_on_opposite_sides(drawn, true, sides):
    figure = density_figure(np.array([0.0, 1.0]), np.zeros(1), drawn, true, LIGHT)
    anchors = {note.text: note.xanchor for note in figure.layout.annotations}
    assert (anchors["drawn"], anchors["true"]) == sides
