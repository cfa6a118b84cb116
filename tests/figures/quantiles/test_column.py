"""Pictures of the column itself and of what bounds do to it, by their data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data import Column
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.kit.palette import translucent
from dpviz.figures.quantiles.column import error_by_width_figure, histogram_figure, points_figure
from dpviz.metrics.column import histogram
from tests.figures.inks import DARK, LIGHT

BOUNDS = Bounds(0, 120)


@pytest.mark.parametrize("resolution", [0, 1, 7])
@pytest.mark.parametrize("values", [[0, 120], [3] * 50, list(range(121)), []])
def test_a_histogram_counts_every_record_once(values, resolution):
    column = Column.from_values(values, BOUNDS, resolution)
    figure = histogram_figure(*histogram(column), BOUNDS, LIGHT, unit="age")
    bars = figure.data[0]
    assert bars.y.sum() == len(values)
    assert (bars.x - bars.width / 2)[0] <= 0
    assert (bars.x + bars.width / 2)[-1] >= 120
    assert [line.x0 for line in figure.layout.shapes] == [0, 120]
    assert figure.layout.annotations[-1].text == NOTICE


def test_points_lie_where_they_are():
    counts = np.zeros((4, 8))
    counts[1, 6] = 3
    heat = points_figure(counts, Bounds(0, 16), Bounds(-2, 2), DARK, names=("a", "b")).data[0]
    assert heat.z[1, 6] == pytest.approx(np.log(4))
    assert heat.x0 + 6 * heat.dx == 13
    assert heat.y0 + 1 * heat.dy == -0.5


def frame(errors):
    return pd.DataFrame(
        {
            "mechanism": "AggTree",
            "factor": [0.5, 1.0, 2.0],
            "low": 0.0,
            "high": 1.0,
            "clipped": 0.0,
            "error": errors,
            "standard_error": 0.1,
        }
    )


@pytest.mark.parametrize("errors", [[0.5, 2.0, 40.0], [1e-3, 1.0, 1e6], [0.0, 0.0, 0.0]])
def test_errors_are_drawn_with_ticks_written_in_full(errors):
    figure = error_by_width_figure(frame(errors), LIGHT, unit="years")
    (line,) = figure.data
    assert line.y.tolist() == errors
    assert line.error_y.array.tolist() == [0.2] * 3
    assert line.line.color == LIGHT.of("AggTree")
    ticks = dict(zip(figure.layout.yaxis.ticktext, figure.layout.yaxis.tickvals, strict=True))
    assert all(float(text.replace(",", "")) == tick for text, tick in ticks.items())
    if max(errors) > 0:
        assert min(ticks.values()) <= min(errors)
        assert max(ticks.values()) >= max(errors)
        assert 3 <= len(ticks) <= 15


def test_translucent_colours():
    assert translucent("#0A141E", 0.25) == "rgba(10, 20, 30, 0.25)"
