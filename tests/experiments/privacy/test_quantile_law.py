"""The law of one private quantile against a plain loop, against draws, and on the lessons' data."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.experiments.privacy.quantile_law import QuantileLaw
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import sample_column
from dpviz.mechanisms.exponential.one_quantile import Density
from tests.rows import by_rows
from tests.statistics import can_tell, fits

VALUES, BOUNDS = [1.0, 2.5, 2.5, 4.0, 9.0], Bounds(0, 10)
MEDIAN = QuantileQuery(0.5, Neighbours.ADD_REMOVE)


def law(epsilon, query=MEDIAN, values=VALUES):
    column = Column.from_values(np.array(values), BOUNDS)
    return query.law(column, PureDP(epsilon), np.random.default_rng(1))


def chance(quantile, epsilon, low, high, values=VALUES):
    """The definition, in a plain loop: weight exp(-η |k - qn|) on the interval above k records."""
    eta = epsilon / (2 * max(quantile, 1 - quantile))
    edges = [BOUNDS.low, *values, BOUNDS.high]
    wide = [k for k in range(len(edges) - 1) if edges[k] < edges[k + 1]]
    nearest = min(abs(k - quantile * len(values)) for k in wide)
    total, inside = 0.0, 0.0
    for k in wide:
        weight = math.exp(-eta * (abs(k - quantile * len(values)) - nearest))
        total += weight * (edges[k + 1] - edges[k])
        inside += weight * max(0.0, min(high, edges[k + 1]) - max(low, edges[k]))
    return inside / total


class Drawn:
    """The law as the kit for randomised tests takes it."""

    def __init__(self, found):
        self.cdf, self.ppf = found.up_to, found.at


@by_rows("epsilon", [1e-6, 0.3, 2.0, 30.0, 1e4])
@by_rows("quantile", [0.1, 0.5, 0.9])
def test_the_law_is_the_definition_integrated(epsilon, quantile):
    found = law(epsilon, QuantileQuery(quantile, Neighbours.ADD_REMOVE))
    for value, far in ((2.5, 0.0), (2.5, 0.7), (4.0, 2.0), (9.5, 3.0), (5.0, 50.0)):
        exact = chance(quantile, epsilon, value - far, value + far)
        assert found.within(far, value) == pytest.approx(exact, abs=1e-12)
    exact = chance(quantile, epsilon, 0, 1.5) + chance(quantile, epsilon, 6, 10)
    assert found.outside(1.5, 6.0) == pytest.approx(exact, abs=1e-12)


def test_at_turns_up_to_around():
    found, shares = law(0.4), np.linspace(0, 1, 41)
    assert found.up_to(found.at(shares)) == pytest.approx(shares, abs=1e-12)
    assert found.at([0, 1]).tolist() == [BOUNDS.low, BOUNDS.high]


@pytest.mark.parametrize("values", [[], [3.0], [7.0] * 6, [0.0, 0.0, 10.0]])
def test_edge_columns_have_a_law(values):
    found = law(0.5, values=values)
    assert found.below[[0, -1]].tolist() == [0, 1]
    assert found.within(100, 5) == 1
    assert found.up_to(4) == pytest.approx(chance(0.5, 0.5, 0, 4, values), abs=1e-12)


def test_draws_follow_the_law_and_no_other():
    column = Column.from_values(np.array(VALUES), BOUNDS)
    drawn = MEDIAN.release_many(column, PureDP(0.5), np.random.default_rng(3), 20_000)
    right, wrong = Drawn(law(0.5)), Drawn(law(1.0))
    assert fits(drawn, right)
    assert can_tell(drawn.size, wrong, right)
    assert not fits(drawn, wrong)


def test_the_figures_of_the_lesson():
    office = sample_column("office")
    truth, low, high = MEDIAN.truth(office), office.values[0], office.values[-1]
    found = [MEDIAN.law(office, PureDP(e), np.random.default_rng(1)) for e in (0.1, 0.2, 0.5, 1, 2)]
    assert (truth, low, high) == (49_100, 32_800, 148_000)
    near = [100 * one.within(5_000, truth) for one in found]
    assert near == pytest.approx([19.96, 50.78, 91.28, 97.60, 99.79], abs=0.005)
    beyond = [100 * one.outside(low, high) for one in found]
    assert beyond == pytest.approx([29.64, 12.61, 0.09, 0, 0], abs=0.005)
    assert found[0].at([0.05, 0.95]) == pytest.approx([14_271, 185_729], abs=0.5)
    assert found[3].at([0.05, 0.95]) == pytest.approx([44_686, 50_115], abs=0.5)


@pytest.mark.parametrize("wrong", [-1.0, math.nan])
def test_refused(wrong):
    found = law(1.0)
    with pytest.raises(InvalidParameter):
        found.within(wrong, 5)
    with pytest.raises(InvalidParameter):
        found.at(wrong)
    with pytest.raises(InvalidParameter):
        found.outside(3, wrong)


def test_a_law_has_as_many_chances_as_edges():
    found = QuantileLaw(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert found.within(0.25, 0.5) == 0.5


def test_a_density_beyond_all_floats_has_its_mass():
    """It was infinite, and averages of answers no number."""
    edges, mass = np.array([0.0, 1e-320, 1e-320, 1.0]), np.array([0.75, 0.0, 0.25])
    density = Density(edges, np.array([np.log(0.75) - np.log(1e-320), 3.0, np.log(0.25)]))
    np.testing.assert_allclose(density.mass, mass, rtol=1e-12)
    np.testing.assert_allclose(QuantileLaw.of(density).below, [0, 0.75, 0.75, 1], rtol=1e-12)
