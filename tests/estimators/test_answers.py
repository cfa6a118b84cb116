"""What is asked of any release by one name equals what the function of its kind finds."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.estimators import answers
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.quantile_intervals import quantile_interval
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums

BOUNDS = Bounds(0, 64)
COLUMN = Column.from_values(np.random.default_rng(2).gamma(3, 8, 3_000).clip(0, 63), BOUNDS, 0)
TREE = CountTree(2, 5).release(COLUMN, PureDP(0.1), np.random.default_rng(1))
SUMS = PrefixSums(9).release(COLUMN, ZCDP(0.01), np.random.default_rng(1))
RAW = {"estimator": TreeEstimator.RAW}


@pytest.mark.parametrize("q", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("sampling", [False, True])
def test_a_release_alone_is_enough_for_an_interval(q, sampling):
    """Twin: the noisy counts as they are, whose interval is another one."""
    how = {"beta": 0.1, "sampling": sampling}
    best, raw = cdf(efficient(TREE)), cdf(TREE)
    expected = quantile_interval(best, TREE.tree_noise, q, **how)
    for measured in (TREE, efficient(TREE), best):
        assert answers.quantile_interval(measured, q, **how) == expected
    assert answers.quantile_interval(best, q=q, **how) == expected
    expected = quantile_interval(raw, TREE.tree_noise, q, **how, **RAW)
    assert answers.quantile_interval(raw, q, **how) == expected
    expected = quantile_interval(cdf(SUMS), SUMS.noise, q, **how)
    assert answers.quantile_interval(SUMS, q, **how) == expected


def test_readings_differ():
    curves = cdf(efficient(TREE)), cdf(TREE)
    assert len({answers.quantile_interval(one, 0.5) for one in curves}) == 2


def test_the_step_of_a_curve_is_its_own():
    curve = cdf(efficient(TREE), step=5)
    expected = quantile_interval(curve, TREE.tree_noise, 0.5, step=5)
    assert answers.quantile_interval(curve, 0.5) == expected
    assert answers.quantile_interval(curve, TREE.tree_noise, 0.5) == expected


def test_the_call_with_noise_goes_on():
    best, raw = cdf(efficient(TREE)), cdf(TREE)
    given = TREE.tree_noise, 0.5, 0.2
    assert answers.quantile_interval(best, *given) == quantile_interval(best, *given)
    assert answers.quantile_interval(raw, *given) == quantile_interval(raw, *given, **RAW)
    assert answers.quantile_interval(raw, *given, estimator="raw", step=1) == (
        quantile_interval(raw, *given, **RAW)
    )
    plain = type(best)(best.edges, best.counts)
    assert answers.quantile_interval(plain, *given) == quantile_interval(plain, *given)
    with pytest.raises(InvalidParameter, match="not known"):
        answers.quantile_interval(plain, 0.5)


def test_a_tree_with_many_leaves_is_read_at_some_of_its_edges(monkeypatch):
    monkeypatch.setattr(answers, "MOST_EDGES", 10)
    expected = quantile_interval(cdf(efficient(TREE), step=4), TREE.tree_noise, 0.5, step=4)
    assert answers.quantile_interval(TREE, 0.5) == expected
