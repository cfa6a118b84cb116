"""The pictures of one person, by their data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.loss import Claim, Shape, gaussian_epsilon
from dpviz.experiments.privacy.loss_view import LossCurves
from dpviz.experiments.privacy.odds import Odds
from dpviz.experiments.privacy.one_count import OneCount
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import LIGHT
from dpviz.figures.privacy.belief import belief_picture
from dpviz.figures.privacy.floors import Floors, limits
from dpviz.figures.privacy.one_count import Names, count_picture
from dpviz.figures.privacy.one_quantile import quantile_picture
from tests.figures.privacy_pictures import LOOKS, sizes, texts, traces

IDA = Names("Ida", "with Ida", "without Ida")


def count(epsilon=1.0, noise=Noise.DISCRETE_LAPLACE):
    return OneCount(noise, 1 / epsilon, 865, 864, Claim(epsilon))


def gaussian(sigma=2.0):
    return OneCount(Noise.GAUSSIAN, sigma, 865, 864, Claim(gaussian_epsilon(sigma, 1e-6), 1e-6))


@pytest.mark.few(12, 21)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("scene", [count(), count(0.1), count(1, Noise.LAPLACE), gaussian()])
def test_every_picture_of_a_count_is_a_valid_one(scene, look):
    picture = count_picture(scene, 866, IDA, look)
    go.Figure(picture)
    assert min(sizes(picture)) >= (18 if look.presenting else 14.5)


def test_the_laws_and_the_ratio_are_drawn_as_they_are():
    scene, look = count(), Look()
    drawn = traces(count_picture(scene, 866, IDA, look))
    laws = scene.laws()
    np.testing.assert_array_equal(drawn["with"]["y"][:-1], laws.one)
    np.testing.assert_array_equal(drawn["without"]["y"][:-1], laws.other)
    np.testing.assert_array_equal(drawn["ratio"]["y"][:-1], laws.ratio)
    assert drawn["with"]["line"]["color"] == LIGHT.private
    assert drawn["without"]["line"] == {
        "color": LIGHT.truth, "width": 2, "dash": "dot", "shape": "hv",
    }  # fmt: skip
    assert drawn["supposed"]["x"] == [866]
    assert drawn["supposed"]["y"] == [1.0]
    assert "beyond" not in drawn


def test_words_say_the_ratio_rounded_up_and_both_chances():
    said = texts(count_picture(count(), 866, IDA, Look()))
    assert "<b>2.72 ×</b>" in said
    assert "as likely with Ida: 17.0 % against 6.3 %" in said
    assert "the limit, e<sup>ε</sup> = 2.72" in said
    assert "as likely without Ida: 17.0 %" in texts(count_picture(count(), 863, IDA, Look()))


def test_the_count_with_the_person_is_a_blue_tick_among_few():
    for look in LOOKS:
        ticks = count_picture(count(0.03), 866, IDA, look)["layout"]["xaxis"]
        assert len(ticks["tickvals"]) <= (7 if look.phone else 13)
        (blue,) = [text for text in ticks["ticktext"] if look.ink.private in text]
        assert ">865<" in blue.replace("<b>", "").replace("</b>", "")


def test_gaussian_noise_shows_where_the_promise_is_broken():
    scene = gaussian()
    picture = count_picture(scene, int(scene.most), IDA, Look())
    beyond = traces(picture)["beyond"]
    assert beyond["line"]["color"] == LIGHT.danger
    seen = beyond["y"][np.isfinite(beyond["y"])]
    assert (np.abs(seen) > scene.claim.epsilon).all()
    assert "past the limit" in texts(picture)
    assert traces(picture)["supposed"]["marker"]["color"] == LIGHT.danger
    inside = count_picture(scene, 866, IDA, Look())
    assert traces(inside)["supposed"]["marker"]["color"] == LIGHT.private


def test_the_large_number_stands_clear_of_the_peaks_and_of_the_edge():
    for answer in range(859, 872):
        scene = count()
        picture = count_picture(scene, answer, IDA, Look())
        (number,) = [one for one in picture["layout"]["annotations"] if "×</b>" in one["text"]]
        away = abs(number["x"] - 865) / scene.reach
        assert 0.27 < away < 0.57


@pytest.mark.parametrize("look", LOOKS)
def test_densities_of_a_quantile(look):
    x = np.array([58.0, 58.5, 59.0])
    curves = LossCurves(
        Shape.STEPS, x, np.array([1.0, 0.9, 0.9]), np.array([0.95, 0.95, 0.95]), x,
        np.array([0.05, -0.05, -0.05]),
    )  # fmt: skip
    picture = quantile_picture(
        curves, (58.0, 59.0), 0.1, IDA, look, marks=(("leaves", 58.7), ("comes", 99.0))
    )
    go.Figure(picture)
    drawn = traces(picture)
    np.testing.assert_array_equal(drawn["ratio"]["y"], curves.ratio)
    assert drawn["leaves"]["x"] == [58.7]
    assert "comes" not in drawn
    assert picture["layout"]["yaxis2"]["range"][1] > 0.1
    inks = {one["text"]: one["font"]["color"] for one in picture["layout"]["annotations"]}
    whose = ("with", "without") if look.phone else ("with Ida", "without Ida")
    assert inks[whose[0]] == look.ink.private
    assert inks[f"{whose[1]}, dotted"] == look.ink.truth


@pytest.mark.few(12)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("prior", [0.01, 0.1, 0.5, 0.99])
def test_beliefs_before_and_after(look, prior):
    picture = belief_picture(Odds(1.0), prior, look)
    go.Figure(picture)
    drawn = traces(picture)
    low, high = drawn["this observer"]["y"]
    assert low < prior < high
    assert high == pytest.approx(np.e * prior / (1 - prior + np.e * prior))
    if prior == 0.1:
        assert "at most 23.2 %" in texts(picture)
        assert "at least 3.9 %" in texts(picture)


@pytest.mark.parametrize(
    ("ratio", "ends"),
    [
        ([2, 1, 0, -1, -2], [(0, 0), (4, 4)]),
        ([-2, -1.5, 0, 1, 1.2], [(4, 4), (0, 1)]),
        ([1, 1, 0, -1, -1], []),
        ([0, 0, 0, -3, -2], [(3, 4)]),
    ],
)
def test_each_end_beyond_the_limit_is_tinted(ratio, ends):
    x, law = np.arange(5.0), np.full(5, 0.2)
    floors = Floors(x, law, law, x, np.array(ratio, float), False, (0, 4), 1.0, "Ida")
    drawn = limits(floors, Look())
    tinted = [(one["x0"], one["x1"]) for one in drawn if one["yref"] == "paper"]
    assert tinted == ends
    (allowed,) = [
        (one["y0"], one["y1"]) for one in drawn if one["yref"] == "y2" and one["y0"] != one["y1"]
    ]
    assert allowed == (-1, 1)
    assert sorted(one["y0"] for one in drawn if one["y0"] == one["y1"]) == [-1, 1]
