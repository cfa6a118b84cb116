"""The pictures of PSD's figures, tested by their data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz import catalogue
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.studies.psd import (
    accuracy_figure,
    construction_figure,
    matching_figure,
    worst_case_figure,
)
from tests.figures.inks import DARK, LIGHT

FIGURES = (
    ("quad-baseline", "quad-geo", "quad-post", "quad-opt", "quad-workload"),
    ("kd-pure", "kd-true", "kd-standard", "kd-hybrid", "kd-cell", "kd-noisymean"),
    ("quad-opt", "kd-cell", "kd-hybrid", "Hilbert-R"),
    ("quad-baseline", "kd-noisymean", "kd-standard"),
)


def frame(methods, **extra):
    rows = [
        {"method": method, "height": 8, "epsilon": epsilon, "shape": shape, **extra}
        | {"runs": 2, "mean": 0.1 + at + epsilon, "standard_error": np.nan if at else 0.01}
        for at, method in enumerate(methods)
        for epsilon in (1.0, 0.1)
        for shape in ("1 × 1", "<b>")
    ]
    return pd.DataFrame(rows)


def notices(figure):
    return [note.text for note in figure.layout.annotations if note.text == NOTICE]


@pytest.mark.parametrize("methods", FIGURES)
@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_a_panel_for_each_shape_and_one_legend(methods, ink):
    figure = accuracy_figure(frame(methods), ink, x="epsilon", shows_truth=True)
    assert len(figure.data) == 2 * len(methods)
    shown = [trace for trace in figure.data if trace.showlegend]
    assert [trace.name.removesuffix(" (not private)") for trace in shown] == list(methods)
    assert [trace.name.endswith("(not private)") for trace in shown] == [
        method in {"kd-pure", "kd-true"} for method in methods
    ]
    looks = {(t.line.color, t.line.dash, t.marker.symbol) for t in shown}
    assert len(looks) == len(methods)
    for at, trace in enumerate(shown):
        assert list(trace.x) == [0.1, 1.0]
        assert np.allclose(trace.y, [0.2 + at, 1.1 + at])
    assert notices(figure) == [NOTICE]
    assert "&lt;b&gt;" in figure.layout.annotations[1].text
    assert {row.paper for row in catalogue.SPATIAL} >= set(methods)


def test_errors_are_two_standard_errors_and_stay_on_the_log_axis():
    wide = frame(["quad-opt"]).assign(standard_error=100.0)
    trace = accuracy_figure(wide, LIGHT, x="epsilon", shows_truth=False).data[0]
    assert list(trace.error_y.array) == [200.0, 200.0]
    assert (np.asarray(trace.error_y.arrayminus) < np.asarray(trace.y)).all()


def test_worst_case_matching_and_construction():
    worst = pd.DataFrame(
        {"height": [5, 6] * 2, "split": ["uniform"] * 2 + ["geometric"] * 2, "error": range(4)}
    )
    figure = worst_case_figure(worst, LIGHT)
    assert [list(trace.y) for trace in figure.data] == [[0, 1], [2, 3]]
    assert notices(figure) == []
    one = frame(["kd-standard", "quad-baseline"]).query("shape == '1 × 1'")
    assert notices(matching_figure(one, LIGHT, shows_truth=True)) == [NOTICE]
    assert len(matching_figure(one, LIGHT, shows_truth=False).data) == 2
    steps = pd.concat([one.assign(step=step) for step in ("release", "post-processing")])
    bars = construction_figure(steps, DARK).data
    assert [bar.name for bar in bars] == ["release", "post-processing"]
    assert len(bars[0].x) == len(one)
