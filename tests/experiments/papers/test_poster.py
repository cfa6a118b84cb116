"""The poster's α and its trials (dpviz/experiments/papers/poster.py)."""

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
    interval_alpha,
    interval_nodes,
    most_nodes,
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


@pytest.mark.law
def test_a_curve_has_both_alphas_at_the_values_of_the_poster(column, rng):
    frame = poster_curve(column, *rng.spawn(2))
    assert frame["value"].tolist() == list(range(UNIVERSE))
    up_to = [sum(one <= t for one in column.values.tolist()) for t in range(UNIVERSE)]
    assert frame["truth"].tolist() == up_to  # people with t or less, not below t
    assert up_to[0] > 0
    assert (frame["formula"] == poster_alpha()).all()
    assert 1.5 < poster_alpha() / frame["alpha"].max() < 2.5
    assert (np.diff(frame["smoothed"]) >= 0).all()
    raw = frame["raw"].to_numpy(np.float64)
    most = [max(raw[i : j + 1].mean() for i in range(j + 1)) for j in range(raw.size)]
    fit = [min(most[k:]) for k in range(raw.size)]
    np.testing.assert_allclose(frame["smoothed"], fit, atol=1.5)  # the poster's formula, rounded
    assert frame["held"].min() >= 0  # cut, as elsewhere here


def whole_nodes(first, last, low, high):
    """Nodes below the root that cover an interval, by plain descent."""
    if last <= low or high <= first:
        return 0
    if first <= low and high <= last and high - low < 128:
        return 1
    middle = (low + high) // 2
    return whole_nodes(first, last, low, middle) + whole_nodes(first, last, middle, high)


def test_the_interval_of_the_most_nodes_is_what_a_descent_finds():
    found = {
        (a, b): whole_nodes(a, b, 0, 128)
        for a in range(UNIVERSE)
        for b in range(a + 1, UNIVERSE + 1)
    }
    assert all(interval_nodes(a, b, 128) == nodes for (a, b), nodes in found.items())
    assert most_nodes() == max(found.values()) == 11


def test_the_alpha_of_an_interval_is_that_of_a_sum_of_laplace_noises():
    """P(|sum of k Lap(700)| ≤ α) = .95, from another simulation: 400,000 gammas, 6 deviations."""
    rng, nodes = np.random.default_rng(8), most_nodes()
    other = 700 * (rng.gamma(nodes, size=400_000) - rng.gamma(nodes, size=400_000))
    alpha = interval_alpha(np.random.default_rng(9), nodes)
    inside = float((np.abs(other) <= alpha).mean())
    assert abs(inside - 0.95) < 6 * math.sqrt(0.95 * 0.05 * (1 / 400_000 + 1 / 200_000))
    fewer = interval_alpha(np.random.default_rng(9), nodes - 1)
    assert abs(float((np.abs(other) <= fewer).mean()) - 0.95) > 0.005


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
