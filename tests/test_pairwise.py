"""Every two values meet, in hardly more rows than the two longest columns need."""

import itertools
import math

import pytest

from tests.pairwise import pairwise

SIZES = [(), (3,), (1, 4, 2), (2, 2, 2, 2), (3, 3, 3, 3), (5, 4, 3, 2), (20, 6, 3), (2, 4, 2, 6, 3)]


def pairs(rows):
    return {pair for row in rows for pair in itertools.combinations(enumerate(row), 2)}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_every_pair_meets_in_few_rows(sizes):
    columns = [range(10 * at, 10 * at + size) for at, size in enumerate(sizes)]
    found = pairwise(*columns)
    assert pairs(found) == pairs(itertools.product(*columns))
    assert len(found) == len(set(found)) <= math.prod(sizes)
    longest = math.prod(sorted(sizes)[-2:])
    assert longest <= len(found) <= 1.5 * longest + 2


def test_a_row_less_misses_a_pair():
    columns = (range(4), range(3), range(2))
    every = pairs(itertools.product(*columns))
    full = pairwise(*columns)
    assert len(full) == 12  # as many as the pairs of two columns: none can be spared
    assert all(pairs([*full[:at], *full[at + 1 :]]) != every for at in range(12))


def test_values_need_no_order_and_may_be_alike():
    assert pairwise([{}, []], "a") == [({}, "a"), ([], "a")]
    assert pairwise("aa", "b") == [("a", "b"), ("a", "b")]
