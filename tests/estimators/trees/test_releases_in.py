"""Estimators of trees take a release: the same numbers as on its levels, and helpful refusals."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.band import cdf_band, noise_band
from dpviz.estimators.trees.cdf import cdf, cdf_of_levels, monotone
from dpviz.estimators.trees.least_squares import (
    TreeEstimate,
    efficient,
    estimated,
    from_above,
    from_below,
)
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from tests.rows import by_rows

COLUMN = Column.from_values(np.linspace(0, 100, 501) ** 2 / 100, Bounds(0, 100))
READERS = {
    TreeEstimator.EFFICIENT: efficient,
    TreeEstimator.FROM_BELOW: from_below,
    TreeEstimator.FROM_ABOVE: from_above,
}
WRONG = {
    "a list": [1, 2, 3],
    "nothing": None,
    "the data itself": COLUMN,
    "levels": CountTree(2, 2).release(COLUMN, PureDP(1), np.random.default_rng(1)).levels,
    "a mechanism": CountTree(2, 2),
}


@pytest.fixture(params=Root)
def release(request, rng):
    tree = CountTree(
        2,
        4,
        LevelBudget.own([1, 1, 0, 1, 2]),
        root=request.param,
        neighbours=Neighbours.REPLACE_ONE,
        records=COLUMN.n if request.param is Root.PUBLIC else None,
    )
    return tree.release(COLUMN, ZCDP(0.1), rng)


def test_from_a_release_to_its_curve_and_band(rng):
    tree = CountTree(fanout=2, height=6).release(COLUMN, ZCDP(0.1), rng)
    best = efficient(tree)
    assert best.counts[-1].shape == (64,)
    np.testing.assert_allclose(best.counts[-1].sum(), best.counts[0][0])
    assert all((mine < raw).all() for mine, raw in zip(best.variances, tree.variances, strict=True))
    np.testing.assert_array_equal(best.edges(), tree.edges())
    for curve in (cdf(best), cdf(tree)):
        smooth = monotone(curve)
        assert smooth.monotone
        assert (np.diff(smooth.counts) >= 0).all()
        assert curve.edges.size == 65
    band = cdf_band(tree, rng, runs=100)
    assert band.pointwise.shape == (65,)
    assert cdf_band(best, rng, runs=100).simultaneous < band.simultaneous


@pytest.mark.parametrize("reading", READERS)
def test_an_estimate_holds_what_its_reading_makes_of_the_levels(release, reading):
    found, expected = READERS[reading](release), reading.apply(release.levels, release.total)
    assert isinstance(found, TreeEstimate)
    assert (found.release, found.reading, found.total) == (release, reading, release.total)
    assert (found.shape, found.level_count) == (release.shape, release.level_count)
    for mine, other in zip(found.counts, expected.counts, strict=True):
        np.testing.assert_array_equal(mine, other)
    for mine, other in zip(found.variances, expected.variances, strict=True):
        np.testing.assert_array_equal(mine, other)


@by_rows("reading", TreeEstimator)
@by_rows("step", [1, 5])
def test_a_curve_is_that_of_the_reading(release, reading, step):
    levels = reading.apply(release.levels, release.total)
    expected = cdf_of_levels(levels, release.bounds, release.total, step=step)
    found = cdf(estimated(release, reading), step=step)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.edges, expected.edges)
    assert found.public_total == (release.root is Root.PUBLIC)
    assert monotone(found).public_total == found.public_total
    if reading is TreeEstimator.RAW:
        np.testing.assert_array_equal(cdf(release, step=step).counts, found.counts)


@by_rows("reading", TreeEstimator)
def test_a_band_is_that_of_the_noise_and_the_reading(release, reading):
    found = cdf_band(estimated(release, reading), np.random.default_rng(3), runs=60, beta=0.1)
    noise = release.tree_noise
    expected = noise_band(noise, reading, np.random.default_rng(3), runs=60, beta=0.1)
    np.testing.assert_array_equal(found.pointwise, expected.pointwise)
    assert found.simultaneous == expected.simultaneous


@by_rows("wrong", WRONG)
@by_rows("function", [efficient, from_below, from_above, cdf, monotone])
def test_anything_else_is_refused_with_words(function, wrong):
    with pytest.raises(InvalidParameter, match=r"takes the .*, got .*\. Hand over what") as caught:
        function(WRONG[wrong])
    assert str(caught.value).startswith(function.__name__)
    assert "501" not in str(caught.value)  # nothing of the data


@pytest.mark.parametrize("wrong", WRONG)
def test_a_band_refuses_anything_else_too(wrong, rng):
    with pytest.raises(InvalidParameter, match=r"^cdf_band takes the release"):
        cdf_band(WRONG[wrong], rng)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": None}, "step must be a whole number"),
        ({"step": 1.5}, "step must be a whole number"),
        ({"step": 0}, "step must lie in"),
        ({"beta": "much"}, "β must lie"),
        ({"beta": 0}, "β must lie"),
        ({"runs": "many"}, "runs must be a whole number"),
        ({"runs": 3}, "needs at least"),
        ({"rng": 7}, "random generator"),
    ],
)
def test_settings_of_a_band_that_cannot_be(settings, message, rng):
    tree = CountTree(2, 3).release(COLUMN, PureDP(1), rng)
    with pytest.raises(InvalidParameter, match=message):
        cdf_band(tree, **{"rng": rng, **settings})
