"""Budgets of single nodes: against a general solver, and never worse than budgets of levels."""

import numpy as np
import pytest
from scipy.optimize import minimize

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.node_split import (
    CONCENTRATED,
    PURE,
    canonical_uses,
    canonical_variance,
    even_shares,
    fitted_variance,
    level_shares,
    levels_of,
    node_shares,
    node_split,
    path_sums,
)

SHAPE = TreeShape(2, 2)
QUERIES = np.array([[1.0, 1, 0, 0], [1, 0, 0, 0], [0, 0.5, 1, 1]])


def by_hand(weights: np.ndarray) -> list[dict[tuple[int, int], float]]:
    """The canonical nodes of each query of a binary tree of height 2, by recursion."""

    def walk(row: np.ndarray, level: int, index: int) -> dict[tuple[int, int], float]:
        wide = 4 >> level
        part = row[index * wide : (index + 1) * wide]
        if (part == 1).all():
            return {(level, index): 1.0}
        if level == 2:
            return {(level, index): float(part[0])} if part[0] else {}
        return walk(row, level + 1, 2 * index) | walk(row, level + 1, 2 * index + 1)

    return [walk(row, 0, 0) for row in weights]


def solved(objective, power):
    """The least objective over free shares of the seven nodes, each path summing to 1."""
    paths = np.array([[1, 1, 0, 1, 0, 0, 0], [1, 1, 0, 0, 1, 0, 0],
                      [1, 0, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0, 1]])  # fmt: skip
    limits = {"type": "eq", "fun": lambda x: paths @ x - 1}
    start = np.full(7, 1 / 3)
    found = minimize(objective, start, bounds=[(1e-6, 1)] * 7, constraints=[limits],
                     options={"maxiter": 500, "ftol": 1e-13})  # fmt: skip
    assert found.success
    return found.fun


def cut(x):
    return (x[:1], x[1:3], x[3:])


def test_uses_are_those_of_the_canonical_nodes():
    uses = canonical_uses(SHAPE, QUERIES)
    expected = {}
    for nodes in by_hand(QUERIES):
        for node, weight in nodes.items():
            expected[node] = expected.get(node, 0) + weight**2 / len(QUERIES)
    found = {(at, i): u for at, level in enumerate(uses) for i, u in enumerate(level) if u > 0}
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("power", [PURE, CONCENTRATED])
def test_the_closed_form_is_the_optimum_of_a_general_solver(power):
    uses = canonical_uses(SHAPE, QUERIES)
    uses = tuple(level + 0.05 for level in uses)  # so that no share is at its bound
    shares = node_shares(uses, 2, power)
    np.testing.assert_allclose(path_sums(shares, 2), 1)
    own = canonical_variance(uses, levels_of(SHAPE, shares, power))
    best = solved(lambda x: canonical_variance(uses, levels_of(SHAPE, cut(x), power)), power)
    assert own == pytest.approx(best, rel=1e-5)
    assert own < 0.999 * canonical_variance(uses, levels_of(SHAPE, even_shares(SHAPE), power))


def test_after_least_squares_the_turns_lead_to_the_convex_optimum_in_rho():
    queries = np.vstack([QUERIES, np.eye(4)])
    shares = node_split(SHAPE, queries, CONCENTRATED)
    np.testing.assert_allclose(path_sums(shares, 2), 1)
    own = fitted_variance(queries, levels_of(SHAPE, shares, CONCENTRATED))
    best = solved(lambda x: fitted_variance(queries, levels_of(SHAPE, cut(x), CONCENTRATED)), 1)
    assert own == pytest.approx(best, rel=1e-3)


@pytest.mark.law
@pytest.mark.parametrize("power", [PURE, CONCENTRATED])
def test_single_nodes_never_lose_to_levels_on_their_workload(power):
    rng = np.random.default_rng(5)
    shape = TreeShape(2, 5)
    starts = rng.integers(0, 8, 12)
    queries = np.array([[float(s <= i <= s + 5) for i in range(32)] for s in starts])
    uses = canonical_uses(shape, queries)
    own = canonical_variance(uses, levels_of(shape, node_shares(uses, 2, power), power))
    fitted = fitted_variance(queries, levels_of(shape, node_split(shape, queries, power), power))
    for weights in ([1] * 6, [0, 0, 0, 0, 0, 1], 2.0 ** np.arange(6), rng.random(6) + 0.1):
        shares = np.array(weights, dtype=float) / np.sum(weights)
        noise = levels_of(shape, level_shares(shape, shares), power)
        if (shares > 0).all():
            assert own <= canonical_variance(uses, noise) * (1 + 1e-12)
        assert fitted <= fitted_variance(queries, noise) * (1 + 1e-9)


def test_levels_alone_are_the_optimum_of_a_general_solver_in_rho():
    queries = np.vstack([QUERIES, np.eye(4)])

    def objective(x):
        return fitted_variance(queries, levels_of(SHAPE, level_shares(SHAPE, x), CONCENTRATED))

    limits = {"type": "eq", "fun": lambda x: x.sum() - 1}
    best = minimize(objective, np.full(3, 1 / 3), bounds=[(1e-6, 1)] * 3, constraints=[limits])
    shares = node_split(SHAPE, queries, CONCENTRATED, by_level=True)
    assert all(np.ptp(level) < 1e-12 for level in shares)
    own = fitted_variance(queries, levels_of(SHAPE, shares, CONCENTRATED))
    assert own == pytest.approx(best.fun, rel=1e-3)


def test_an_unknown_power_is_refused():
    with pytest.raises(InvalidParameter, match="power"):
        node_split(SHAPE, QUERIES, 3)
    with pytest.raises(InvalidParameter, match="power"):
        node_shares(canonical_uses(SHAPE, QUERIES), 2, 0)


def test_a_part_that_nobody_asks_for_costs_nothing_and_is_still_released():
    uses = canonical_uses(SHAPE, np.array([[1.0, 0, 0, 0]]))
    shares = node_shares(uses, 2, PURE)
    assert shares[2][0] == 1  # the leaf that is asked for has the whole budget of its path
    np.testing.assert_allclose(shares[2][2:], 0.5)
    np.testing.assert_allclose(path_sums(shares, 2), 1)


@pytest.mark.parametrize("wrong", [np.ones(4), np.ones((1, 3)), np.full((1, 4), 2.0),
                                   np.zeros((2, 4)), np.ones((0, 4))])  # fmt: skip
def test_a_workload_that_does_not_fit_is_refused(wrong):
    with pytest.raises(InvalidParameter, match="workload"):
        canonical_uses(SHAPE, wrong)
