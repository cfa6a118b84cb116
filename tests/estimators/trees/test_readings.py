"""The four readings of a tree by name, and the noise of a tree alone."""

import numpy as np
import pytest

from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.level_estimates import (
    efficient_levels,
    from_above_levels,
    from_below_levels,
)
from dpviz.estimators.trees.readings import TreeEstimator
from tests.estimators.trees.test_tree import random_levels


def test_names_stand_for_their_functions(rng):
    levels = random_levels(rng, 3, 2, "node", batch=(4,))
    for total in (None, 7.0):
        for name, function in (
            ("from-above", lambda x: from_above_levels(x, total)),  # noqa: B023
            ("efficient", lambda x: efficient_levels(x, total)),  # noqa: B023
            ("from-below", from_below_levels),
            ("raw", lambda x: x),
        ):
            mine, other = TreeEstimator(name).apply(levels, total), function(levels)
            first = 0 if total is None else 1
            for one, two in zip(mine.counts[first:], other.counts[first:], strict=True):
                np.testing.assert_array_equal(one, two)
            if total is not None:
                assert (mine.counts[0] == 7).all()
                assert mine.variances[0] == 0


def test_every_run_may_have_an_n_of_its_own(rng):
    levels = random_levels(rng, 2, 3, "node", batch=(5,))
    totals = np.arange(5.0)[:, None]
    for estimator in TreeEstimator:
        together = estimator.apply(levels, totals)
        for run in range(5):
            alone = estimator.apply(levels, float(run))
            for one, two in zip(together.counts, alone.counts, strict=True):
                np.testing.assert_allclose(one[run], two[run], atol=1e-12)


@pytest.mark.parametrize("root", Root)
def test_noise_without_counts(rng, root):
    scales = (1.0 if root is Root.RELEASED else np.inf, 2.0, 3.0)
    noise = TreeNoise(3, Noise.LAPLACE, scales, root)
    assert [float(v) for v in noise.variances[1:]] == [8, 18]
    assert noise.total == (0.0 if root is Root.PUBLIC else None)
    drawn = noise.simulate(10, rng)
    assert [level.shape for level in drawn.counts] == [(10, 1), (10, 3), (10, 9)]
    assert np.isnan(drawn.counts[0]).all() == (root is not Root.RELEASED)
    assert not any(level.any() for level in noise.blank().counts)
