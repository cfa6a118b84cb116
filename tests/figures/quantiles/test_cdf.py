"""CDF figures by their data: what is drawn where, in which style, and what stays hidden."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.data import Column
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.kit.thin import thin_steps
from dpviz.figures.quantiles.cdf import PrivateCurve, TrueCurve, cdf_figure, private_view
from tests.figures.inks import DARK, LIGHT

BOUNDS = Bounds(0, 100)


def private(name="JointExp", *, band=False, count=3):
    quantiles = np.arange(count, 0, -1) / (count + 1)  # any order is allowed
    values = 100 * quantiles
    around = (values - 2, values + 1) if band else None
    return PrivateCurve(name, name, quantiles, values, around)


def truth(values, view=(0.0, 100.0)):
    return TrueCurve(*thin_steps(*Column.from_values(values, BOUNDS).steps, view))


def notices(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_private_steps_run_from_bound_to_bound_in_order():
    (trace,) = cdf_figure([private()], None, BOUNDS, LIGHT).data
    assert trace.x.tolist() == [0, 25, 50, 75, 100]
    assert trace.y.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert trace.line.shape == "hv"
    assert trace.marker.size[0] == trace.marker.size[-1] == 0  # bounds are no outputs
    assert min(trace.marker.size[1:-1]) > 0


def test_black_is_the_truth_and_each_mechanism_has_a_style_of_its_own():
    curves = [private(kind.name) for kind in catalogue.QUANTILES]
    for ink in (LIGHT, DARK):
        first, *others = cdf_figure(curves, truth([1, 50, 99]), BOUNDS, ink).data
        assert first.name == "True CDF (confidential)"
        assert first.line.color == ink.truth
        for what in (
            {trace.line.color for trace in others},
            {trace.line.dash for trace in others},
            {trace.marker.symbol for trace in others},
        ):
            assert len(what) == len(catalogue.QUANTILES)


def test_pictures_with_true_data_say_so_and_others_do_not():
    assert notices(cdf_figure([private()], None, BOUNDS, LIGHT)) == []
    assert notices(cdf_figure([private()], truth([5]), BOUNDS, LIGHT)) == [NOTICE]
    assert notices(cdf_figure([private(band=True)], None, BOUNDS, LIGHT)) == [NOTICE]


def test_a_band_encloses_low_and_high_in_the_order_of_the_quantiles():
    band, _ = cdf_figure([private(band=True)], None, BOUNDS, LIGHT).data
    assert band.fill == "toself"
    assert band.x.tolist() == [23, 48, 73, 76, 51, 26]
    assert band.y.tolist() == [0.25, 0.5, 0.75, 0.75, 0.5, 0.25]


@pytest.mark.parametrize("count", [1, 40, 41, 150, 151, 500])
def test_many_marks_grow_small_and_vanish(count):
    (trace,) = cdf_figure([private(count=count)], None, BOUNDS, LIGHT).data
    assert trace.x.size == count + 2
    size = trace.marker.size[1]
    assert size == (9 if count <= 40 else 5 if count <= 150 else 0)


def test_names_from_a_file_are_text_and_not_markup():
    figure = cdf_figure([private()], None, BOUNDS, LIGHT, unit="<b>$x$</b> & more")
    assert figure.layout.xaxis.title.text == "&lt;b&gt;&#36;x&#36;&lt;/b&gt; &amp; more"


def test_the_view_holds_every_output_and_stays_inside_the_bounds():
    low, high = private_view([private()], BOUNDS)
    assert (low, high) == (12.5, 87.5)
    assert private_view([private(count=500)], BOUNDS) == (0, 100)
    assert private_view([], BOUNDS) == (0, 100)
    one = private_view([private(count=1)], BOUNDS)
    assert one == (45, 55)


def test_an_empty_column_draws_a_flat_truth():
    (trace,) = cdf_figure([], truth([]), BOUNDS, LIGHT).data
    assert trace.x.tolist() == [0, 100]
    assert trace.y.tolist() == [0, 0]


def test_thinning_keeps_every_step_that_a_screen_can_show(rng):
    column = Column.from_values(rng.normal(50, 10, 50_000), BOUNDS)
    view = (20.0, 80.0)
    x, y = thin_steps(*column.steps, view, points=500)
    assert x.size <= 1002
    at = np.linspace(*view, 300)
    drawn = y[np.searchsorted(x, at, side="right") - 1]
    exact = column.count_up_to(at) / column.n
    assert np.abs(drawn - exact).max() <= 2 / 500
    few = Column.from_values([1.0, 1.0, 3.0], BOUNDS)
    x, y = thin_steps(*few.steps, (0.0, 100.0))
    assert (x.tolist(), y.tolist()) == ([1, 3], [2 / 3, 1])
