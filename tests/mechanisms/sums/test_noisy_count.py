"""Noisy counts: which records they count, their noise, their sensitivity by brute force."""

import json
import math
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, InvalidRelease, UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from tests.rows import by_rows
from tests.statistics import can_tell, can_tell_probabilities, fits, fits_probabilities

RUNS, REACH, BOUNDS = 40_000, 200, Bounds(0, 10)
AT = np.arange(-REACH, REACH + 1)
ENDS = [(None, None), (3, None), (None, 3), (2, 7), (0, None), (None, 10), (0.5, 9.5), (9.999, 10)]
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


def column(values, resolution: float = 0.0) -> Column:
    return Column.from_values(np.array(values, dtype=float), BOUNDS, resolution)


def truth(mechanism: NoisyCount, data: Column) -> float:
    """The count without noise: at so large a budget discrete Laplace noise is 0."""
    plain = NoisyCount(mechanism.above, mechanism.below)
    return plain.release(data, PureDP(1e4), np.random.default_rng(1)).value


@by_rows("resolution", [0, 1])
@by_rows(("above", "below"), ENDS)
def test_values_strictly_between_the_thresholds_are_counted(above, below, resolution):
    """A slow twin; values on thresholds, on the bounds, clipped and missing ones are among them."""
    values = [*range(-2, 13), 3, 3, 7, 2, 0.5, 9.5, 9.9995, math.nan, math.inf, -math.inf]
    if resolution:
        values *= 3  # so that the column holds counts
    clipped = [min(max(x, 0), 10) for x in values if not math.isnan(x)]
    slow = sum((above is None or x > above) and (below is None or x < below) for x in clipped)
    assert truth(NoisyCount(above, below), column(values, resolution)) == slow


@pytest.mark.few(2)
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize(("above", "below"), ENDS[1:])
def test_one_record_changes_the_count_by_at_most_one(above, below, relation):
    mechanism, universe, most = NoisyCount(above, below), [0, 1, 3, 6, 9.9995, 10], 0.0
    counted = cache(lambda *values: truth(mechanism, column(values)))
    for values in combinations_with_replacement(universe, 3):
        for joins in universe:
            other = sorted([*(values if relation is ADD else values[1:]), joins])
            most = max(most, abs(counted(*other) - counted(*values)))
    assert most == 1


@by_rows("relation", Neighbours)
@by_rows("epsilon", [0.1, 1 / 3, 0.7, 1, 3.3])
def test_the_whole_budget_is_spent_and_not_a_bit_more(relation, epsilon):
    """In fractions: ε = 1/scale for discrete Laplace noise, ρ = 1/(2 scale²) for Gaussian."""
    mechanism = NoisyCount(above=3, neighbours=relation)
    spent = 1 / Fraction(mechanism.scale(PureDP(epsilon)))
    assert as_written(epsilon) * Fraction("0.999999") < spent <= as_written(epsilon)
    spent = 1 / (2 * Fraction(mechanism.scale(ZCDP(epsilon))) ** 2)
    assert as_written(epsilon) * Fraction("0.999999") < spent <= as_written(epsilon)


def whole_law(noise: Noise, scale: float, centre: int):
    """P of each whole number in AT."""
    off = np.abs(AT - centre)
    exponent = -off / scale if noise is Noise.DISCRETE_LAPLACE else -(off**2) / (2 * scale**2)
    return np.exp(exponent) / np.exp(exponent).sum()


@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize(
    ("budget", "scale", "noise"),
    [
        (PureDP(0.5), 2.0, Noise.DISCRETE_LAPLACE),
        (ZCDP(0.02), 5.0, Noise.DISCRETE_GAUSSIAN),
        (ApproxDP(1, 1e-6), None, Noise.DISCRETE_GAUSSIAN),
    ],
    ids=str,
)
def test_the_law_of_a_count_on_whole_numbers(budget, scale, noise, relation):
    data, mechanism = column([1, 4, 5, 6, 9]), NoisyCount(2, 8, neighbours=relation)
    scale = scale or mechanism.scale(budget)
    drawn = mechanism.release_many(data, budget, np.random.default_rng(3), RUNS)
    counts = np.bincount((drawn + REACH).astype(int), minlength=AT.size)
    right = whole_law(noise, scale, 3)
    assert fits_probabilities(counts, right)
    twins = [whole_law(noise, factor * scale, 3) for factor in (0.5, 0.8, 1.25, 2)]
    for wrong in (*twins, whole_law(noise, scale, 4)):
        assert can_tell_probabilities(RUNS, wrong, right)
        assert not fits_probabilities(counts, wrong)


@pytest.mark.law
@pytest.mark.parametrize(
    ("noise", "budget", "law", "scale"),
    [
        (Noise.LAPLACE, PureDP(0.5), stats.laplace, 2),
        (Noise.GAUSSIAN, ZCDP(0.02), stats.norm, 5),
    ],
)
def test_the_law_of_a_count_with_continuous_noise(noise, budget, law, scale):
    mechanism, data = NoisyCount(2, 8, noise), column([1, 4, 5, 6, 9])
    drawn = mechanism.release_many(data, budget, np.random.default_rng(4), RUNS)
    assert fits(drawn, law(3, scale))
    for factor in (0.8, 1.25):
        assert can_tell(RUNS, law(3, factor * scale), law(3, scale))
        assert not fits(drawn, law(3, factor * scale))


@pytest.mark.parametrize("budget", [PureDP(0.5), ZCDP(0.02), ApproxDP(1, 1e-6)], ids=str)
def test_secure_bits_give_whole_numbers_and_are_said(budget):
    release = NoisyCount(above=2).release(column([1, 5, 7]), budget, SecureBits.fresh())
    assert release.randomness == "secure"
    assert release.value == round(release.value)
    assert release.noise.whole
    with pytest.raises(InvalidParameter, match="Continuous"):
        NoisyCount(above=2, noise="gaussian").release(
            column([1, 5, 7]), ZCDP(0.1), SecureBits.fresh()
        )


@pytest.mark.parametrize(("above", "below"), ENDS)
def test_a_count_travels_without_loss(above, below):
    one = NoisyCount(above, below).release(column([1, 4]), ZCDP(0.1), np.random.default_rng(1))
    assert NumberRelease.from_json(one.to_json()) == one
    stored = json.loads(one.to_json())
    assert stored["value"] == one.value
    assert stored["parameters"] == {"above": above, "below": below, "noise": "discrete-gaussian"}
    assert one.standard_error == math.sqrt(one.noise.variance(one.scale))
    with pytest.raises(InvalidRelease):
        NumberRelease.from_json(one.to_json().replace('"value"', '"count"'))


def test_a_count_of_nobody_is_noise_alone():
    for above, below in ENDS:
        assert truth(NoisyCount(above, below), column([])) == 0


def test_what_is_public_is_neither_noised_nor_paid_for():
    with pytest.raises(InvalidParameter, match="public"):
        NoisyCount(neighbours=REPLACE)
    for wrong in ({"above": 10}, {"above": -0.1}, {"below": 0}, {"below": 10.1}):
        for values in ([], [5], [0, 10]):
            with pytest.raises(InvalidParameter, match="column's bounds"):
                NoisyCount(**wrong).release(column(values), PureDP(1), np.random.default_rng(1))


def test_a_noise_that_gives_another_notion_is_refused():
    for noise, budget in (("gaussian", PureDP(1)), ("discrete-laplace", ApproxDP(1, 1e-6))):
        with pytest.raises(UnsupportedBudget):
            NoisyCount(noise=noise).scale(budget)
