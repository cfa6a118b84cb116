"""The picture of what declared bounds do to private quantiles, by its data."""

import pandas as pd
import pytest
from plotly.graph_objects import Figure

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.quantiles.column import error_by_width_picture
from tests.figures.inks import DARK, LIGHT


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
    figure = Figure(error_by_width_picture(frame(errors), Look(LIGHT), unit="years"))
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


@pytest.mark.parametrize("look", [Look(LIGHT), Look(DARK, presenting=True)])
def test_words_are_large_enough_and_name_the_declared_width(look):
    drawn = error_by_width_picture(frame([1.0, 2.0, 3.0]), look, unit="<b>years</b>")
    said = [one["text"] for one in drawn["layout"]["annotations"]]
    assert "as declared" in said
    assert "<b>" not in " ".join(said)
    least = 20 if look.presenting else 14.5
    assert all(one["font"]["size"] >= least for one in drawn["layout"]["annotations"])
    assert drawn["layout"]["xaxis"]["tickfont"]["size"] >= least
    assert drawn["layout"]["shapes"][0]["x0"] == 1


def test_translucent_colours():
    assert translucent("#0A141E", 0.25) == "rgba(10, 20, 30, 0.25)"
