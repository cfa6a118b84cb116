"""The pictures of medians by depth, tested by their data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz import catalogue
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.studies.medians import (
    median_error_figure,
    median_time_figure,
)
from tests.figures.inks import DARK, LIGHT


@pytest.fixture
def frame():
    rows = [
        {"method": method, "depth": depth, "error": 0.01 * (at + depth + 1), "nodes": 2**depth}
        | {"standard_error": np.nan if depth else 0.001, "seconds": 0.1 + at}
        for at, method in enumerate([*(row.paper for row in catalogue.MEDIANS), "own <b>"])
        for depth in range(3)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_one_line_a_method(frame, ink):
    error, seconds = median_error_figure(frame, ink), median_time_figure(frame, ink)
    names = [*(row.title for row in catalogue.MEDIANS), "own &lt;b&gt;"]
    for figure, column, scale in ((error, "error", 1), (seconds, "seconds", 1e3)):
        assert [trace.name for trace in figure.data] == names
        for trace, (_, rows) in zip(figure.data, frame.groupby("method", sort=False), strict=True):
            assert list(trace.x) == [0, 1, 2]
            assert list(trace.y) == (scale * rows[column]).tolist()
        looks = {(t.line.color, t.line.dash, t.marker.symbol) for t in figure.data}
        assert len(looks) == len(names)
        assert figure.layout.yaxis.type == "log"
    assert list(error.data[0].error_y.array) == [0.001, 0, 0]


def test_errors_of_true_points_say_so(frame):
    def notices(figure):
        return [note.text for note in figure.layout.annotations]

    assert notices(median_error_figure(frame, LIGHT)) == [NOTICE]
    assert notices(median_error_figure(frame, LIGHT, shows_truth=False)) == []
    assert notices(median_time_figure(frame, LIGHT)) == []
