"""§8.2's other settings: every place of every knob runs, with the one setting moved."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.points import Points
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.psd_figures import QUICK
from dpviz.experiments.papers.psd_settings import KNOBS, LENGTHS, ORDERS, SHARES, settings_accuracy
from dpviz.figures.studies.psd import KNOBS as TITLES
from dpviz.figures.studies.psd import settings_figure
from tests.figures.studies.drawn import LOOKS, checked, lines

BOX = Box(Bounds(-1.0, 3.0), Bounds(0.0, 2.0))
TINY = replace(QUICK, runs=2, queries=10, records=600, cells=(64, 32), kd_height=2)


@pytest.mark.thorough
def test_every_place_runs_moves_one_setting_and_is_drawn():
    rng = np.random.default_rng(1)
    points = Points.from_xy(rng.normal(1, 0.6, 800), rng.normal(1, 0.3, 800), BOX)
    experiment = settings_accuracy(points, TINY, np.random.default_rng(2))
    cells = {(cell.knob, cell.place): cell.mechanism for cell in experiment.cells}
    assert cells["switch level", 1].upper_levels == 1
    assert cells["share", 0.5].median_share == 0.5
    assert cells["order", 14].order == 14
    assert cells["cell length", 0.02].cells == (32, 16)
    found = summary(run_all(experiment))
    places = {knob: set(part["place"]) for knob, part in found.groupby("knob")}
    assert places == dict(
        zip(KNOBS, ({0, 1, 2}, set(SHARES), set(ORDERS), set(LENGTHS)), strict=True)
    )
    assert set(TITLES) == set(KNOBS)
    for look in LOOKS:
        (panel,) = lines(checked(settings_figure(found, look, knob="share")))
        assert len(panel) == 3
        assert all(x == list(SHARES) for x, _ in panel.values())
