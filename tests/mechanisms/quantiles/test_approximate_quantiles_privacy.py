"""The exact privacy of ApproximateQuantiles on tiny columns: joint densities, Rényi divergences."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan
from tests.mechanisms.quantiles.exact_quantiles import density, renyi_moment

# clusters at the ends and inside: narrow intervals are where densities differ most
PLACES = [0.001, 0.002, 0.2, 0.21, 0.5, 0.501, 0.8, 0.998, 0.999]
OUTPUTS = [
    left + (right - left) * share
    for left, right in itertools.pairwise([0.0, *PLACES, 1.0])
    for share in (0.01, 0.99)
]
SETS = {
    "median": [0.5],
    "two": [0.3, 0.6],
    "quartiles": [0.25, 0.5, 0.75],
    "skewed": [0.05, 0.5, 0.9],
}
ORDERS = np.array([1.01, 2.0, 8.0, 32.0])


def etas_of(mechanism, budget, quantiles, factor=1.0):
    """η by depth and normalised quantile, as the mechanism uses them."""
    steps = plan(QuantileSet.of(quantiles))
    table = {
        (depth, round(float(q), 9)): factor * float(eta)
        for depth, (level, etas) in enumerate(
            zip(steps.levels, mechanism.etas(budget, steps), strict=True)
        )
        for q, eta in zip(level.normalised, etas, strict=True)
    }
    return lambda depth, q: table[depth, round(q, 9)]


def neighbouring_pairs(relation, largest=3):
    for n in range(1, largest + 1):
        for column in itertools.combinations(PLACES, n):
            for i in range(n):
                rest = column[:i] + column[i + 1 :]
                if relation is Neighbours.ADD_REMOVE:
                    yield list(column), list(rest)
                else:
                    yield from (
                        (list(column), sorted((*rest, x))) for x in PLACES if x not in column
                    )


def some(rng, items, count):
    items = list(items)
    chosen = rng.choice(len(items), min(count, len(items)), replace=False)
    return [items[i] for i in chosen]


def worst_log_ratio(relation, quantiles, etas, rng):
    outputs = list(itertools.combinations(OUTPUTS, len(quantiles)))
    worst = 0.0
    for one, other in some(rng, neighbouring_pairs(relation), 150):
        for drawn in some(rng, outputs, 40):
            ratio = density(one, 0, 1, quantiles, drawn, etas)
            ratio -= density(other, 0, 1, quantiles, drawn, etas)
            worst = max(worst, abs(ratio))
    return worst


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("epsilon", [pytest.param(0.2, marks=pytest.mark.law), 4.0])
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("name", SETS)
def test_the_joint_density_moves_by_at_most_epsilon(rng, name, relation, epsilon):
    quantiles = SETS[name]
    mechanism = ApproximateQuantiles(neighbours=relation)
    etas = etas_of(mechanism, PureDP(epsilon), quantiles)
    worst = worst_log_ratio(relation, quantiles, etas, rng)
    assert worst <= epsilon * (1 + 1e-9)
    assert worst >= 0.4 * epsilon  # the audit sees something


@pytest.mark.parametrize("relation", Neighbours)
def test_the_privacy_loss_is_tight_somewhere(rng, relation):
    quantiles, epsilon = [0.5], 3.0
    etas = etas_of(ApproximateQuantiles(neighbours=relation), PureDP(epsilon), quantiles)
    tiny = 1e-9
    if relation is Neighbours.ADD_REMOVE:
        one, other, at = [0.5, 0.5 + tiny], [0.5], 0.5 + tiny / 2
    else:  # the mass goes from rank 0 to the target while the output goes from the target to 2
        one, other, at = [1 - 2 * tiny, 1 - tiny], [tiny, 1 - 2 * tiny], 1 - 1.5 * tiny
    loss = density(one, 0, 1, quantiles, [at], etas) - density(other, 0, 1, quantiles, [at], etas)
    assert 0.999 * epsilon < abs(loss) <= epsilon * (1 + 1e-9)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("name", ["median", "quartiles"])
def test_epsilon_spent_twice_is_caught(rng, name, relation):
    quantiles = SETS[name]
    mechanism = ApproximateQuantiles(neighbours=relation)
    etas = etas_of(mechanism, PureDP(1.0), quantiles, factor=2.0)
    assert worst_log_ratio(relation, quantiles, etas, rng) > 1.0


@pytest.mark.law
@pytest.mark.parametrize("name", ["median", "quartiles"])
def test_the_etas_of_add_remove_are_caught_under_replace_one(rng, name):
    quantiles = SETS[name]
    etas = etas_of(ApproximateQuantiles(), PureDP(1.0), quantiles)
    assert worst_log_ratio(Neighbours.REPLACE_ONE, quantiles, etas, rng) > 1.0


def worst_renyi(relation, quantiles, etas, rng):
    """The largest D_α/α over orders, pairs and directions."""
    worst = 0.0
    for pair in some(rng, neighbouring_pairs(relation), 40):
        for one, other in (pair, pair[::-1]):
            moments = renyi_moment(one, other, quantiles, etas, ORDERS)
            worst = max(worst, *(np.log(moments) / (ORDERS - 1) / ORDERS))
    return worst


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("rho", [0.02, pytest.param(2.0, marks=pytest.mark.law)])
@pytest.mark.parametrize("rule", RhoRule)
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("name", SETS)
def test_the_renyi_divergence_stays_below_rho_alpha(rng, name, relation, rule, rho):
    quantiles = SETS[name]
    mechanism = ApproximateQuantiles(neighbours=relation, rho_rule=rule)
    etas = etas_of(mechanism, ZCDP(rho), quantiles)
    worst = worst_renyi(relation, quantiles, etas, rng)
    assert worst <= rho
    assert worst >= (0.05 if rule is RhoRule.PAPER else 0.3) * rho


def test_bounded_range_is_tight_for_small_rho(rng):
    etas = etas_of(ApproximateQuantiles(), ZCDP(0.02), [0.5])
    assert worst_renyi(Neighbours.ADD_REMOVE, [0.5], etas, rng) > 0.95 * 0.02


@pytest.mark.parametrize("relation", Neighbours)
def test_rho_spent_twice_is_caught(rng, relation):
    mechanism = ApproximateQuantiles(neighbours=relation)
    etas = etas_of(mechanism, ZCDP(2 * 0.02), [0.5])
    assert worst_renyi(relation, [0.5], etas, rng) > 0.02


def test_splitting_over_twice_the_levels_is_caught_under_replace_one(rng):
    # what the authors' code does: right for pure ε, wrong for ρ
    def doubled_levels(depth, q):
        return math.sqrt(8 * 0.02 / 2) / (2 * max(q, 1 - q))

    assert worst_renyi(Neighbours.REPLACE_ONE, [0.5], doubled_levels, rng) > 0.02


def test_the_moment_is_one_at_order_zero_and_for_equal_columns(rng):
    etas = etas_of(ApproximateQuantiles(), PureDP(2.0), SETS["quartiles"])
    one, other = [0.2, 0.5, 0.8], [0.2, 0.5]
    assert renyi_moment(one, other, SETS["quartiles"], etas, 0.0) == pytest.approx(1, abs=1e-6)
    assert renyi_moment(one, one, SETS["quartiles"], etas, 5.0) == pytest.approx(1, abs=1e-6)
    assert np.isfinite(renyi_moment(one, other, SETS["quartiles"], etas, 5.0))
