from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.papers.aq_figures import EXAMPLE, histograms, moved_targets, recursion_nodes
from dpviz.experiments.papers.sets import study_sets
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.studies.aq import (
    gap_panel,
    histogram_panel,
    nodes_figure,
    targets_figure,
    time_figure,
)
from tests.figures.inks import DARK, LIGHT


@pytest.fixture(scope="module")
def sets():
    return study_sets(np.random.default_rng(5))


LINES = (("paper", "JointExp"), ("paper", "AggTree"), ("improved", "AggTree"))


@pytest.fixture
def study():
    rows = [
        (m, variant, mechanism, mean, 0.5, 4)
        for m, mean in ((1, 2.0), (35, 20.0), (120, 100.0))
        for variant, mechanism in LINES
    ]
    names = ["m", "variant", "mechanism", "mean", "standard_error", "runs"]
    return pd.DataFrame(rows, columns=names)


def test_nodes_are_drawn_level_by_level_without_a_notice_for_public_data(sets, rng):
    nodes = recursion_nodes(sets["normal"], 7, 1.0, rng)
    figure = nodes_figure(nodes, LIGHT, unit="value", shows_truth=False)
    marks = figure.data[1]
    assert marks.x.tolist() == nodes["value"].tolist()
    assert marks.customdata[:, 4].tolist() == nodes["records"].tolist()
    assert NOTICE not in [note.text for note in figure.layout.annotations]
    told = nodes_figure(nodes, DARK, unit="value", shows_truth=True)
    assert NOTICE in [note.text for note in told.layout.annotations]


def test_targets_before_and_after():
    figure = targets_figure(moved_targets(**EXAMPLE), LIGHT)
    drawn = {trace.name: trace.x.tolist() for trace in figure.data if trace.name}
    assert drawn["true target"] == [3, 6, 9]
    assert drawn["target after the error"] == [2, 4, 8]


def test_histogram_bars_are_the_counts(sets):
    bars = histograms(sets)
    part = bars[bars["data"] == "hours"]
    bar = histogram_panel(part, LIGHT, shows_truth=False).data[0]
    assert bar.y.sum() == 48_842
    assert np.allclose(bar.x - bar.width / 2, part["low"])


def test_gap_panels_zoom_and_add_our_variants(study):
    paper = gap_panel(study, LIGHT, improved=False, most=None, shows_truth=False)
    assert [trace.name for trace in paper.data] == ["JointExp", "AggTree"]
    assert paper.data[0].y.tolist() == [2, 20, 100]
    both = gap_panel(study, LIGHT, improved=True, most=35, shows_truth=False, y_range=(1, 100))
    assert [trace.name for trace in both.data][-1] == "AggTree, improved"
    assert both.data[0].x.tolist() == [1, 35]
    assert both.data[-1].marker.symbol.endswith("-open")
    assert tuple(both.layout.yaxis.range) == (0, 2)
    assert both.layout.yaxis.type == "log"


def test_times_are_milliseconds(study):
    frame = study[study["variant"] == "paper"].assign(mean=0.002, standard_error=0.0001)
    line = time_figure(frame, LIGHT).data[0]
    assert line.y == pytest.approx([2.0] * 3)
    assert line.error_y.array == pytest.approx([0.2] * 3)
