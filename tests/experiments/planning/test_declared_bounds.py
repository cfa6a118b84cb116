"""What wide bounds cost: the closed form against the exact law of the first step."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES, QuantileSet
from dpviz.experiments.planning.declared_bounds import (
    FACTORS,
    error_by_width,
    places_for_doubling,
    scaled,
)
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan

EPSILON = PureDP(0.1)


@pytest.mark.parametrize(("asked", "levels"), [(QUARTILES, 2), (DECILES, 4), (PERCENTILES, 7)])
def test_the_closed_form(asked, levels):
    assert QuantileSet.of(asked).levels == levels
    expected = math.log(2) * levels * 2 * 0.5 / 0.1
    assert places_for_doubling(asked, EPSILON) == pytest.approx(expected)


def test_the_sentence_of_the_page():
    assert round(places_for_doubling(DECILES, EPSILON)) == 28


def test_replacing_costs_more_and_a_larger_budget_less():
    replaced = places_for_doubling(DECILES, EPSILON, Neighbours.REPLACE_ONE)
    assert replaced == pytest.approx(2 * places_for_doubling(DECILES, EPSILON))
    assert places_for_doubling(DECILES, PureDP(1)) == pytest.approx(math.log(2) * 4)
    for budget in (ZCDP(0.01), ApproxDP(0.1, 1e-6)):
        assert 0 < places_for_doubling(DECILES, budget) < math.inf


def odds_of_a_stray(n: int, width: float, eta: float) -> float:
    """Odds that the first step leaves [-1, 1], where n records stand, by its exact weights."""
    column = Column.from_values(np.linspace(-1, 1, n), Bounds(-width / 2, width / 2))
    edges = np.concatenate(([-width / 2], column.values, [width / 2]))
    ranks = np.arange(n + 1)
    weights = np.diff(edges) * np.exp(-eta * np.abs(ranks - n / 2))
    stray = weights[0] + weights[-1]
    return float(stray / (weights.sum() - stray))


def test_so_many_places_make_up_for_twice_the_width():
    """n records are n/2 places: with twice the width the odds stay when n grows by 2 · places."""
    eta = ApproximateQuantiles().etas(EPSILON, plan(QuantileSet.of(DECILES)))[0][0]
    places = places_for_doubling(DECILES, EPSILON)
    more = round(2 * places)
    narrow = odds_of_a_stray(1_000, 1_000_002.0, eta)
    wide = odds_of_a_stray(1_000 + more, 2_000_002.0, eta)
    assert wide == pytest.approx(narrow, rel=0.1)
    for wrong in (more // 2, 2 * more):
        assert odds_of_a_stray(1_000 + wrong, 2_000_002.0, eta) != pytest.approx(narrow, rel=0.3)


def test_the_playground_has_a_row_for_each_width_and_mechanism():
    rng = np.random.default_rng(3)
    column = Column.from_values(rng.normal(50, 10, 400), Bounds(0, 100))
    frame = error_by_width(column, [ApproximateQuantiles()], QUARTILES, PureDP(5), rng, runs=4)
    assert frame["factor"].tolist() == list(FACTORS)
    kept = frame.set_index("factor")
    assert kept.loc[0.25, "clipped"] > 0.1
    assert kept.loc[1.0, "clipped"] == 0
    assert kept.loc[0.25, "error"] > kept.loc[1.0, "error"]  # bias of what was cut off
    assert scaled(Bounds(0, 100), 0.5) == Bounds(25, 75)
