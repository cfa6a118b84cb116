"""What a release spent, read off its noise."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.conversions import laplace_rho
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.estimators.spatial.audit import level_spending
from tests.estimators.spatial.rectangles import tree
from tests.estimators.spatial.spending import path_spending


def gaussian_of(release):
    return replace(release, tree=replace(release.tree, noise=Noise.GAUSSIAN))


def test_levels_in_epsilon(rng):
    release = tree(2, rng, [4, np.inf, 2])
    spending = level_spending(release)
    assert spending.unit == "ε"
    np.testing.assert_allclose(spending.levels, [0.25, 0, 0.5])
    both = replace(release, neighbours=Neighbours.REPLACE_ONE)
    np.testing.assert_allclose(level_spending(both).levels, [0.5, 0, 1])


def test_levels_in_rho(rng):
    release = replace(tree(1, rng, [4, 2]), spent=ZCDP(1))
    one_count = [laplace_rho(1 / 4), laplace_rho(1 / 2)]
    np.testing.assert_allclose(level_spending(release).levels, one_count)
    gaussian = replace(gaussian_of(release), neighbours=Neighbours.REPLACE_ONE)
    assert level_spending(gaussian).unit == "ρ"
    np.testing.assert_allclose(level_spending(gaussian).levels, [1 / 16, 1 / 4])
    laplace = replace(release, neighbours=Neighbours.REPLACE_ONE)
    np.testing.assert_allclose(level_spending(laplace).levels, 2 * np.array(one_count))


def test_a_path_adds_its_steps(rng):
    release = tree(1, rng, [4, 2])
    assert path_spending(release) == PureDP(0.75)
    steps = (PureDP(0.5), PureDP(0.25))
    cut = replace(release, structure=StructureBudget(0.5, 1, steps))
    assert path_spending(cut) == PureDP(1.5)
    smooth = (ApproxDP(0.5, 1e-5), ApproxDP(0.25, 1e-5))
    smooth_cut = replace(release, structure=StructureBudget(0.5, 1, smooth))
    assert path_spending(smooth_cut).delta == pytest.approx(2e-5)
    assert path_spending(smooth_cut).epsilon == pytest.approx(1.5)
    rho = replace(release, spent=ZCDP(1), structure=StructureBudget(0.5, 1, (ZCDP(0.25),)))
    counts = laplace_rho(1 / 4) + laplace_rho(1 / 2)
    assert path_spending(rho).rho == pytest.approx(counts + 0.25, rel=1e-15)


def test_what_does_not_add_up_is_refused(rng):
    gaussian = replace(gaussian_of(tree(1, rng)), spent=ApproxDP(1, 1e-6))
    with pytest.raises(InvalidParameter, match="whole"):
        path_spending(gaussian)
    release = tree(1, rng)
    noiseless = replace(release.tree, scales=(0, 0))
    exact = replace(release, tree=noiseless, spent=None, non_private=("counts",))
    with pytest.raises(InvalidParameter, match="not private"):
        level_spending(exact)
