"""DAWA: sensitivities by brute force, the best of all partitions, and the price of choosing."""

import itertools

import numpy as np
import pytest
import scipy.stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidRelease, UnsupportedBudget
from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.mechanisms.counting.dawa import Dawa, best_partitions, deviations

BOUNDS = Bounds(0, 1)


def column_of(counts):
    middles = (np.arange(len(counts)) + 0.5) / len(counts)
    return Column.from_values(np.repeat(middles, counts), BOUNDS)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 37])
def test_deviations_are_sums_of_distances_from_the_mean(size, rng):
    counts = rng.integers(0, 50, size).astype(float)
    found = deviations(counts)
    lengths = [1 << level for level in range(len(found))]
    assert lengths[-1] <= size < 2 * lengths[-1]
    for own, length in zip(found, lengths, strict=True):
        for start in range(size - length + 1):
            window = counts[start : start + length]
            expected = np.abs(window - window.mean()).sum()
            assert own[start] == pytest.approx(expected, abs=1e-9)


@pytest.mark.law
def test_a_record_moves_a_deviation_by_less_than_two():
    """All columns of four bins with up to three records each; the bound of a length is attained."""
    worst = {1: 0.0, 2: 0.0, 4: 0.0}
    for counts in itertools.product(range(4), repeat=4):
        before = deviations(np.array(counts, float))
        for at in range(4):
            more = np.array(counts, float)
            more[at] += 1
            for length, one, other in zip((1, 2, 4), before, deviations(more), strict=True):
                worst[length] = max(worst[length], float(np.abs(one - other).max()))
    for length, found in worst.items():
        assert found == pytest.approx(2 * (1 - 1 / length))


def partitions(bins):
    """All ways to cut bins into runs of 1, 2, 4, … bins, as tuples of lengths."""
    if bins == 0:
        yield ()
    for level in range(bins.bit_length()):
        length = 1 << level
        if length <= bins:
            for rest in partitions(bins - length):
                yield (length, *rest)


@pytest.mark.parametrize("bins", [1, 2, 5, 8, 11])
def test_no_partition_has_a_smaller_total_score(bins, rng):
    runs = 6
    sizes = [bins - (1 << level) + 1 for level in range(bins.bit_length())]
    scores = [rng.normal(size=(runs, size)) for size in sizes if size > 0]
    begins = best_partitions(scores)

    def total(run, lengths):
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(int)
        return sum(
            scores[int(length).bit_length() - 1][run, start]
            for start, length in zip(starts, lengths, strict=True)
        )

    for run in range(runs):
        starts = np.flatnonzero(begins[run])
        found = total(run, np.diff(starts, append=bins))
        best = min(total(run, lengths) for lengths in partitions(bins))
        assert found == pytest.approx(best)


def chances(mechanism, counts, budget, rng, runs, scale=None):
    """How often each partition is chosen; scale replaces that of the noise on scores."""
    exact = np.array(counts, float)
    scales = mechanism.scales(budget)
    if scale is not None:
        scales = scale, scales[1]
    begins, _ = mechanism._drawn(exact, scales, rng, runs)
    codes = begins @ (1 << np.arange(len(counts)))
    return np.bincount(codes, minlength=1 << len(counts)) / runs


@pytest.mark.law
def test_choosing_buckets_is_private_and_a_smaller_scale_is_not(rng):
    """On the neighbours that differ most; the twin has a ninth of the noise."""
    mechanism, budget, runs = Dawa(2, share=0.5), PureDP(2.0), 400_000
    first = mechanism.share * budget.epsilon
    pairs = [((0, 0), (1, 0)), ((2, 1), (3, 1)), ((1, 1), (2, 1))]

    def loss(scale=None):
        worst = 0.0
        for one, other in pairs:
            p, q = (chances(mechanism, c, budget, rng, runs, scale) for c in (one, other))
            seen = (p > 200 / runs) & (q > 200 / runs)
            worst = max(worst, float(np.abs(np.log(p[seen] / q[seen])).max()))
        return worst

    slack = 0.02
    assert loss() <= first + slack
    assert loss(mechanism.scales(budget)[0] / 9) > first + slack


@pytest.mark.parametrize("relation", Neighbours)
def test_scales_share_the_budget(relation):
    mechanism, epsilon = Dawa(16, 0.25, relation), 2.0
    score, count = mechanism.scales(PureDP(epsilon))
    changed = relation.counts_changed
    assert score == pytest.approx(4 * changed / (0.25 * epsilon))
    assert count == pytest.approx(changed / (0.75 * epsilon))
    for budget in (ZCDP(1), ApproxDP(1, 1e-6)):
        with pytest.raises(UnsupportedBudget, match="pure ε-DP"):
            mechanism.check(budget)


def test_a_release_spreads_its_counts_and_is_read_back(rng):
    column = column_of([5, 5, 5, 5, 90, 90, 0, 0])
    release = Dawa(8).release(column, PureDP(50.0), rng)
    assert release.lengths.sum() == 8
    np.testing.assert_allclose(release.spread, [5, 5, 5, 5, 90, 90, 0, 0], atol=1.5)
    assert np.add.reduceat(release.spread, release.starts) == pytest.approx(release.counts)
    assert BucketRelease.from_json(release.to_json()) == release
    empty = Dawa(8).release(Column.from_values([], BOUNDS), PureDP(1.0), rng)
    assert np.isfinite(empty.spread).all()


@pytest.mark.law
def test_runs_are_releases(rng):
    """Bins of many runs have the law of releases one by one: compared bin by bin, by quantiles."""
    column, mechanism, budget = column_of([30, 30, 30, 31, 0, 80, 3, 3]), Dawa(8), PureDP(1.0)
    many = mechanism.release_many(column, budget, rng, 3_000)
    singles = np.array([mechanism.release(column, budget, rng).spread for _ in range(1000)])

    def least(other):
        pairs = zip(many.T, other.T, strict=True)
        return min(scipy.stats.ks_2samp(*pair).pvalue for pair in pairs)

    assert least(singles) > 1e-7
    assert least(singles + 1) < 1e-7


@pytest.mark.parametrize(
    "wrong", [{"starts": [1, 2]}, {"starts": [0, 0]}, {"starts": [0, 9]}, {"scale": 0.0}]
)
def test_a_release_that_cannot_be_is_refused(wrong, rng):
    release = Dawa(8).release(column_of([1] * 8), PureDP(1.0), rng)
    stored = release.to_dict() | {"starts": [0, 4], "counts": [4.0, 4.0]} | wrong
    with pytest.raises(InvalidRelease):
        BucketRelease._from_dict(stored)
