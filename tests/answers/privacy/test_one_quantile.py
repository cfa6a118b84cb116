"""One person and one quantile: numbers from both densities, slowly; and what is said of them."""

import math
from itertools import pairwise

import pytest

from dpviz.answers.privacy.one_quantile import QuantileOdds, answer
from dpviz.answers.privacy.one_quantile_said import QuantileOf, facts, headline, second, used
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.neighbours import Change, exact_pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery

MEDIAN = QuantileOf("median", "ida")


def slow_density(values, low, high, epsilon):
    """The median's density: e^(−ε · distance) of a gap's rank from half of the records.

    Half, since a record more or less moves the distance by ½: the exponent is ε / (2 · ½).
    """
    ends, wanted = [low, *sorted(values), high], len(values) / 2
    total = sum(
        (after - before) * math.exp(-epsilon * abs(at - wanted))
        for at, (before, after) in enumerate(pairwise(ends))
    )

    def density(x):
        return math.exp(-epsilon * abs(sum(value < x for value in values) - wanted)) / total

    return density


@pytest.mark.parametrize("removed", [0, 1, 2, 4])
def test_the_largest_ratio_is_that_of_both_densities(removed):
    values = [2.5, 4.0, 5.5, 7.0, 9.25]
    column, epsilon = Column.from_values(values, Bounds(0, 10)), 0.8
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    pair = exact_pair(column, Change(removed=removed))
    found = answer(query.loss(pair, PureDP(epsilon)), epsilon, query.truth(column))
    without = [*values[:removed], *values[removed + 1 :]]
    one, other = (slow_density(side, 0, 10, epsilon) for side in (values, without))
    slow = max(abs(math.log(one(x / 20) / other(x / 20))) for x in range(1, 200, 2))
    assert found.largest == pytest.approx(slow, abs=1e-12)
    assert found.used == pytest.approx(found.largest / epsilon)
    assert (found.epsilon, found.true) == (epsilon, 5.5)
    assert found.largest <= epsilon


def test_every_sentence_says_its_own_number():
    found = QuantileOdds(0.5, 0.9, 0.557, 59.0)
    assert headline(found, MEDIAN) == (
        r"Ida can make a private median :blue[1\.65 times] as likely; ε = 0.9 allows 2\.46."
    )
    small = QuantileOdds(0.05, 0.1, 0.5, 59.0)
    assert headline(small, MEDIAN) == (
        r"Ida can move the private median's odds by :blue[5\.2 %]; ε = 0.1 allows 10\.6 %."
    )
    replaced = QuantileOf("median", "Ida", replaced=True)
    assert headline(found, replaced).startswith("Another number for Ida can make")
    assert used(found) == "56 % of ε"
    assert facts(found, PureDP(0.9)) == [
        ("largest |log ratio|:", "0.5"),
        ("ε, the limit:", "0.9"),
        ("share of ε used:", "55.7%"),
    ]
    assert facts(found, ZCDP(0.1))[3] == (
        "ε is that of the exponential mechanism bought by",
        str(ZCDP(0.1)),
    )


@pytest.mark.parametrize(
    ("spreads", "tied", "wanted"),
    [
        (True, True, "for one way of spreading tied values."),
        (False, True, "equal values are kept, with no room between them."),
        (False, False, "before the value is rounded."),
    ],
)
def test_what_is_exact_depends_on_ties(spreads, tied, wanted):
    said = second(Neighbours.ADD_REMOVE, "student", spreads=spreads, tied=tied)
    assert said.startswith("One student more or less moves")
    assert said.endswith(wanted)
    other = second(Neighbours.REPLACE_ONE, "student", spreads=spreads, tied=tied)
    assert other.startswith("Another number for one student moves")
