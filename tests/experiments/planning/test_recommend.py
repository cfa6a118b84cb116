from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.planning.answers import error_curve
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.planning.recommend import LEVEL, SIMPLEST, exact_ones, recommended
from dpviz.experiments.planning.stand_ins import stand_in

SHAPES = {None: "normal", 101: "exam", 5: "stars"}


@pytest.mark.few(5)
@pytest.mark.law
@pytest.mark.parametrize("steps", SHAPES)
@pytest.mark.parametrize(
    ("count", "n", "epsilon"), [(3, 1_500, 0.05), (9, 4_000, 0.2), (99, 4_000, 0.5)]
)
def test_the_recommended_method_errs_least_in_fresh_runs_or_nearly(steps, count, n, epsilon):
    """Of quantiles that are asked of a stand-in; the wrong twin takes the one that errs most."""
    found = recommended(count, n, PureDP(epsilon), steps)
    column = stand_in(SHAPES[steps], n, np.random.default_rng(8))
    asked = QuantileSet.of(uniform_quantiles(count))
    errors = {
        name: float(
            error_curve(column, mechanism, asked, [epsilon], 120, np.random.default_rng(2)).high[0]
        )
        for name, mechanism in planned().items()
        if name in exact_ones()
    }
    least = min(errors.values())
    assert errors[found.method] <= 1.3 * least + 1 / n
    assert max(errors.values()) > 1.3 * least + 1 / n


def test_where_methods_are_level_the_simplest_is_recommended():
    for budget in (PureDP(0.1), ZCDP(0.01), ApproxDP(0.1, 1e-6)):
        assert recommended(1, 5_000, budget, None).method == SIMPLEST
    for count in (1, 3, 9, 35, 99, 500):
        for steps in SHAPES:
            found = recommended(count, 5_000, PureDP(0.1), steps)
            assert found.times is not None
            assert found.times >= 1
            assert found.method == SIMPLEST or found.times > LEVEL
            assert found.method in exact_ones()


def test_many_quantiles_and_few_values_want_a_tree_in_pure_epsilon():
    assert recommended(9, 6_000, PureDP(0.1), 101).method == "AggTree"
    assert recommended(99, 6_000, PureDP(0.1), None).method == "AggTree"
    assert recommended(9, 15_000, PureDP(0.1), 5_001).method == SIMPLEST
    assert recommended(99, 15_000, ZCDP(0.01), 5_001).method == SIMPLEST


def test_people_that_nobody_has_counted_are_as_many_as_results_are_stored_for():
    assert recommended(9, None, PureDP(0.1), 101) == recommended(9, 15_000, PureDP(0.1), 101)
