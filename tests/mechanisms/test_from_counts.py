"""Whatever is made from a column is the same from its values and from its counts."""

import numpy as np
import pytest

from dpviz.catalogue import QUANTILES
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidData, UnsupportedBudget
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.sums.noisy_sum import NoisySum
from tests.rows import by_rows

BOUNDS, ASKED = Bounds(0, 20), [0.25, 0.5, 0.9]


def both(resolution):
    """The same records as values, clipped and missing ones among them, and as counts."""
    rng = np.random.default_rng(11)
    values = np.concatenate((rng.integers(-2, 23, 700), np.full(5, np.nan)))
    numbers, counts = np.unique(values[:700], return_counts=True)
    of_counts = Column.from_counts(numbers, counts, BOUNDS, resolution, missing=5)
    return Column.from_values(values, BOUNDS, resolution), of_counts


def outcomes(mechanism, column, budget):
    """A release and runs of a study for one seed; of a refusal its words."""
    rng = np.random.default_rng(5)
    try:
        release = mechanism.release(column, ASKED, budget, rng)
        return release, mechanism.release_many(column, ASKED, budget, rng, 4).tolist()
    except DpvizError as error:
        return str(error)


def refuses(mechanism, budget):
    """Whether a mechanism takes no such budget: PrefixQuantiles no pure ε."""
    try:
        mechanism.check(budget, [0.5])
    except UnsupportedBudget:
        return True
    return False


@pytest.mark.law
@by_rows("resolution", [0, 1])
@by_rows("budget", [PureDP(2), ZCDP(0.1)])
@by_rows("kind", QUANTILES)
def test_quantiles_are_the_same_for_a_seed(kind, budget, resolution):
    every = [kind()]
    if hasattr(every[0], "ties"):
        every = [kind(ties=ties) for ties in (Ties.SPREAD, Ties.KEEP)]
    for mechanism in every:
        one, other = (outcomes(mechanism, column, budget) for column in both(resolution))
        assert one == other
        assert refuses(mechanism, budget) == isinstance(one, str)


@by_rows("resolution", [0, 1])
@by_rows(
    ("mechanism", "budget"),
    [
        *((one, PureDP(1)) for one in (CountTree(2, 5), NoisySum(), NoisyMean(700))),
        (PrefixSums(32), ZCDP(0.5)),
        (NoisyCount(), PureDP(1)),
        (Histogram(edges=[1, 3, 3.5, 20]), PureDP(1)),
        (Histogram(bins=10), ZCDP(0.5)),
        *((NoisyCount(above=3, below=17), one) for one in (PureDP(1), ZCDP(0.5))),
    ],
)
def test_trees_and_sums_are_the_same_for_a_seed(mechanism, budget, resolution):
    one, other = (
        mechanism.release(column, budget, np.random.default_rng(5)) for column in both(resolution)
    )
    assert one.to_dict() == other.to_dict()


def test_jitter_is_refused_in_words_for_counts_alone():
    of_values, of_counts = both(1)
    mechanism = ApproximateQuantiles(ties=Ties.JITTER)
    assert len(mechanism.release(of_values, ASKED, PureDP(1), np.random.default_rng(1)).values) == 3
    with pytest.raises(InvalidData, match="made of counts"):
        mechanism.release(of_counts, ASKED, PureDP(1), np.random.default_rng(1))
