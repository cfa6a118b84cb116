from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.studies.sweeps import legend_strip, short, success_figure, sweep_figure
from dpviz.figures.studies.winners import winners_figure
from tests.figures.inks import DARK, LIGHT


@pytest.fixture
def swept():
    return pd.DataFrame(
        {
            "x": [1.0, 0.1, 0.1, 1.0],
            "mechanism": ["ApproximateQuantiles", "ApproximateQuantiles", "<b>x", "<b>x"],
            "mean": [2.0, 20.0, 0.0, np.nan],
            "standard_error": [0.5, 30.0, 0.0, np.nan],
            "runs": [10, 10, 10, 0],
        }
    )


def notices(figure):
    return [note.text for note in figure.layout.annotations].count(NOTICE)


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_lines_are_ordered_and_carry_two_standard_errors(swept, ink):
    figure = sweep_figure(swept, ink, x_title="ε", y_title="mean gap", chosen=0.5)
    line = figure.data[0]
    assert line.name == "AQ"
    assert line.x.tolist() == [0.1, 1.0]
    assert line.y.tolist() == [20.0, 2.0]
    assert line.error_y.array.tolist() == [60.0, 1.0]
    assert (line.y - line.error_y.arrayminus > 0).all()  # stays on a log axis
    assert line.line.color == ink.of("ApproximateQuantiles")
    assert line.line.dash == ink.mark("ApproximateQuantiles").dash
    assert notices(figure) == 1
    assert figure.layout.yaxis.type == "log"


def test_names_are_harmless_and_nothing_is_not_drawn(swept):
    other = sweep_figure(swept, LIGHT, x_title="<i>", y_title="y").data[1]
    assert other.name == "&lt;b&gt;x"
    assert np.isnan(other.y).all()


def test_public_figures_carry_no_notice(swept):
    figure = sweep_figure(swept, LIGHT, x_title="m", y_title="y", shows_truth=False)
    assert notices(figure) == 0


def test_ticks_are_short():
    assert [short(v) for v in (0.05, 500, 20_000, 1e6)] == ["0.05", "500", "20k", "1M"]


def test_a_legend_alone_has_a_line_each():
    figure = legend_strip([("AggTree", False), ("AggTree", True)], LIGHT)
    assert [trace.name for trace in figure.data] == ["AggTree", "AggTree, improved"]


@pytest.fixture
def searched():
    names = ["mechanism", "kind", "size", "low", "high", "rate", "rate_low", "rate_high", "runs"]
    return pd.DataFrame(
        [
            ("JointExp", "tried", 10.0, np.nan, np.nan, 1.0, 0.9, 1.0, 50),
            ("JointExp", "tried", 0.1, np.nan, np.nan, 0.2, 0.1, 0.3, 50),
            ("JointExp", "tried", 1.0, np.nan, np.nan, 0.9, 0.8, 0.95, 50),
            ("JointExp", "answer", 1.1, 0.9, 1.4, 0.96, 0.9, 1.0, 50),
            ("AggTree", "answer", np.inf, 100.0, np.inf, np.nan, np.nan, np.nan, 0),
        ],
        columns=names,
    )


def test_success_is_drawn_where_it_moves_with_its_answer(searched):
    figure = success_figure(searched, 0.95, LIGHT, symbol="ε")
    line = next(trace for trace in figure.data if trace.name == "JointExp")
    assert line.x.tolist() == [0.1, 1.0, 10.0]
    assert line.y.tolist() == [0.2, 0.9, 1.0]
    marks = [trace for trace in figure.data if list(trace.y) == [0.95] * 3]
    assert [list(trace.x) for trace in marks] == [[0.9, 1.1, 1.4]]  # none for what has no answer
    low, high = figure.layout.xaxis.range
    assert 10**low == pytest.approx(0.05)
    assert 10**high < 10
    assert notices(figure) == 1


@pytest.fixture
def places():
    names = ["size", "n", "m", "winner", "mean", "second", "ratio", "clear"]
    return pd.DataFrame(
        [
            (0.1, 200.0, 9.0, "ApproximateQuantiles", 5.0, "JointExp", 1.5, True),
            (1.0, 200.0, 9.0, "JointExp", 4.0, "ApproximateQuantiles", 1.01, False),
            (1.0, 900.0, 60.0, "AggTree", 4.0, "", np.nan, True),
        ],
        columns=names,
    )


def test_the_map_names_winners_and_doubts(places):
    figure = winners_figure(
        places, 9.0, LIGHT, symbol="ε", sizes=[0.1, 1.0], records=[200.0, 900.0], chosen=(0.8, 250)
    )
    aq, joint = figure.data
    assert (aq.name, joint.name) == ("AQ", "JointExp")
    assert aq.z[0][0] == 1
    assert joint.z[0][1] == 0
    assert np.isnan(aq.z[1]).all()  # places of other m stay empty
    assert aq.text[0][0] == "AQ<br>1.50×"
    assert "?" in joint.text[0][1]
    box = figure.layout.shapes[0]
    assert (box.x0, box.y0) == (0.5, -0.5)
    assert notices(figure) == 1


def test_a_map_in_the_making_keeps_its_axes(places):
    empty = winners_figure(places.iloc[:0], 9.0, DARK, symbol="ρ", sizes=[0.1, 1.0], records=[5.0])
    assert list(empty.layout.xaxis.ticktext) == ["0.1", "1"]
    assert not empty.data
