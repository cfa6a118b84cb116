"""Noisy histograms: which records each bin holds, the noise, the sensitivity by brute force."""

import json
import math
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, InvalidRelease, UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

RUNS, REACH, BOUNDS = 40_000, 200, Bounds(0, 10)
AT = np.arange(-REACH, REACH + 1)
KINDS = [
    Histogram(bins=2),
    Histogram(bins=7),
    Histogram(edges=[0, 3, 10]),
    Histogram(edges=[1, 2.5, 2.75, 9]),
]
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


def column(values, resolution: float = 0.0) -> Column:
    return Column.from_values(np.array(values, dtype=float), BOUNDS, resolution)


def exact(histogram: Histogram, data: Column):
    """The counts without noise: at so large a budget discrete Laplace noise is 0."""
    return histogram.release(data, PureDP(1e4), np.random.default_rng(1)).counts


@pytest.mark.parametrize("resolution", [0, 0.5])
@pytest.mark.parametrize("histogram", KINDS, ids=str)
def test_each_value_is_in_the_bin_that_a_loop_finds(histogram, resolution):
    """Values on edges and bounds, clipped and missing ones are among them."""
    edges = histogram.edges_within(BOUNDS)
    values = [*edges, *(edges + 0.25), *(edges - 0.25), 5, 5, math.nan, math.inf, -math.inf]
    clipped = [min(max(x, 0), 10) for x in values if not math.isnan(x)]
    slow = [
        sum(low <= x < high or x == high == edges[-1] for x in clipped)
        for low, high in pairwise(edges)
    ]
    assert exact(histogram, column(values, resolution)).tolist() == slow


def test_equal_bins_are_the_leaves_of_a_tree():
    data = column(np.random.default_rng(2).uniform(0, 10, 500))
    tree = CountTree(7, 1, LevelBudget.own([0, 1]))
    for budget in (PureDP(0.3), ZCDP(0.1), ApproxDP(1, 1e-6)):
        one = Histogram(bins=7).release(data, budget, np.random.default_rng(3))
        other = tree.release(data, budget, np.random.default_rng(3))
        assert one.counts.tolist() == other.counts[1].tolist()
        assert one.scale == other.scales[1]
        assert one.edges.tolist() == other.edges().tolist()


@pytest.mark.few(2)
@pytest.mark.parametrize("histogram", KINDS, ids=str)
def test_one_record_changes_one_count_and_a_replaced_one_two(histogram):
    universe, most = [0, 1, 2.5, 2.75, 6, 9, 10], {ADD: (0.0, 0.0), REPLACE: (0.0, 0.0)}
    for values in combinations_with_replacement(universe, 2):
        one = exact(histogram, column(values))
        for joins in universe:
            for relation, rest in ((ADD, values), (REPLACE, values[1:])):
                off = np.abs(exact(histogram, column([*rest, joins])) - one)
                most[relation] = tuple(np.maximum(most[relation], (off.sum(), (off**2).sum())))
    assert most == {ADD: (1, 1), REPLACE: (2, 2)}  # L1, and L2 squared


@by_rows("epsilon", [0.1, 1 / 3, 0.7, 1, 3.3])
@by_rows("relation", Neighbours)
def test_the_whole_budget_is_spent_and_not_a_bit_more(relation, epsilon):
    """In fractions: ε = L1/scale for discrete Laplace noise, ρ = L2²/(2 scale²) for Gaussian."""
    histogram, changed = Histogram(bins=5, neighbours=relation), 1 if relation is ADD else 2
    spent = changed / Fraction(histogram.scale(PureDP(epsilon)))
    assert as_written(epsilon) * Fraction("0.999999") < spent <= as_written(epsilon)
    spent = changed / (2 * Fraction(histogram.scale(ZCDP(epsilon))) ** 2)
    assert as_written(epsilon) * Fraction("0.999999") < spent <= as_written(epsilon)


def law(noise: Noise, scale: float, centre: int):
    """P of each whole number in AT."""
    off = np.abs(AT - centre)
    exponent = -off / scale if noise is Noise.DISCRETE_LAPLACE else -(off**2) / (2 * scale**2)
    return np.exp(exponent) / np.exp(exponent).sum()


@pytest.mark.law
@pytest.mark.parametrize(
    ("relation", "budget", "scale", "noise"),
    [
        (ADD, PureDP(0.5), 2.0, Noise.DISCRETE_LAPLACE),
        (REPLACE, PureDP(0.5), 4.0, Noise.DISCRETE_LAPLACE),
        (ADD, ZCDP(0.02), 5.0, Noise.DISCRETE_GAUSSIAN),
        (REPLACE, ZCDP(0.02), math.sqrt(50), Noise.DISCRETE_GAUSSIAN),
    ],
    ids=str,
)
def test_the_law_of_each_count_and_of_a_sum_of_two(relation, budget, scale, noise):
    """Independent noise: that of the sum is the convolution; a twin shares one draw."""
    histogram = Histogram(edges=[0, 2, 5, 10], neighbours=relation)
    data = column([1, 1, 4, 5, 6, 9])
    drawn = histogram.release_many(data, budget, np.random.default_rng(3), RUNS).astype(int)
    for bin_, centre in enumerate((2, 1, 3)):
        counts = np.bincount(drawn[:, bin_] + REACH, minlength=AT.size)
        right = law(noise, scale, centre)
        assert fits_probabilities(counts, right, comparisons=4)
        twins = [law(noise, factor * scale, centre) for factor in (0.7, 1.4)]
        for wrong in (*twins, law(noise, scale, centre + 1)):
            assert can_tell_probabilities(RUNS, wrong, right, comparisons=4)
            assert not fits_probabilities(counts, wrong, comparisons=4)
    one = law(noise, scale, 0)
    both = np.convolve(one, one, mode="same")
    sums = np.bincount(drawn[:, 0] + drawn[:, 1] - 3 + REACH, minlength=AT.size)
    assert fits_probabilities(sums, both, comparisons=4)
    shared = np.zeros(AT.size)
    shared[::2] = one[REACH // 2 : REACH // 2 + shared[::2].size]
    assert not fits_probabilities(sums, shared, comparisons=4)


def test_secure_bits_give_whole_numbers_and_are_said():
    for budget in (PureDP(0.5), ZCDP(0.02), ApproxDP(1, 1e-6)):
        release = Histogram(bins=4).release(column([1, 5, 7]), budget, SecureBits.fresh())
        assert release.randomness == "secure"
        assert (release.counts == np.round(release.counts)).all()
    with pytest.raises(InvalidParameter, match="Continuous"):
        Histogram(bins=4, noise="laplace").release(column([1]), PureDP(1), SecureBits.fresh())


@pytest.mark.parametrize("histogram", KINDS, ids=str)
def test_a_histogram_travels_without_loss(histogram):
    one = histogram.release(column([1, 4], 0.5), ZCDP(0.1), np.random.default_rng(1))
    assert HistogramRelease.from_json(one.to_json()) == one
    assert one.standard_error == math.sqrt(one.noise.variance(one.scale))
    stored = json.loads(one.to_json())
    tied = [stored["edges"][0], stored["edges"][0], *stored["edges"][2:]]
    for key, wrong in (
        ("edges", stored["edges"][:-1]), ("edges", stored["edges"][::-1]), ("edges", tied),
        ("counts", []), ("counts", [[1.0]]), ("scale", 0),
        ("edges", [-1, *stored["edges"][1:]]), ("kind", "tree"),
    ):  # fmt: skip
        with pytest.raises(InvalidRelease):
            HistogramRelease.from_json(json.dumps({**stored, key: wrong}))


def test_what_is_refused_follows_from_declarations():
    for wrong, words in (
        ({"edges": [-1, 5, 10]}, "within the column's bounds"),
        ({"edges": [0, 5, 11]}, "within the column's bounds"),
    ):
        for values in ([], [5], [0, 10]):
            with pytest.raises(InvalidParameter, match=words):
                Histogram(**wrong).release(column(values), PureDP(1), np.random.default_rng(1))
    near = Bounds(1.0, np.nextafter(np.nextafter(1.0, 2), 2))
    with pytest.raises(InvalidParameter, match="too close"):
        Histogram(bins=64).edges_within(near)
    for noise, budget in (("gaussian", PureDP(1)), ("discrete-laplace", ApproxDP(1, 1e-6))):
        with pytest.raises(UnsupportedBudget):
            Histogram(bins=2, noise=noise).scale(budget)


def test_edges_may_be_an_array():
    assert Histogram(edges=np.array([0, 1, 2])) == Histogram(edges=(0.0, 1.0, 2.0))
