"""The picture for outsiders: nothing in it but the release and its bands."""

import inspect

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.core.quantiles import DECILES, PERCENTILES
from dpviz.figures.quantiles.made_up import made_up_picture
from dpviz.figures.quantiles.release_rows import release_picture
from tests.figures.quantiles.releases import LOOKS, case, named, said
from tests.rows import grid

TITLE = "Share of the students with at most this mark"


@pytest.mark.law
@grid(look=LOOKS, quantiles=[DECILES, PERCENTILES], has_bands=[True, False])
def test_plotly_takes_every_picture(quantiles, look, has_bands):
    one = case("salaries", quantiles)
    half = np.full(one.alone.published.size, 300.0) if has_bands else None
    go.Figure(release_picture(one.alone, half, one.scale, TITLE, look))


def test_the_curve_goes_through_the_numbers_to_the_bounds():
    one = case("exam", DECILES)
    picture = release_picture(one.alone, None, one.scale, TITLE, LOOKS[0])
    (curve,) = named(picture, "published curve")
    np.testing.assert_array_equal(curve["x"], [0, *one.release.values, 100])
    np.testing.assert_array_equal(curve["y"], [0, *DECILES, 1])
    assert {trace["name"] for trace in picture["data"]} == {"published curve", "published"}


def test_bands_reach_as_far_as_they_say_inside_the_bounds():
    one, half = case("exam", DECILES), np.linspace(1, 40, 9)
    picture = release_picture(one.alone, half, one.scale, TITLE, LOOKS[0])
    (bands,) = named(picture, "bands")
    low, high = bands["x"].reshape(-1, 3)[:, :2].T
    np.testing.assert_array_equal(low, np.maximum(one.release.values - half, 0))
    np.testing.assert_array_equal(high, np.minimum(one.release.values + half, 100))
    middle = one.release.values[4]
    assert f"likely {middle - half[4]:.0f} to {middle + half[4]:.0f}" in said(picture)
    assert any("about 19 times in 20" in text for text in said(picture))


def test_it_is_given_nothing_of_the_data():
    taken = set(inspect.signature(release_picture).parameters)
    assert taken == {"answers", "half_widths", "scale", "title", "look"}


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.screen}{look.presenting}")
def test_a_made_up_column_stands_beside_the_real_one(look):
    one = case("exam", DECILES)
    args = (one.release.values, DECILES)
    both = made_up_picture(
        *args, one.curve, one.scale, TITLE, look, names=("9 made-up", "6,000 real")
    )
    alone = made_up_picture(*args, None, one.scale, TITLE, look, names=("9 made-up", ""))
    go.Figure(both)
    go.Figure(alone)
    assert [trace["name"] for trace in alone["data"]] == ["made-up"]
    (true,) = named(both, "true CDF")
    np.testing.assert_array_equal(true["x"][1:-1], one.curve.value)
    assert "6,000 real" not in " ".join(said(alone))
