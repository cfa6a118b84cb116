"""NodeTree: the exact price of a path, the law of its noise, and surveys that are combined."""

import numpy as np
import pytest
from scipy.stats import kstest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.combined import combined
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.node_tree import NodeTree

SHARES = (np.array([0.2]), np.array([0.5, 0.0]), np.array([0.3, 0.1, 0.8, 0.4]))
TREE = NodeTree(2, SHARES)
PATHS = [((0, 0), (1, i // 2), (2, i)) for i in range(4)]


def loss(scales, path, *, gaussian):
    """What a record on a path pays, from the noise alone."""
    sizes = np.array([scales[level][index] for level, index in path])
    return float((1 / (2 * sizes**2) if gaussian else 1 / sizes).sum())


@pytest.mark.parametrize(("budget", "gaussian"), [(PureDP(0.7), False), (ZCDP(0.7), True)])
def test_no_path_pays_more_than_the_budget_and_one_pays_all(budget, gaussian):
    paid = [loss(TREE.scales(budget), path, gaussian=gaussian) for path in PATHS]
    assert paid == pytest.approx([0.7, 0.56, 0.7, 0.42])
    both = NodeTree(2, SHARES, Neighbours.REPLACE_ONE).scales(budget)
    pairs = [
        loss(both, path, gaussian=gaussian) + loss(both, other, gaussian=gaussian)
        for path in PATHS for other in PATHS
    ]  # fmt: skip
    assert max(pairs) == pytest.approx(0.7)


@pytest.mark.parametrize(("budget", "law"), [(PureDP(0.5), "laplace"), (ZCDP(0.5), "norm")])
def test_noise_follows_its_law_and_another_scale_is_rejected(budget, law):
    exact = [np.array([7.0]), np.array([3.0, 4.0]), np.array([1.0, 2, 0, 4])]
    noisy = TREE.noisy(exact, budget, np.random.default_rng(3), 10_000)
    scales = TREE.scales(budget)
    assert np.isnan(noisy.counts[1][:, 1]).all()  # share 0: nothing of it comes out
    for level, index in ((0, 0), (1, 0), (2, 2)):
        error = (noisy.counts[level][:, index] - exact[level][index]) / scales[level][index]
        assert kstest(error, law).pvalue > 1e-9 / 3
        assert kstest(error * 1.25, law).pvalue < 1e-9
    factor = 2 if law == "laplace" else 1
    np.testing.assert_allclose(noisy.variances[2], factor * scales[2] ** 2)


def test_a_release_of_a_column_is_read_by_the_estimators():
    column = Column.from_values(np.linspace(0.01, 0.99, 400), Bounds(0, 1))
    noisy = TREE.release(column, PureDP(1e6), np.random.default_rng(1))
    found = TreeEstimator.EFFICIENT.apply(noisy)
    np.testing.assert_allclose(found.counts[1], [200, 200], atol=0.01)


@pytest.mark.parametrize("shares", [
    (np.array([0.6]), np.array([0.5, 0.1])), (np.array([0.5]), np.array([0.5])),
    (np.array([-0.1]), np.array([0.5, 0.5])), (np.array([0.0]), np.zeros(2)),
    (np.array([np.nan]), np.zeros(2)), ("x", "y"), 3,
])  # fmt: skip
def test_shares_that_cost_more_or_make_no_tree_are_refused(shares):
    with pytest.raises(InvalidParameter):
        NodeTree(2, shares)


def test_a_delta_is_refused():
    with pytest.raises(UnsupportedBudget, match="ε and in ρ"):
        TREE.scales(ApproxDP(1, 1e-6))


def survey(seed, shape, scale):
    rng = np.random.default_rng(seed)
    counts = tuple(rng.normal(size=(3, 2**level)) for level in range(shape))
    return Levels(2, counts, tuple(scale(rng, 2**level) for level in range(shape)))


def test_two_surveys_are_one_least_squares_problem():
    """Against dense algebra on the stacked measurements of both."""
    a = survey(1, 4, lambda rng, n: rng.uniform(0.5, 4, n))
    b = survey(2, 4, lambda rng, n: np.where(rng.random(n) < 0.3, np.inf, rng.uniform(0.5, 4, n)))
    found = TreeEstimator.EFFICIENT.apply(combined([a, b]))
    design = np.vstack([np.kron(np.eye(2**level), np.ones(8 >> level)) for level in range(4)])
    rows, weights, values = [], [], []
    for one in (a, b):
        spread = np.concatenate([one.node_variances(level) for level in range(4)])
        kept = np.isfinite(spread)
        rows.append(design[kept])
        weights.append(1 / spread[kept])
        values.append(np.concatenate([c[0] for c in one.counts])[kept])
    h, w, y = np.vstack(rows), np.concatenate(weights), np.concatenate(values)
    normal = np.linalg.inv(h.T @ (w[:, None] * h))
    np.testing.assert_allclose(found.counts[-1][0], normal @ h.T @ (w * y), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.variances[-1], np.diag(normal), rtol=1e-9)


def test_one_survey_alone_stays_as_it_is_and_a_known_count_wins():
    a = survey(1, 3, lambda _, n: np.full(n, 2.0))
    alone = combined([a])
    for level in range(3):
        np.testing.assert_allclose(alone.counts[level], a.counts[level])
        np.testing.assert_allclose(alone.variances[level], 2.0)
    known = Levels(2, tuple(np.full((3, 2**at), 5.0) for at in range(3)), (np.zeros(()),) * 3)
    both = combined([a, known])
    assert all((level == 5).all() for level in both.counts)
    assert all((spread == 0).all() for spread in both.variances)


def test_surveys_of_different_trees_are_refused():
    with pytest.raises(InvalidParameter, match="one shape"):
        combined([survey(1, 3, lambda _, n: np.ones(n)), survey(1, 4, lambda _, n: np.ones(n))])
    with pytest.raises(InvalidParameter, match="Nothing to combine"):
        combined([])
    with pytest.raises(InvalidParameter, match="survey"):
        combined([np.ones(3)])


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1)])
def test_secure_bits_are_refused_in_words(budget):
    column = Column.from_values([0.2, 0.4], Bounds(0, 1))
    with pytest.raises(InvalidParameter, match="up to rounding"):
        TREE.release(column, budget, SecureBits.fresh())
