from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.errors import InvalidQuantiles
from dpviz.core.quantiles import (
    DECILES,
    PERCENTILES,
    QUARTILES,
    QuantileSet,
    parse_quantiles,
    uniform_quantiles,
)
from tests.rows import by_rows

INSIDE = st.floats(1e-9, 1 - 1e-9)


@pytest.mark.law
@given(st.lists(INSIDE, min_size=1, max_size=40))
def test_a_set_remembers_what_was_asked(asked):
    quantiles = QuantileSet.of(asked)
    assert quantiles.asked.tolist() == asked
    assert quantiles.distinct.tolist() == sorted(set(asked))
    assert quantiles.count == len(set(asked))
    assert quantiles.levels == math.floor(math.log2(quantiles.count)) + 1
    assert quantiles.in_order_asked(quantiles.distinct).tolist() == asked


def test_runs_keep_their_leading_axis():
    quantiles = QuantileSet.of([0.9, 0.1, 0.9])
    laid_out = quantiles.in_order_asked(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert laid_out.tolist() == [[2, 1, 2], [4, 3, 4]]


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 8, 500])
def test_uniform_quantiles_and_their_levels(m):
    quantiles = QuantileSet.of(uniform_quantiles(m))
    assert quantiles.distinct.tolist() == [i / (m + 1) for i in range(1, m + 1)]
    assert 2 ** (quantiles.levels - 1) <= m < 2**quantiles.levels


def test_the_named_sets():
    assert QUARTILES.tolist() == [0.25, 0.5, 0.75]
    assert DECILES.size == 9
    assert PERCENTILES.size == 99
    with pytest.raises(InvalidQuantiles, match="at least 1, got 0"):
        uniform_quantiles(0)


def test_any_way_to_give_quantiles_works():
    for given_as in (0.5, [0.5], (0.5,), np.array([0.5]), np.float64(0.5), iter([0.5]), {0.5}):
        assert QuantileSet.of(given_as).asked.tolist() == [0.5]
    known = QuantileSet.of([0.2, 0.4])
    assert QuantileSet.of(known) is known


def test_the_asked_array_is_not_the_caller_s():
    mine = np.array([0.2, 0.4])
    quantiles = QuantileSet.of(mine)
    mine[0] = 2.0
    assert quantiles.asked.tolist() == [0.2, 0.4]
    with pytest.raises(ValueError, match="read-only"):
        quantiles.distinct[0] = 2.0


@by_rows(
    ("quantiles", "message"),
    [
        ([], "empty"),
        (np.zeros((2, 2)) + 0.5, "one list, got shape"),
        ([0.0], "strictly between 0 and 1; 1 of 1"),
        ([0.5, 1.0], r"1 of 2 do not \(first: 1\)"),
        ([-0.1, 0.5, 7], r"2 of 3 do not \(first: -0.1\)"),
        ([math.nan], "first: nan"),
        ([math.inf], "first: inf"),
        (["half"], "must be numbers"),
        ("0.5", "must be numbers"),
        (None, "must be numbers"),
        ([0.5, None], "must be numbers|do not"),
        (["0.5"], "must be numbers"),
        (np.ma.masked_array([0.2, 0.5], mask=[True, False]), "must be numbers"),
        ([np.ma.masked, 0.5], "must be numbers"),
        (np.ma.masked, "must be numbers"),
    ],
)
def test_sets_that_make_no_sense_are_refused(quantiles, message):
    with pytest.raises(InvalidQuantiles, match=message):
        QuantileSet.of(quantiles)


def test_ranks_are_not_lost_to_rounding():
    assert 0.29 * 100 < 29  # the trap
    assert QuantileSet.of(0.29).ranks(100).tolist() == [29]
    assert QuantileSet.of(0.5).ranks(0).tolist() == [0]
    assert QuantileSet.of(0.999).ranks(1).tolist() == [0]


def test_every_percent_of_every_small_column_has_its_exact_rank():
    percent = np.arange(1, 100)
    quantiles = QuantileSet.of(percent / 100)
    for n in (*range(1, 300), 10**6, 10**7 + 1):
        exact = [math.floor(Fraction(int(p), 100) * n) for p in percent]
        assert quantiles.ranks(n).tolist() == exact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.01, 0.5, 0.99", [0.01, 0.5, 0.99]),
        ("0.5", [0.5]),
        (" .5;\t.25\n.5 ", [0.5, 0.25, 0.5]),
        ("1% 50%,99%", [0.01, 0.5, 0.99]),
        ("1e-3,,0.2,", [0.001, 0.2]),
    ],
)
def test_typed_lists_are_read(text, expected):
    assert parse_quantiles(text).tolist() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty. Give at least one"),
        (" ,; ", "empty"),
        ("0.1, half, 0.5", "'half' is not a number. Write quantiles as"),
        ("0.1, %", "'%' is not a number"),
        ("nan", "'nan' is not a number"),
        ("0.5 inf", "'inf' is not a number"),
        ("0.5, 25", r"1 of 2 do not \(first: 25\)"),
        ("100%", "first: 1"),
        ("0", "first: 0"),
    ],
)
def test_unreadable_lists_say_what_is_wrong(text, message):
    with pytest.raises(InvalidQuantiles, match=message):
        parse_quantiles(text)


@given(st.lists(INSIDE, min_size=1, max_size=20))
def test_a_written_list_reads_back(asked):
    assert parse_quantiles(", ".join(map(repr, asked))).tolist() == asked
