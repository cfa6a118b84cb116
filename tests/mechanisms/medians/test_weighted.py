"""Medians of places that stand for many points are those of the points, however many they are."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Neighbours, PureDP
from dpviz.core.ragged import offsets
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.spatial.boxes import grid_edges
from dpviz.mechanisms.exponential import lazy_points
from dpviz.mechanisms.exponential.lazy_points import LazyPoints
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_problems import UNITS
from dpviz.mechanisms.medians import exponential
from dpviz.mechanisms.medians.cell import CellMedian, _cell_ranges, _count_cells
from dpviz.mechanisms.medians.exponential import ExponentialMedian, WholeGroups
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian, _as_doubles, _whole_sums
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.medians.smooth_sensitivity import middle_values, smooth_sensitivities
from tests.mechanisms.exponential.exact_points import probabilities
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

ADD = Neighbours.ADD_REMOVE
MEDIANS = [
    *(ExponentialMedian(), NoisyMeanMedian(), CellMedian(16), SmoothMedian()),
    *(SampledMedian(rate=0.3), SampledMedian(SmoothMedian(), 0.2)),
]


def nodes(rng, ordered=True):
    """Nodes side by side on 0 … 8, some empty, one without width where another begins."""
    low = np.array([0.0, 1.0, 1.0, 2.0, 4.0, 7.0])
    high = np.array([1.0, 1.0, 2.0, 4.0, 7.0, 8.0])
    held = np.array([3, 1, 6, 0, 9, 2])
    starts = offsets(held)
    values = np.repeat(low, held) + np.repeat(high - low, held) * rng.random(held.sum())
    values[starts[2]] = 1.0  # on the end that the node without width has, too
    weights = rng.integers(1, 40, held.sum())
    groups = Groups(values, starts, low, high, Bounds(0, 8), False, weights=weights)
    return groups.in_order() if ordered else groups


def apart(groups):
    """The same points one by one."""
    values = np.repeat(groups.values, groups.weights)
    return replace(groups, values=values, starts=groups.before, weights=None)


@by_rows("seed", range(12))
def test_sizes_sums_cells_and_sensitivities_are_those_of_the_points(seed):
    weighted = nodes(np.random.default_rng(seed), ordered=False)
    points = apart(weighted)
    assert weighted.sizes.tolist() == points.sizes.tolist()
    assert _whole_sums(weighted, 1 << 24).tolist() == _whole_sums(points, 1 << 24).tolist()
    edges = grid_edges(weighted.axis, 16)
    first, last = _cell_ranges(points, edges)
    counts = [
        _count_cells(one, edges, first, last, offsets(last - first + 1))
        for one in (weighted, points)
    ]
    assert counts[0].tolist() == counts[1].tolist()
    weighted, points = weighted.in_order(), points.in_order()
    assert middle_values(weighted).tolist() == middle_values(points).tolist()
    for xi in (1e-6, 0.02, 0.3, 1.2):
        np.testing.assert_allclose(
            smooth_sensitivities(weighted, xi), smooth_sensitivities(points, xi), rtol=1e-12
        )


def test_a_weight_that_is_forgotten_is_caught():
    weighted = nodes(np.random.default_rng(1))
    points, wrong = apart(weighted), replace(weighted, weights=np.ones_like(weighted.weights))
    assert (smooth_sensitivities(wrong, 0.02) != smooth_sensitivities(points, 0.02)).any()
    assert (_whole_sums(wrong, 1 << 24) != _whole_sums(points, 1 << 24)).any()


def law_of_places(eta, weights=(2, 1)):
    """Points at 0.1 and 0.7, in cells of four places each: the mixture over all their spreads."""
    spreads = product(range(4), repeat=sum(weights))
    cells = np.repeat([0, 4], weights)
    laws = [
        probabilities(sorted(cells + one), 0, 8, UNITS // 2, eta) for one in map(np.array, spreads)
    ]
    return np.mean(laws, axis=0)


@pytest.mark.law
@pytest.mark.parametrize("few", [1, 256])
@pytest.mark.parametrize("ordered", [True, False])
def test_exact_medians_have_the_law_of_the_points(few, ordered, monkeypatch, rng):
    """Each node is an experiment of its own; twin: every place stands for one point."""
    monkeypatch.setattr(exponential, "SHIFT", 2)
    monkeypatch.setattr(lazy_points, "FEW", few)
    count, eta = 12_000, 1.3
    values = np.tile([0.1, 0.7] if ordered else [0.7, 0.1], count)
    weights = np.tile([2, 1] if ordered else [1, 2], count)
    zeros = np.zeros(count)
    groups = Groups(
        values, 2 * np.arange(count + 1), zeros, zeros + 1, Bounds(0, 1), ordered, 2, weights
    )
    bits = SeededBits(rng)
    held = WholeGroups.of(groups, bits)
    assert isinstance(held.records, LazyPoints)
    drawn = draw_points(held.records, held.medians(eta), held.domain, bits)
    found = np.bincount(drawn, minlength=8)
    assert fits_probabilities(found, law_of_places(eta), comparisons=4)
    wrong = law_of_places(eta, (1, 1))
    assert can_tell_probabilities(count, law_of_places(eta), wrong)
    assert not fits_probabilities(found, wrong)


def test_points_of_a_node_without_width_are_no_points_of_the_next(rng):
    """They lie in its first cell: counted with its own they would move its median there."""
    groups = Groups(
        np.array([1.0, 1.0, 1.9]),
        np.array([0, 1, 3]),
        np.array([1.0, 1.0]),
        np.array([1.0, 2.0]),
        Bounds(1, 2),
        cells=4,
        weights=np.array([10**6, 2, 9]),
    )
    held = WholeGroups.of(groups, SeededBits(rng))
    assert held.records.size == 11
    assert held.starts.tolist() == [0, 0, 11]
    drawn = [ExponentialMedian().draw(groups, PureDP(1e6), ADD, rng).tolist() for _ in range(20)]
    assert drawn == [[1.0, 1.75]] * 20


@pytest.mark.parametrize("seed", range(6))
def test_with_a_large_budget_half_of_the_points_lie_on_either_side(seed):
    rng = np.random.default_rng(seed)
    groups = nodes(rng, ordered=seed % 2 == 0)
    at = ExponentialMedian().draw(groups, PureDP(1e9), ADD, rng)
    step = groups.axis.width / groups.cells
    for node in np.flatnonzero(groups.sizes * (groups.high > groups.low)):
        part = slice(groups.starts[node], groups.starts[node + 1])
        values, weights = groups.values[part], groups.weights[part]
        half = weights.sum() / 2
        assert weights[values < at[node] - step].sum() <= half
        assert weights[values <= at[node] + step].sum() >= half
    assert (at[groups.high == groups.low] == groups.low[groups.high == groups.low]).all()


def test_sums_of_2_to_the_53_points_are_exact(rng):
    weights = np.array([2**52, 2**51 + 7, 2**51 - 7])
    values = np.array([0.999, 0.123, 1.0])
    groups = Groups(
        values, np.array([0, 3]), np.zeros(1), np.ones(1), Bounds(0, 1), weights=weights
    )
    unit = 1 << 24
    exact = sum(int(w) * int(v * unit) for w, v in zip(weights, values, strict=True))
    digits = _whole_sums(groups, unit)
    assert sum(int(one) << 8 * place for place, one in enumerate(digits[:, 0])) == exact
    for noise in (0, 1, -(2**46), 2**46 + 12345, -exact, 1 - exact, -exact - 3):
        moved = [int(one) for one in digits[:, 0]]
        carried = exact + noise
        moved = [moved[0] + noise % 2**40, moved[1], moved[2]]
        rest = carried - sum(one << 8 * place for place, one in enumerate(moved))
        moved[2] += rest >> 16
        moved[0] += rest & 65535
        found = _as_doubles(np.array(moved)[:, None])[0]
        assert found == float(carried)


@dataclass(frozen=True)
class Seen(ExponentialMedian):
    """Keeps what it was given."""

    given: list

    def draw(self, groups, budget, neighbours, rng):
        self.given.append(groups)
        return groups.low


def test_a_sample_holds_whole_counts_of_the_places(rng):
    groups, given = nodes(rng), []
    SampledMedian(Seen(given), 0.5).draw(groups, PureDP(1), ADD, rng)
    sample = given[0]
    assert (sample.weights > 0).all()
    assert sample.values.size == sample.weights.size == sample.starts[-1]
    assert (sample.sizes <= groups.sizes).all()
    assert 0.3 < sample.sizes.sum() / groups.sizes.sum() < 0.7
    assert set(sample.values) <= set(groups.values)


@pytest.mark.law
@by_rows("median", MEDIANS, ids=lambda one: one.name)
@by_rows("count", [0, 1, 2**24 + 1, 2**31, 2**53])
def test_every_median_takes_as_many_points_as_there_are(median, count, rng):
    budget = ApproxDP(1.0, 1e-6) if median.takes_delta else PureDP(1.0)
    held = np.array([1, 1]) if count else np.array([0, 0])
    weights = np.array([count, 1])[held > 0]
    groups = Groups(
        np.array([0.3, 1.5])[held > 0],
        offsets(held),
        np.array([0.0, 1.0]),
        np.array([1.0, 2.0]),
        Bounds(0, 2),
        weights=weights,
    )
    at = median.draw(groups, budget, ADD, rng)
    assert ((groups.low <= at) & (at <= groups.high)).all()
    if count > 1000 and not isinstance(median, NoisyMeanMedian):
        assert abs(at[0] - 0.3) < 0.07
    if not (median.takes_delta):
        assert median.draw(groups, budget, ADD, SecureBits.fresh()).shape == (2,)
