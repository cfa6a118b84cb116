"""Noise on ranks against dense dyadic algebra and its exact law, and δ against sums."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.errors import InvalidBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.discrete_laplace import discrete_laplace_variance
from dpviz.mechanisms.quantiles.slices.ranks import (
    at_least,
    deltas,
    nodes_apart,
    rank_noise,
    slice_delta,
)
from tests.statistics import can_tell_probabilities, clopper_pearson, fits_probabilities, mean_is


def dyadic(m):
    """The nodes (first, last) of [1, i] for i = 1 .. m, the longest ones first."""
    found = []
    for i in range(1, m + 1):
        at, nodes = 0, []
        for level in range(m.bit_length(), -1, -1):
            if at + (1 << level) <= i:
                nodes.append((at + 1, at + (1 << level)))
                at += 1 << level
        found.append(nodes)
    return found


def incidence(m, key=lambda node: node):
    """Which noise stands in which rank's, (m, noises): dense."""
    sets = [[key(node) for node in nodes] for nodes in dyadic(m)]
    columns = sorted({one for nodes in sets for one in nodes})
    return np.array([[nodes.count(one) for one in columns] for nodes in sets], dtype=float)


def level_and_child(node):
    """The key of the published code: nodes under different parents share their noise."""
    length = node[1] - node[0] + 1
    return length.bit_length(), (node[0] - 1) // length % 2


def steps(m):
    """All ranks from the i-th on one lower, for every i: (m, m), one a column."""
    return -np.tril(np.ones((m, m)))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 8, 21, 64])
def test_a_step_moves_the_noise_of_as_many_nodes_as_pay(m):
    """P(Z = z)/P(Z = z + step) ≤ e^{ε_r}: at most H noises move, each by one; some move H."""
    moved = np.linalg.solve(incidence(m), steps(m))
    np.testing.assert_allclose(moved, np.round(moved), atol=1e-9)
    assert np.abs(moved).max() == pytest.approx(1)
    assert np.abs(moved).sum(axis=0).max() == pytest.approx(m.bit_length())


@pytest.mark.parametrize("m", [3, 4, 7, 21])
def test_noise_that_nodes_share_leaves_no_room_for_steps(m):
    """With noise keyed by (level, child number) most steps have probability 0: ε = ∞."""
    twin = incidence(m, level_and_child)
    assert np.linalg.matrix_rank(twin) == m.bit_length() < m
    nearest = twin @ np.linalg.lstsq(twin, steps(m), rcond=None)[0]
    outside = np.abs(nearest - steps(m)).max(axis=0) > 1e-6
    assert outside.sum() >= m - 2
    assert np.linalg.matrix_rank(incidence(m)) == m


def law_of_a_node(scale, most):
    noise = np.arange(-most, most + 1)
    law = np.exp(-np.abs(noise) / scale)
    return law / law.sum()


@pytest.mark.law
@pytest.mark.parametrize("m", [1, 2])
def test_the_joint_law_of_the_smallest_trees(m, rng):
    """Z₁ and Z₂ have one node each. Twin: noise of 1.25 times the scale."""
    runs, eps, most = 60_000, 1.5, 9
    drawn = np.clip(rank_noise(m, eps, rng, runs), -most, most) + most
    size = 2 * most + 1
    cell = drawn[:, 0] if m == 1 else drawn[:, 0] * size + drawn[:, 1]
    counts = np.bincount(cell, minlength=size**m)

    def law(scale):
        each = law_of_a_node(scale, 200)
        ends = each[: 200 - most].sum()
        one = each[200 - most : 200 + most + 1].copy()
        one[[0, -1]] += ends
        return one if m == 1 else np.outer(one, one).ravel()

    scale = m.bit_length() / eps
    assert fits_probabilities(counts, law(scale), comparisons=2)
    assert can_tell_probabilities(runs, law(1.25 * scale), law(scale), comparisons=2)
    assert not fits_probabilities(counts, law(1.25 * scale), comparisons=2)


@pytest.mark.law
def test_the_covariance_is_that_of_the_nodes_that_ranks_share(rng):
    """Twin: the noise that nodes share in the published code."""
    m, eps, runs = 13, 2.0, 40_000
    drawn = rank_noise(m, eps, rng, runs).astype(float)
    variance = discrete_laplace_variance(m.bit_length() / eps)
    right, twin = (variance * a @ a.T for a in (incidence(m), incidence(m, level_and_child)))
    comparisons = m * (m + 1)
    for i in range(m):
        for j in range(i + 1):
            product = drawn[:, i] * drawn[:, j]
            assert mean_is(product, right[i, j], comparisons=comparisons)
    assert right[2, 0] == 0 != twin[2, 0]
    assert not mean_is(drawn[:, 2] * drawn[:, 0], twin[2, 0], comparisons=comparisons)


def test_every_run_and_every_call_has_noise_of_its_own(rng):
    first, second = rank_noise(40, 0.1, rng, 2), rank_noise(40, 0.1, rng, 2)
    rows = [*first, *second, *rank_noise(40, 0.1, SecureBits.fresh(), 2)]
    assert len({row.tobytes() for row in rows}) == 6


def test_neighbouring_ranks_differ_in_these_nodes():
    sets = [set(nodes) for nodes in dyadic(70)]
    apart = [len(a ^ b) for a, b in itertools.pairwise(sets)]
    assert nodes_apart(70).tolist() == apart
    assert nodes_apart(1).size == 0


@pytest.mark.parametrize("rate", [pytest.param(0.06, marks=pytest.mark.law), 0.3, 1.0, 4.0])
def test_chances_of_sums_are_those_of_a_convolution(rate):
    most = int(200 / rate)
    node = np.exp(-rate * np.abs(np.arange(-most, most + 1))) * math.tanh(rate / 2)
    law, bound = np.ones(1), np.arange(-30, min(120, most))
    for nodes in range(1, 7):
        law = np.convolve(law, node)
        tail = np.cumsum(law[::-1])[::-1]
        right = tail[law.size // 2 + bound]
        assert at_least(nodes, rate, bound) == pytest.approx(right, rel=1e-9)


def test_far_tails_and_wide_noise_keep_their_digits():
    """One node: P(D ≥ d) = p^d/(1 + p). Two: p^d (d (1 − p)/(1 + p) + …), by hand."""
    for rate in (1e-9, 1e-3, 0.7):
        p, far = math.exp(-rate), int(600 / rate)
        one = at_least(1, rate, np.array([far]))[0]
        assert one == pytest.approx(math.exp(-rate * far) / (1 + p), rel=1e-9)
        share = rate * far * at_least(1, rate, np.array([far]))[0] / 2
        assert at_least(2, rate, np.array([far]))[0] == pytest.approx(share, rel=0.1)


def test_delta_is_the_sum_over_neighbours():
    ranks, half, eps = np.array([10, 40, 61, 90, 130]), 6, 3.0
    pairs = sum(
        at_least(nodes, eps / 3, np.array([gap - 2 * half - 1]))[0]
        for nodes, gap in zip((2, 1, 3, 1), np.diff(ranks), strict=True)
    )
    assert slice_delta(ranks, half, eps) == pytest.approx(pairs)
    assert slice_delta([7], half, eps) == 0
    assert slice_delta([7, 7, 7], half, eps) == 1
    both = deltas(np.array([ranks, 2 * ranks]), half, eps)
    assert both.tolist() == [slice_delta(r, half, eps) for r in (ranks, 2 * ranks)]


@pytest.mark.law
@pytest.mark.parametrize("m", [2, 9])
def test_delta_bounds_what_is_seen(m, rng):
    """Of two ranks it is the chance itself. Twin: windows that may touch, 2h for 2h + 2."""
    ranks, half, eps, runs = 30 * np.arange(m), 5, 0.25 * m.bit_length(), 200_000
    gaps = np.diff(ranks + rank_noise(m, eps, rng, runs), axis=1).min(initial=10**6, axis=1)
    low, high = clopper_pearson(int((gaps < 2 * half + 2).sum()), runs)
    delta = slice_delta(ranks, half, eps)
    assert low <= delta
    assert low > delta / 3
    if m == 2:
        assert delta <= high
        assert not low <= slice_delta(ranks, half - 1, eps) <= high


def test_noise_too_wide_for_exact_draws_is_refused(rng):
    with pytest.raises(InvalidBudget, match="eps_rank"):
        rank_noise(3, 1e-13, rng, 1)
