"""PrefixSums: the table of figures, dense algebra, the law of its noise, and what it refuses."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import (
    DpvizError,
    InvalidBudget,
    InvalidData,
    InvalidParameter,
    InvalidRelease,
    NotExact,
    UnsupportedBudget,
)
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.trees import prefix_noise
from dpviz.core.trees.prefix_noise import last_covariances, with_last
from dpviz.core.trees.square_root import absolute_sensitivity, square_root
from dpviz.mechanisms.counting import prefix_sums
from dpviz.mechanisms.counting.prefix_sums import (
    PrefixNoise,
    PrefixRelease,
    PrefixSums,
    lower_bound,
    squared_sensitivity,
)
from tests.rows import by_rows
from tests.statistics import can_tell, fits, mean_is

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
BOUNDS = Bounds(0, 8)
VALUES = [0, 0.5, 1, 1, 3.5, 7, 7.999, 8, 8]
RUNS = 20_000
LARGE = pytest.mark.law


def column(values=VALUES):
    return Column.from_values(values, BOUNDS)


def dense(bins):
    """M, entry by entry, from central binomial coefficients."""
    c = [math.comb(2 * k, k) / 4**k for k in range(bins)]
    return np.array([[c[i - j] if i >= j else 0.0 for j in range(bins)] for i in range(bins)])


@pytest.mark.parametrize(
    ("log2", "total", "largest", "mean", "bound", "replaced"),
    [
        (8, 2.83105, 4.007, 3.561, 3.054, None),
        (10, 3.27255, 5.355, 4.835, 4.233, 1.66),
        (16, 4.59644, 10.564, 9.832, 8.955, 1.76),
        pytest.param(20, 5.47899, 15.010, 14.138, 13.080, 1.80, marks=LARGE),
    ],
)
def test_the_table_of_figures(log2, total, largest, mean, bound, replaced):
    bins = 2**log2
    assert round(squared_sensitivity(bins, ADD), 5) == total
    variances = PrefixSums(bins).running_errors(ZCDP(1.0)) ** 2
    assert round(float(variances.max()), 3) == round(float(variances[-1]), 3) == largest
    assert round(float(variances.mean()), 3) == mean
    assert round(lower_bound(bins), 3) == bound
    ratio = squared_sensitivity(bins, REPLACE) / squared_sensitivity(bins, ADD)
    assert replaced is None or round(ratio, 2) == replaced


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 33, 64])
def test_the_matrix_is_a_square_root_of_the_running_sum(rng, bins):
    root, m = square_root(bins), dense(bins)
    ones = np.tril(np.ones((bins, bins)))
    np.testing.assert_allclose(m @ m, ones, atol=1e-12)
    np.testing.assert_allclose(root.coefficients, m[:, 0], rtol=1e-13)
    np.testing.assert_allclose(root.sums, (m**2).sum(axis=1), rtol=1e-13)
    z = rng.normal(size=(3, bins))
    np.testing.assert_allclose(root.applied(z), z @ m.T, atol=1e-13)
    np.testing.assert_allclose(root.applied(root.applied(z)), z.cumsum(axis=1), atol=1e-12)


@pytest.mark.parametrize("bins", [1, 2, 3, 5, 16, 41, 100])
def test_no_record_moves_the_sums_further(bins):
    """By brute force over all columns of M, and all pairs of them."""
    m = dense(bins)
    joined = (m**2).sum(axis=0).max()
    assert squared_sensitivity(bins, ADD) == pytest.approx(joined, rel=1e-12)
    squares = (m**2).sum(axis=0)
    replaced = (squares[:, None] + squares - 2 * m.T @ m).max()
    # a value that becomes a missing one moves one column alone
    expected = max(joined, replaced)
    assert squared_sensitivity(bins, REPLACE) == pytest.approx(expected, rel=1e-12)
    assert bins == 1 or replaced >= joined * (1 - 1e-12)
    whole = np.abs(m).sum(axis=0).max()
    assert absolute_sensitivity(bins, ADD) == pytest.approx(whole, rel=1e-12)
    apart = np.abs(m[:, :, None] - m[:, None, :]).sum(axis=0).max()
    assert absolute_sensitivity(bins, REPLACE) == pytest.approx(max(whole, apart), rel=1e-12)


@pytest.mark.parametrize("bins", [1, 2, 9, 60])
def test_the_lower_bound_is_that_of_the_singular_values(bins):
    singular = np.linalg.svd(np.tril(np.ones((bins, bins))), compute_uv=False)
    assert lower_bound(bins) == pytest.approx((singular.sum() / bins) ** 2 / 2, rel=1e-12)
    mean = (PrefixSums(bins).running_errors(ZCDP(1.0)) ** 2).mean()
    assert lower_bound(bins) <= mean * (1 + 1e-12)


def dense_covariance(bins, scale, public):
    """Of the counts at edges 0 … K, the last one known or not."""
    joint = np.zeros((bins + 1, bins + 1))
    joint[1:, 1:] = scale**2 * dense(bins) @ dense(bins).T
    if public:
        joint -= np.outer(joint[-1], joint[-1]) / joint[-1, -1]
    return joint


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("bins", [1, 2, 8, 37])
@pytest.mark.parametrize("chunk", [1, 50, 2**20])
def test_covariances_and_variances_of_ranges(monkeypatch, bins, public, chunk):
    monkeypatch.setattr(prefix_noise, "CHUNK", chunk)
    noise = PrefixNoise(bins, 1.7, public)
    joint = dense_covariance(bins, 1.7, public)
    edges = np.arange(bins + 1)
    np.testing.assert_allclose(noise.covariance(edges[:, None], edges), joint, atol=1e-12)
    np.testing.assert_allclose(noise.variances, np.diag(joint)[1:], atol=1e-12)
    np.testing.assert_allclose(noise.standard_errors**2, noise.variances, atol=1e-12)
    ranges = np.diag(joint)[:, None] + np.diag(joint) - 2 * joint
    np.testing.assert_allclose(noise.range_variance(edges[:, None], edges), ranges, atol=1e-12)
    assert float(noise.covariance(bins, bins)) == pytest.approx(joint[-1, -1], abs=1e-12)
    np.testing.assert_allclose(noise.covariances_with_last, joint[-1], atol=1e-12)
    weights = np.random.default_rng(1).normal(size=(3, bins + 1))
    expected = np.einsum("ki,ij,kj->k", weights, joint, weights)
    np.testing.assert_allclose(noise.linear_error(weights) ** 2, expected, atol=1e-9)


def test_a_single_bin_of_many_is_noisier_than_its_share():
    noise = PrefixNoise(2**10, 1.0)
    single = noise.range_variance(np.arange(2**10), np.arange(1, 2**10 + 1))
    assert float(single[-1]) == pytest.approx(1.27, abs=0.01)


def test_a_known_total_is_the_regression_on_the_last_count(rng):
    bins, m = 12, dense(12)
    np.testing.assert_allclose(last_covariances(bins), (m @ m.T)[:, -1], rtol=1e-12)
    noise = rng.normal(size=(200, bins)) @ m.T
    known = with_last(noise + np.arange(1, 13), 12.0)
    weights = (m @ m.T)[:, -1] / (m @ m.T)[-1, -1]
    expected = noise - weights * noise[:, -1:] + np.arange(1, 13)
    np.testing.assert_allclose(known, expected, atol=1e-12)
    assert (known[:, -1] == 12.0).all()
    assert (PrefixNoise(bins, 1.0, True).variances < PrefixNoise(bins, 1.0).variances).all()


@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("bins", [1, 4, 50])
def test_the_worst_neighbours_cost_the_budget_and_no_pair_more(bins, relation):
    """ρ = ‖M (x − x')‖²/(2σ²); (ε, δ) by the exact formula of the Gaussian mechanism."""
    mechanism, m = PrefixSums(bins, relation), dense(bins)
    moves = list(m.T)
    if relation is REPLACE:
        moves += [one - other for one in m.T for other in m.T]
    moved = math.sqrt(max(float(move @ move) for move in moves))
    assert (moved / mechanism.scale(ZCDP(0.3))) ** 2 / 2 == pytest.approx(0.3, rel=1e-12)
    epsilon, delta = 0.8, 1e-6
    apart = moved / mechanism.scale(ApproxDP(epsilon, delta))
    spent = stats.norm.cdf(apart / 2 - epsilon / apart) - math.exp(epsilon) * stats.norm.cdf(
        -apart / 2 - epsilon / apart
    )
    assert spent <= delta * (1 + 1e-9)
    assert spent == pytest.approx(delta, rel=1e-6)


def drawn(mechanism, budget, seed=3):
    """Errors of many runs, and what they are as multiples of σ with M taken off again."""
    exact = np.searchsorted(np.sort(VALUES), 8 / mechanism.bins * np.arange(1, mechanism.bins + 1))
    exact[-1] = len(VALUES)
    noisy = mechanism.release_many(column(), budget, np.random.default_rng(seed), RUNS)
    errors = noisy - exact
    white = np.linalg.solve(dense(mechanism.bins), errors.T).T
    return errors, white / mechanism.scale(budget)


@pytest.mark.few(2)
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("budget", [ZCDP(0.2), ApproxDP(1.0, 1e-6)])
def test_noise_follows_its_law_and_wrong_ones_are_rejected(budget, relation):
    mechanism, bins = PrefixSums(16, relation), 16
    errors, white = drawn(mechanism, budget)
    normal = stats.norm()
    assert fits(white.ravel(), normal, comparisons=2)
    sigmas = mechanism.running_errors(budget)
    for edge in range(bins):
        assert fits(errors[:, edge] / sigmas[edge], normal, comparisons=2 * bins)
    # the scale of the other relation
    other = PrefixSums(bins, REPLACE if relation is ADD else ADD).scale(budget)
    wrong = other / mechanism.scale(budget)
    assert can_tell(white.size, normal, stats.norm(0, wrong))
    assert not fits(white.ravel() / wrong, normal)


def test_another_matrix_or_independent_noise_is_rejected():
    bins = 16
    rng, mechanism = np.random.default_rng(8), PrefixSums(bins)
    z = mechanism.scale(ZCDP(0.2)) * rng.normal(size=(RUNS, bins))
    independent = mechanism.running_errors(ZCDP(0.2)) * rng.normal(size=(RUNS, bins))
    right = z @ dense(bins).T
    for errors, taken in ((right, True), (z.cumsum(axis=1), False), (independent, False)):
        white = np.linalg.solve(dense(bins), errors.T).T / mechanism.scale(ZCDP(0.2))
        assert fits(white.ravel(), stats.norm()) == taken


def test_covariances_of_the_draws_are_those_stated():
    mechanism, budget = PrefixSums(16), ZCDP(0.2)
    errors, _ = drawn(mechanism, budget, seed=4)
    noise = mechanism.noise(budget)
    pairs = [(1, 2), (1, 16), (7, 8), (3, 12), (15, 16)]
    for first, second in pairs:
        products = errors[:, first - 1] * errors[:, second - 1]
        stated = float(noise.covariance(first, second))
        assert mean_is(products, stated, comparisons=len(pairs))
        assert not mean_is(products, 0.0, comparisons=len(pairs))
        ranges = (errors[:, second - 1] - errors[:, first - 1]) ** 2
        assert mean_is(ranges, float(noise.range_variance(first, second)), comparisons=len(pairs))


def test_one_release_is_the_first_of_many():
    mechanism, budget = PrefixSums(33, REPLACE), ZCDP(0.4)
    one = mechanism.release(column(), budget, np.random.default_rng(6))
    many = mechanism.release_many(column(), budget, np.random.default_rng(6), 5)
    assert many.shape == (5, 33)
    np.testing.assert_array_equal(one.counts, many[0])
    assert one.noise == mechanism.noise(budget)
    np.testing.assert_array_equal(one.standard_errors, mechanism.running_errors(budget))


def test_runs_are_drawn_a_few_at_a_time_by_one_convolution_each(monkeypatch):
    mechanism, budget = PrefixSums(64), ZCDP(0.4)
    whole = mechanism.release_many(column(), budget, np.random.default_rng(6), 1000)
    sizes, applied = [], prefix_sums.square_root(64).applied

    class Counted:
        def applied(self, noise):
            sizes.append(noise.shape)
            return applied(noise)

    monkeypatch.setattr(prefix_sums, "square_root", lambda bins: Counted())
    mechanism.release_many(column(), budget, np.random.default_rng(6), 1000)
    assert sizes == [(1000, 64)]
    monkeypatch.setattr(prefix_sums, "CHUNK", 64 * 400)
    parts = mechanism.release_many(column(), budget, np.random.default_rng(6), 1000)
    assert sizes[1:] == [(400, 64), (400, 64), (200, 64)]
    np.testing.assert_allclose(parts, whole, rtol=1e-12)


@by_rows("values", [[], [0], [8] * 5, [0] * 3 + [8] * 4, VALUES])
@by_rows("bins", [1, 2, 8, 100])
def test_without_noise_running_counts_are_the_truth(values, bins):
    release = PrefixSums(bins).release(column(values), ZCDP(1e20), np.random.default_rng(1))
    edges = release.edges
    assert edges.shape == (bins + 1,)
    assert (edges[0], edges[-1]) == (0, 8)
    below = [sum(value < edge for value in values) for edge in edges[1:-1]] + [len(values)]
    np.testing.assert_allclose(release.counts, below, atol=1e-8)


def test_counts_serve_as_well_as_records():
    of_values = Column.from_values([1, 1, 1, 2, 7], BOUNDS, 1)
    of_counts = Column.from_counts([7, 1, 2], [1, 3, 1], BOUNDS, 1)
    one, other = (
        PrefixSums(20).release(data, ZCDP(1.0), np.random.default_rng(2))
        for data in (of_values, of_counts)
    )
    assert one == other


def test_a_release_travels_without_loss():
    one = PrefixSums(9, REPLACE).release(column(), ApproxDP(1, 1e-6), np.random.default_rng(1))
    again = PrefixRelease.from_json(one.to_json())
    assert again == one
    assert again.to_json() == one.to_json()
    assert one.to_dict()["parameters"] == {"bins": 9, "noise": "gaussian"}
    assert (one.spent, one.neighbours, one.randomness) == (ApproxDP(1, 1e-6), REPLACE, "seeded")
    assert not one.counts.flags.writeable
    text = one.to_json()
    for damaged in (
        *("", "{}", "[]", text.replace('"prefixes"', '"tree"')),
        text.replace(str(one.scale), "-1"),
        text.replace(str(one.scale), "1e200"),
        text.replace(str(float(one.counts[0])), "null"),
        text.replace('"total": null', '"total": 3'),
    ):
        with pytest.raises(InvalidRelease):
            PrefixRelease.from_json(damaged)


def test_pure_epsilon_is_refused_in_words():
    for act in (
        lambda: PrefixSums(4).check(PureDP(1)),
        lambda: PrefixSums(4).running_errors(PureDP(1)),
        lambda: PrefixSums(4).release(column(), PureDP(1), np.random.default_rng(1)),
        lambda: PrefixSums(4).release_many(column(), PureDP(1), np.random.default_rng(1), 2),
    ):
        with pytest.raises(UnsupportedBudget, match="root of the number of bins"):
            act()
    PrefixSums(4).check(ZCDP(1))


@pytest.mark.parametrize("bits", [SecureBits.fresh, lambda: SeededBits(np.random.default_rng(1))])
def test_secure_bits_are_refused_in_words(bits):
    with pytest.raises(NotExact, match="holds up to rounding"):
        PrefixSums(4).release(column(), ZCDP(1), bits())
    with pytest.raises(NotExact, match="study"):
        PrefixSums(4).release_many(column(), ZCDP(1), bits(), 2)


def test_wrong_arguments_are_refused():
    for bins in (0, -1, 1.5, True, "8", 2**22 + 1, None):
        with pytest.raises(InvalidParameter, match="bins"):
            PrefixSums(bins)
        with pytest.raises(InvalidParameter, match="bins"):
            lower_bound(bins)
    with pytest.raises(InvalidParameter, match="neighbours"):
        PrefixSums(4, "both")
    rng = np.random.default_rng(1)
    with pytest.raises(InvalidData, match="column"):
        PrefixSums(4).release([1, 2], ZCDP(1), rng)
    with pytest.raises(InvalidBudget, match="budget"):
        PrefixSums(4).release(column(), 1.0, rng)
    with pytest.raises(InvalidParameter, match="runs"):
        PrefixSums(4).release_many(column(), ZCDP(1), rng, 0)
    noise = PrefixNoise(4, 1.0)
    for wrong in (5, -1, 1.5, "2", None, [1, 9], [[1], [1, 2]]):
        with pytest.raises(DpvizError, match="Edges"):
            noise.covariance(wrong, 1)
        with pytest.raises(DpvizError, match="Edges"):
            noise.range_variance(1, wrong)
    with pytest.raises(InvalidParameter, match="shapes"):
        noise.covariance([1, 2, 3], [1, 2])


def test_what_is_kept_of_a_size_is_small_and_read_only():
    root = square_root(8)
    assert root is square_root(8)
    for array in (root.coefficients, root.sums, root.convolution.near):
        assert not array.flags.writeable
    assert square_root.cache_info().maxsize == 4
