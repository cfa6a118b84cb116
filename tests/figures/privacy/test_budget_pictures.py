"""The pictures of a budget that many answers empty, by their data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.privacy.amounts import value_text
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.budget import Attack, Bill, accounts
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import LIGHT
from dpviz.figures.privacy.accounts import accounts_picture
from dpviz.figures.privacy.budget import budget_picture
from tests.figures.privacy_pictures import LOOKS, sizes, texts, traces


def attack(answers, truth=865.0):
    return Attack(np.asarray(answers, dtype=np.float64), truth, 14.1, truth, 1.0)


def fills(picture, colour):
    shapes = picture["layout"]["shapes"]
    return [one for one in shapes if one.get("fillcolor") == colour and one["xref"] == "x2"]


@pytest.mark.few(25)
@pytest.mark.law
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("answers", [1, 6, 10, 25, 1_000])
@pytest.mark.parametrize("promise", [0.05, 1.0, 200.0])
def test_every_picture_is_a_valid_one(answers, promise, look):
    given = attack(865 + np.arange(answers) % 3)
    bill = Bill(0.1, answers, promise)
    for shown in (given, None):
        picture = budget_picture(shown, 14.1, bill, look)
        go.Figure(picture)
        assert min(sizes(picture)) >= (18 if look.presenting else 14.5)


def test_answers_and_their_average_are_drawn_as_they_are():
    given = attack([850.0, 880.0, 866.0])
    drawn = traces(budget_picture(given, 0, Bill(0.1, 3, 1.0), Look()))
    np.testing.assert_array_equal(drawn["answers"]["y"], given.answers)
    np.testing.assert_allclose(drawn["average"]["y"], [850, 865, 865 + 1 / 3])
    np.testing.assert_allclose(drawn["answers"]["x"], np.log10([1, 2, 3]))
    band = drawn["19 averages in 20"]
    assert band["y"].max() == pytest.approx(865 + 1.96 * 14.1)


@pytest.mark.parametrize(
    ("answers", "promise", "leaks"),
    [([865, 865], 0.1, True), ([865, 865], 1.0, False), ([850, 851], 0.1, False)],
)
def test_vermilion_needs_a_leak_and_a_broken_promise(answers, promise, leaks):
    picture = budget_picture(attack(answers), 0, Bill(0.1, 2, promise), Look())
    last = traces(picture)["last average"]["marker"]["color"]
    assert (last == LIGHT.danger) == leaks


def test_tanks_are_taken_to_scale():
    for answers, count, last in ((1_000, 100, 1.0), (25, 3, 0.5), (11, 2, 0.1)):
        picture = budget_picture(None, 14.1, Bill(0.1, answers, 1.0), Look())
        taken = fills(picture, LIGHT.danger)
        assert len(taken) == count
        heights = [one["y1"] - one["y0"] for one in taken]
        assert heights[-1] / heights[0] == pytest.approx(last)
    assert "100 tanks were taken" in texts(budget_picture(None, 1, Bill(1, 100, 1), Look()))
    presenting = texts(budget_picture(None, 1, Bill(1, 100, 1), Look(presenting=True)))
    assert "100 tanks taken" in presenting  # larger words have less room


def test_more_than_a_hundred_tanks_share_squares():
    picture = budget_picture(None, 1, Bill(1.0, 1_000, 0.1), Look())
    assert len(fills(picture, LIGHT.danger)) == 100
    assert "10,000 tanks were taken" in texts(picture)
    assert "a square is 100" in texts(picture)


def test_within_the_promise_nothing_is_vermilion():
    for answers, words in ((6, "ε = 0.4 is left"), (10, "The tank is empty")):
        picture = budget_picture(attack([865] * answers), 0, Bill(0.1, answers, 1.0), Look())
        assert not fills(picture, LIGHT.danger)
        assert words in texts(picture)
        marks = [one for one in picture["layout"]["shapes"] if one.get("xref") == "x2"]
        cuts = [one for one in marks if one.get("line", {}).get("color") == LIGHT.page]
        assert len(cuts) == answers


def test_without_the_truth_the_band_says_how_far_off_an_average_is():
    picture = budget_picture(None, 14.1, Bill(0.1, 1_000, 1.0), Look())
    assert list(traces(picture)) == ["19 averages in 20"]
    assert "true" not in texts(picture)
    assert picture["layout"]["yaxis"]["range"] == [-50, 50]


def test_numbers_have_the_digits_of_their_grid():
    assert value_text(39_758.2, 0) == "39,758"
    assert value_text(-0.02, 1.0) == "0"
    assert value_text(-3.0, 0.5) == "−3.0"


@pytest.mark.few(8, 16)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    ("noise", "budget"),
    [
        (Noise.DISCRETE_LAPLACE, PureDP(0.1)),
        (Noise.GAUSSIAN, ZCDP(0.01)),
        (Noise.LAPLACE, PureDP(1e-6)),
        (Noise.LAPLACE, PureDP(1e4)),
    ],
)
def test_every_account_is_named_and_finite(noise, budget, look):
    query = CountQuery.over(5, noise)
    ks, totals = accounts(query, budget, 1e-6, 100)
    picture = accounts_picture(ks, totals, 100, 1.0, look)
    go.Figure(picture)
    drawn = traces(picture)
    for name, line in totals.items():
        np.testing.assert_allclose(10 ** drawn[name]["y"][-1], line[-1])
        assert np.isfinite(drawn[name]["y"]).all()
    assert len({one["line"]["dash"] for one in drawn.values() if "line" in one}) == len(totals)
