"""Colours in OKLab: there and back, known values, and ramps of even lightness."""

import numpy as np
import pytest

from dpviz.figures.kit.palette import between, colours_of, lab_of, mixed
from dpviz.figures.spatial.ramp import DARK_STOPS, LIGHT_STOPS, STEPS

COLOURS = ["#000000", "#FFFFFF", "#FF0000", "#0072B2", "#F3EBDB", "#101418"]


def test_known_colours_have_the_published_coordinates():
    lab = lab_of(["#FFFFFF", "#FF0000"])
    np.testing.assert_allclose(lab[0], [1, 0, 0], atol=1e-3)
    np.testing.assert_allclose(lab[1], [0.628, 0.2249, 0.1258], atol=1e-3)


def test_there_and_back_changes_nothing():
    assert colours_of(lab_of(COLOURS)) == COLOURS


def test_a_mixture_lies_halfway():
    half = lab_of([mixed("#062A47", "#FBFAF7", 0.5)])[0]
    np.testing.assert_allclose(half, lab_of(["#062A47", "#FBFAF7"]).mean(axis=0), atol=4e-3)
    assert mixed("#062A47", "#FBFAF7", 0) == "#062A47"
    assert mixed("#062A47", "#FBFAF7", 1) == "#FBFAF7"


@pytest.mark.parametrize(("stops", "sign"), [(LIGHT_STOPS, -1), (DARK_STOPS, 1)])
def test_both_ramps_go_one_way_from_the_paper_in_steps_that_look_alike(stops, sign):
    ramp = between(stops, np.linspace(0, 1, STEPS + 1))
    steps = sign * np.diff(lab_of(ramp)[:, 0])
    assert (steps > 0).all()
    assert steps.max() < 2.2 * steps.mean()
    assert (ramp[0], ramp[-1]) == (stops[0], stops[-1])
