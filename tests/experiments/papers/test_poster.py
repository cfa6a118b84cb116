"""The poster's α and its trials (dpviz/experiments/papers/poster.py)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.errors import DpvizError
from dpviz.experiments.papers.poster import (
    BOUNDS,
    PEOPLE,
    POSTER_BUDGET,
    POSTERS,
    TREE,
    UNIVERSE,
    closed_form_alpha,
    poster_alpha,
    poster_curve,
    poster_trials,
)


@pytest.fixture(scope="module")
def column():
    return POSTERS["manohar2"].column(np.random.default_rng(3), 5000)


def test_the_closed_form_is_the_printed_number():
    assert poster_alpha() == pytest.approx(9333.16, abs=0.005)
    for wrong in (100, 102, 128):  # another number of values prints another number
        assert abs(closed_form_alpha(0.01, 0.05, wrong) - 9333.16) > 10
    assert closed_form_alpha(1.0, 0.05, 101) == pytest.approx(93.3316, abs=1e-4)


@pytest.mark.parametrize(
    "wrong", [{"epsilon": 0.0}, {"beta": 1.0}, {"beta": math.nan}, {"universe": 1}]
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(DpvizError):
        closed_form_alpha(**({"epsilon": 0.01, "beta": 0.05, "universe": 101} | wrong))


@pytest.mark.parametrize("key", POSTERS)
def test_the_made_up_people_are_a_million_in_101_values(key):
    column = POSTERS[key].column(np.random.default_rng(1))
    assert column.n == PEOPLE >= 10**6
    assert np.unique(column.values).tolist()[-100:] == list(range(1, UNIVERSE))
    assert BOUNDS.width == TREE.shape.leaves


def test_the_noise_is_that_of_the_text_with_whole_levels():
    scales = TREE.level_scales(POSTER_BUDGET)
    assert scales[0] == math.inf
    assert scales[1:] == (math.ceil(math.log2(UNIVERSE)) / 0.01,) * 7


def test_a_curve_has_both_alphas_at_the_values_of_the_poster(column, rng):
    frame = poster_curve(column, *rng.spawn(2))
    assert frame["edge"].tolist() == list(range(UNIVERSE + 1))
    assert frame["truth"].iloc[-1] == column.n
    assert (frame["formula"] == poster_alpha()).all()
    assert 1.5 < poster_alpha() / frame["alpha"].max() < 2.5
    assert (np.diff(frame["smoothed"]) >= 0).all()


def test_points_leave_the_simulated_alpha_as_expected_and_the_printed_one_hardly_ever(column, rng):
    """Means of 1,000 trials of 101 points; a deviation of 7 standard errors is a false alarm."""
    frame = poster_trials(column, rng, trials=1000, runs=4000)
    assert frame["points"].eq(UNIVERSE).all()
    assert frame["expected"].iloc[0] == pytest.approx(5.05)
    error = frame["raw"].std() / math.sqrt(1000)
    assert abs(frame["raw"].mean() - 5.05) < 7 * error + 0.05 * 5.05  # and α is simulated
    assert abs(frame["raw"].mean() - 2 * 5.05) > 7 * error
    assert frame["raw_formula"].mean() < 0.1
    assert frame["beyond"].iloc[0] < 0.1
    # three trials of ten with 3 or more points outside, as printed for age, do not follow
    share = float((frame["raw_formula"] >= 3).mean())
    assert stats.binom(10, share + 0.01).sf(3) < 1e-4
