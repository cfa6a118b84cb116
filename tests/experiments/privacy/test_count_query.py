"""Which records a count takes in (dpviz/experiments/privacy/count_query.py)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Change

NOISE = Noise.DISCRETE_LAPLACE
PLACES = some.sampled_from([-math.inf, -1.0, 0.0, 1.0, 2.5, 5.0, 9.9, 10.0, math.inf])


@pytest.mark.law
@given(values=some.lists(some.sampled_from([0, 1, 2, 2.5, 5, 10]), max_size=9), ends=some.data())
def test_records_in_the_range_are_counted_one_by_one(values, ends):
    low = ends.draw(PLACES.filter(lambda one: one < math.inf))
    high = ends.draw(PLACES.filter(lambda one: one > low))
    column = Column.from_values(values, Bounds(0, 10))
    query = CountQuery(high, NOISE, above=low)
    assert query.truth(column) == sum(low < value <= high for value in values)


def test_above_and_up_to_share_the_records_out():
    column = Column.from_values([1, 2, 2, 3], Bounds(0, 10))
    assert CountQuery(2, NOISE).truth(column) == 3
    assert CountQuery.over(2, NOISE).truth(column) == 1


@pytest.mark.parametrize(("low", "high"), [(2, 2), (3, 2), (math.nan, 2), (2, math.nan)])
def test_a_range_that_holds_nothing_is_refused(low, high):
    with pytest.raises(InvalidParameter, match="above must lie below the threshold"):
        CountQuery(high, NOISE, above=low)


def test_one_record_moves_a_count_above_by_one_at_most():
    column = Column.from_values([1.0, 2.0, 3.0], Bounds(0, 10))
    query = CountQuery.over(1.5, NOISE)
    for rank, expected in ((0, 0.0), (2, 1.0)):
        pair = query.pair(column, Change(removed=rank), np.random.default_rng(1))
        assert query.truth(pair.one) - query.truth(pair.other) == expected
        assert query.attained(pair, PureDP(0.5), 0.0) == 0.5 * expected
