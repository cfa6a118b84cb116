from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidBudget, InvalidParameter, InvalidQuantiles, UnsupportedBudget
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import QuantileRelease
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import interpolated_quantiles, running_counts
from dpviz.mechanisms.counting.noisy_counts import add_noise, noise_scale
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.metrics.quantiles import gaps
from tests.estimators.trees.test_descent import slow_descent
from tests.estimators.trees.test_quantiles import slow_quantile
from tests.rows import by_rows, grid
from tests.statistics import can_tell, fits, gaussian_delta

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
BOUNDS = Bounds(-10, 10)
SUPPORTED = [
    (Noise.LAPLACE, PureDP(1)),
    (Noise.LAPLACE, ZCDP(0.5)),
    (Noise.GAUSSIAN, ZCDP(0.5)),
    (Noise.GAUSSIAN, ApproxDP(1, 1e-6)),
]
TOTALS = [
    {"root": root, "neighbours": neighbours}
    for root, neighbours in itertools.product(Root, Neighbours)
    if not (root is Root.PUBLIC and neighbours is ADD)
]


def declared(tree, data):
    """The tree with the true number of records as the declared N, where one is needed."""
    return replace(tree, records=data.n) if tree.root is Root.PUBLIC else tree


COLUMNS = {
    "empty": [],
    "one": [3.0],
    "equal": [2.5] * 50,
    "on the bounds": [-10.0] * 20 + [10.0] * 30,
    "on the leaf edges": np.repeat(np.arange(-10.0, 11.0), 3),
    "spread": np.random.default_rng(5).normal(0, 3, 500),
}


def column(name):
    return Column.from_values(COLUMNS[name], BOUNDS)


# --- counts -------------------------------------------------------------------------------------


@by_rows("name", COLUMNS)
@by_rows("shape", [TreeShape(2, 0), TreeShape(2, 4), TreeShape(5, 2)])
def test_counts_are_those_of_half_open_intervals_the_last_one_closed(name, shape):
    data = column(name)
    levels = count_levels(data, shape)
    for level, counts in enumerate(levels):
        size = shape.nodes(level)
        step = shape.leaves // size
        edges = shape.edges(BOUNDS)[::step]
        expected = [
            sum(1 for x in data.values if lo <= x and (x < hi or (last and x == hi)))
            for lo, hi, last in zip(edges[:-1], edges[1:], np.arange(size) == size - 1, strict=True)
        ]
        assert counts.tolist() == expected
    assert levels[0] == data.n


# --- the budget ---------------------------------------------------------------------------------


@by_rows("neighbours", Neighbours)
@by_rows(("root", "height"), [("released", 0), ("released", 3), ("sum", 4)])
@by_rows(("noise", "budget"), SUPPORTED)
def test_the_levels_spend_exactly_the_budget(neighbours, root, height, noise, budget):
    tree = AggTree(fanout=3, height=height, root=root, noise=noise, neighbours=neighbours)
    scales = np.array([s for s in tree.level_scales(budget) if math.isfinite(s)])
    assert scales.size == height + (root == "released")
    changed = 1 if neighbours is ADD else 2  # counts of a level that one record changes, by 1
    match noise, budget:
        case Noise.LAPLACE, PureDP(epsilon):
            assert math.fsum(changed / scales) == pytest.approx(epsilon, rel=1e-14)
        case Noise.LAPLACE, ZCDP(rho):
            each = 1 / scales + np.expm1(-1 / scales)
            assert changed * math.fsum(each) == pytest.approx(rho, rel=1e-11)
        case Noise.GAUSSIAN, ZCDP(rho):
            assert math.fsum(changed / (2 * scales**2)) == pytest.approx(rho, rel=1e-14)
        case Noise.GAUSSIAN, ApproxDP(epsilon, delta):
            sensitivity = math.sqrt(math.fsum(changed / scales**2))  # of the whitened tree
            spent = gaussian_delta(epsilon, sensitivity)
            assert spent <= delta
            assert spent == pytest.approx(delta, rel=1e-8)


@by_rows("epsilon", [1e-6, 1e-3, 0.01, 0.1, 1, 10, 1e4])
@by_rows("delta", [1e-12, 1e-6, 0.1])
def test_the_analytic_gaussian_never_overspends(epsilon, delta):
    sigma = noise_scale(Noise.GAUSSIAN, ApproxDP(epsilon, delta), 1.0, ADD)
    # both terms are near each other at small ε: the difference of two doubles, not the mechanism
    rounding = 1e-15 / delta
    assert gaussian_delta(epsilon, 1 / sigma) <= delta * (1 + rounding)
    assert gaussian_delta(epsilon, 1 / (sigma * 0.99)) > delta


def test_a_public_total_is_not_paid_for():
    scales = AggTree(10, 3, root="public", neighbours=REPLACE).level_scales(PureDP(1))
    assert scales == (math.inf, 6.0, 6.0, 6.0)


def test_the_papers_scales():
    assert AggTree(10, 3).level_scales(PureDP(0.5))[1:] == (6.0,) * 3
    assert AggTree(10, 3, root="released").level_scales(PureDP(1)) == (4.0,) * 4
    each = 0.5  # ρ of a level: 1/b + e^{−1/b} − 1 of Laplace noise, which ½/b² bounds
    scales = np.array(AggTree(10, 3, noise="laplace").level_scales(ZCDP(3 * each))[1:])
    np.testing.assert_allclose(1 / scales + np.expm1(-1 / scales), each, rtol=1e-11)
    assert (scales < 0.84).all()
    gaussian = AggTree(10, 3, noise="gaussian", neighbours=REPLACE)
    assert gaussian.level_scales(ZCDP(1.5))[1:] == pytest.approx([math.sqrt(2)] * 3)


# --- the noise ----------------------------------------------------------------------------------


@pytest.mark.law
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("noise", "budget"), SUPPORTED)
def test_the_law_of_the_noise(rng, neighbours, noise, budget):
    """False alarm 1e-9; a fifth less, a quarter more and the other relation's scale are caught."""
    tree = AggTree(fanout=2, height=2, root="released", noise=noise, neighbours=neighbours)
    exact = count_levels(column("spread"), tree.shape)
    scales = tree.level_scales(budget)
    noisy = add_noise(exact, 2, noise, scales, rng, runs=30_000)
    law = stats.laplace if noise is Noise.LAPLACE else stats.norm
    factor = 2.0 if noise is Noise.LAPLACE else math.sqrt(2)
    wrong_factors = [0.8, 1.25, factor if neighbours is ADD else 1 / factor]
    for counts, truth, scale, variance in zip(
        noisy.counts, exact, scales, noisy.variances, strict=True
    ):
        sample = (counts - truth).ravel()
        right = law(scale=scale)
        assert float(variance) == pytest.approx(right.var())
        assert fits(sample, right, comparisons=3)
        for wrong in wrong_factors:
            other = law(scale=scale * wrong)
            assert can_tell(sample.size, other, right, comparisons=3)
            assert not fits(sample, other, comparisons=3)


def test_the_noise_of_two_nodes_is_independent(rng):
    exact = count_levels(column("spread"), TreeShape(2, 2))
    noisy = add_noise(exact, 2, Noise.GAUSSIAN, (1.0,) * 3, rng, runs=20_000)
    errors = np.concatenate([c - e for c, e in zip(noisy.counts, exact, strict=True)], axis=1)
    correlations = np.corrcoef(errors.T)[np.triu_indices(7, 1)]
    # Fisher's z with the normal law, false alarm 1e-9 over 21 pairs
    assert np.abs(np.arctanh(correlations)).max() < stats.norm.isf(1e-9 / 42) / math.sqrt(19_997)


def test_nothing_of_a_level_that_is_not_released_gets_out(rng):
    exact = count_levels(column("spread"), TreeShape(2, 2))
    noisy = add_noise(exact, 2, Noise.LAPLACE, (math.inf, 1.0, math.inf), rng, runs=3)
    assert np.isnan(noisy.counts[0]).all()
    assert np.isnan(noisy.counts[2]).all()
    assert np.isinf(noisy.variances[0])
    assert np.isfinite(noisy.counts[1]).all()


# --- quantiles ----------------------------------------------------------------------------------


@pytest.mark.law
@by_rows("estimator", QuantileEstimator)
@by_rows("root", ["sum", "released"])
@by_rows("name", [name for name in COLUMNS if name != "empty"])
def test_without_noise_quantiles_are_those_of_the_histogram(rng, name, root, estimator):
    data = Column.from_values(np.repeat(column(name).values, 1000), BOUNDS)
    tree = AggTree(fanout=4, height=2, root=root, estimator=estimator)
    quantiles = uniform_quantiles(37) * 0.997  # no target falls on a flat stretch
    edges = tree.shape.edges(BOUNDS)
    histogram = count_levels(data, tree.shape)[-1]
    running = np.concatenate([[0.0], np.cumsum(histogram)])
    expected = [slow_quantile(running, edges, q) for q in quantiles]
    released = tree.release(data, quantiles, PureDP(1e9), rng)
    np.testing.assert_allclose(released.values, expected, atol=1e-5)


def slow_smooth(running):
    """min over j ≥ k of max over i ≤ j of the mean of v_i .. v_j, inside [0, n̂]; the ends stay."""
    inside, total = running[1:-1], max(running[-1], 0.0)
    size = inside.size
    means = {(i, j): inside[i : j + 1].mean() for i in range(size) for j in range(i, size)}
    fit = [
        min(max(means[i, j] for i in range(min(k, j) + 1)) for j in range(k, size))
        for k in range(size)
    ]
    return np.clip([0.0, *fit, total], 0.0, total)


def twin(tree, data, quantiles, budget, rng):
    """One run, with each step in the open."""
    total = float(data.n) if tree.root is Root.PUBLIC else None
    exact = count_levels(data, tree.shape)
    noisy = add_noise(exact, tree.fanout, tree.noise, tree.level_scales(budget), rng, runs=1)
    if tree.estimator is QuantileEstimator.DESCENT:
        one = [level[0] for level in noisy.counts]
        return [slow_descent(one, tree.shape.edges(data.bounds), q) for q in quantiles]
    if tree.estimator is not QuantileEstimator.RAW:
        noisy = efficient_levels(noisy, total)
    running = running_counts(noisy, total)[0]
    if tree.estimator is QuantileEstimator.SMOOTHED:
        running = slow_smooth(running)
    return [slow_quantile(running, tree.shape.edges(data.bounds), q) for q in quantiles]


@pytest.mark.law
@grid(total=TOTALS, estimator=QuantileEstimator, supported=SUPPORTED)
def test_a_release_is_its_slow_twin(total, estimator, supported):
    noise, budget = supported
    plain = AggTree(fanout=3, height=3, noise=noise, estimator=estimator, **total)
    for seed, name in enumerate(COLUMNS):
        quantiles = np.random.default_rng(seed).random(20)
        tree = declared(plain, column(name))
        mine = tree.release(column(name), quantiles, budget, np.random.default_rng(seed))
        other = twin(tree, column(name), quantiles, budget, np.random.default_rng(seed))
        np.testing.assert_allclose(mine.values, other, atol=1e-9)


@pytest.mark.law
@grid(
    total=TOTALS,
    estimator=QuantileEstimator,
    name=COLUMNS,
    budget=[PureDP(1e-6), PureDP(1), PureDP(1e4)],
)
def test_the_contract(rng, total, estimator, name, budget):
    asked = np.concatenate([rng.permutation(uniform_quantiles(500)), [0.5, 0.5, 1e-12, 1 - 1e-16]])
    for height in (0, 1, 3):
        if height == 0 and total["root"] is Root.SUM:
            continue
        plain = AggTree(fanout=7, height=height, estimator=estimator, **total)
        tree = declared(plain, column(name))
        values = tree.release_many(column(name), asked, budget, rng, runs=20)
        assert values.shape == (20, asked.size)
        assert (values >= BOUNDS.low).all()
        assert (values <= BOUNDS.high).all()
        assert (np.diff(values[:, np.argsort(asked, kind="stable")], axis=1) >= 0).all()
        assert (values[:, 500] == values[:, 501]).all()
        release = tree.release(column(name), asked, budget, rng)
        np.testing.assert_array_equal(release.quantiles, asked)
        assert QuantileRelease.from_json(release.to_json()) == release
        assert release.spent == budget
        assert release.neighbours is total["neighbours"]


def test_height_zero_knows_nothing_but_the_bounds(rng):
    quantiles = [0.1, 0.5, 0.9]
    public = AggTree(height=0, root="public", neighbours=REPLACE, records=500)
    released = AggTree(height=0, root="released")
    for tree, name in itertools.product((public, released), ("empty", "spread")):
        values = tree.release(column(name), quantiles, PureDP(1), rng).values
        np.testing.assert_allclose(values, [-8, 0, 8], atol=1e-12)


def test_rounding_to_the_declared_grid(rng):
    ages = Column.from_values(rng.integers(0, 100, 400), Bounds(0, 100), resolution=1)
    values = AggTree(round_to_grid=True).release(ages, uniform_quantiles(9), PureDP(1), rng).values
    np.testing.assert_array_equal(values, np.round(values))
    plain = AggTree().release(ages, uniform_quantiles(9), PureDP(1), rng).values
    assert (plain != np.round(plain)).any()


@by_rows(
    ("width", "resolution", "pure", "other"),
    [(100, 1, 3, 8), (255, 1, 3, 9), (256, 1, 3, 9), (257, 1, 4, 10), (500, 1, 4, 10),
     (32, 1, 2, 6), (4, 1, 1, 3), (1, 1, 1, 1), (2048, 1, 4, 12), (10**6, 1, 4, 12),
     (100, 0, 4, 12), (100, 1e-9, 4, 12), (1e-300, 1e300, 1, 1), (1.7e308, 5e-324, 4, 12)],
)  # fmt: skip
def test_a_fitted_tree_has_two_leaves_a_value_or_about_4096(width, resolution, pure, other):
    bounds = Bounds(0, width)
    for budget, fanout, height in ((PureDP(1), 8, pure), (ZCDP(1), 2, other)):
        fitted = AggTree(estimator="raw").fitted(bounds, resolution, budget)
        assert fitted == AggTree(fanout, height, estimator="raw")
        assert AggTree(fanout).fitted(bounds, resolution, ApproxDP(1, 1e-6)) == AggTree(
            fanout, height
        )
        if resolution and fanout**height < 4096:
            assert fanout**height >= 2 * width / resolution
            assert height == 1 or fanout ** (height - 1) < 2 * width / resolution
    for wrong in (-1.0, math.nan, math.inf, "1"):
        with pytest.raises(InvalidParameter, match="resolution"):
            AggTree().fitted(bounds, wrong, PureDP(1))


def test_what_is_given_stays_and_what_is_open_is_fitted():
    bounds, budget = Bounds(0, 100), PureDP(1)
    assert AggTree(10, 3).fitted(bounds, 1, budget) == AggTree(10, 3)
    assert AggTree(height=2).fitted(bounds, 1, budget) == AggTree(8, 2)
    assert AggTree(height=20).fitted(bounds, 1, ZCDP(1)) == AggTree(2, 20)
    shapes = {2: 12, 4: 6, 10: 3, 16: 3, 64: 2, 100: 1, 5000: 1}
    assert {f: AggTree(f).fitted(bounds, 0, budget).height for f in shapes} == shapes
    with pytest.raises(InvalidParameter, match="leaves"):
        AggTree(height=20).check(budget, [0.5])
    with pytest.raises(InvalidParameter, match="height"):
        AggTree(height=23)
    for part in ("tree", "shape"):
        with pytest.raises(InvalidParameter, match="left open"):
            getattr(AggTree(8), part)


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(1)])
@pytest.mark.parametrize("tree", [AggTree(), AggTree(height=7), AggTree(256), AggTree(16, 5)])
def test_the_time_of_an_open_tree_is_that_of_the_one_it_takes(tree, budget):
    fitted = tree.fitted(BOUNDS, 0, budget)
    expected = fitted.seconds(1000, 9, budget, 10)
    assert tree.seconds(1000, 9, budget, 10) == expected
    assert (expected > 0.03) == (min(fitted.shape.leaves, 2**22) > 50_000)


def test_a_release_says_which_tree_it_took(rng):
    ages = Column.from_values(rng.integers(0, 100, 400), Bounds(0, 100), resolution=1)
    for budget, shape in ((PureDP(1), (8, 3)), (ZCDP(1), (2, 8)), (ApproxDP(1, 1e-6), (2, 8))):
        said = AggTree().release(ages, [0.5], budget, rng).parameters
        assert (said["fanout"], said["height"]) == shape
        seeds = (np.random.default_rng(3) for _ in range(2))
        open_, given = (
            tree.release(ages, [0.2, 0.5], budget, seed)
            for tree, seed in zip((AggTree(), AggTree(*shape)), seeds, strict=True)
        )
        assert open_ == given


def mean_gap(tree, data, budget, rng, runs=60):
    wanted = uniform_quantiles(60)
    return gaps(data, wanted, tree.release_many(data, wanted, budget, rng, runs)).mean()


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(0.05)])
def test_leaves_below_the_resolution_only_cost(rng, budget):
    ages = Column.from_values(rng.binomial(90, 0.45, 1000), Bounds(-100, 100), resolution=1)
    assert mean_gap(AggTree(round_to_grid=True), ages, budget, rng) < 0.75 * mean_gap(
        AggTree(8, 4, round_to_grid=True), ages, budget, rng
    )


def test_one_leaf_a_value_is_too_few(rng):
    """A reading in a leaf that is wider than half a step may be nearer to the value beside it."""
    values = rng.choice([30.0, 40, 250, 253, 493], 5000)
    data = Column.from_values(values, Bounds(0, 500), resolution=1)
    assert 8**3 > 501  # so that each value has a leaf of its own
    too_few = mean_gap(AggTree(8, 3, round_to_grid=True), data, PureDP(1), rng)
    assert too_few > 50
    assert mean_gap(AggTree(round_to_grid=True), data, PureDP(1), rng) < 1


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("estimator", QuantileEstimator)
def test_many_releases_have_the_law_of_one(estimator):
    """Two-sample Kolmogorov-Smirnov at 1,200 draws a side; bounds from Massart's inequality."""
    tree, data, budget = AggTree(4, 2, estimator=estimator), column("spread"), PureDP(0.3)
    rng = np.random.default_rng(8)
    draws = 1200
    single = np.array([tree.release(data, [0.3], budget, rng).values[0] for _ in range(draws)])
    many = tree.release_many(data, [0.3], budget, rng, runs=draws)[:, 0]
    radius = 2 * math.sqrt(math.log(4e9) / (2 * draws))  # each side within half of it
    assert stats.ks_2samp(single, many).statistic < radius
    for wrong in (PureDP(0.1), PureDP(0.9)):
        other = tree.release_many(data, [0.3], wrong, rng, runs=draws)[:, 0]
        assert stats.ks_2samp(single, other).statistic > radius


def test_chunks_of_runs_change_nothing(monkeypatch):
    """Runs are independent and in order: small chunks give rows like one big one, none repeated."""
    tree, data = AggTree(5, 2), column("spread")
    monkeypatch.setattr("dpviz.mechanisms.quantiles.agg_tree.CHUNK", 60)
    values = tree.release_many(data, [0.2, 0.7], PureDP(1), np.random.default_rng(1), runs=7)
    assert np.unique(values[:, 0]).size == 7
    rng = np.random.default_rng(1)
    parts = [tree.release_many(data, [0.2, 0.7], PureDP(1), rng, size) for size in (2, 2, 2, 1)]
    np.testing.assert_array_equal(values, np.concatenate(parts))


def test_no_runs_are_refused(rng):
    with pytest.raises(InvalidParameter, match="runs"):
        AggTree().release_many(column("one"), [0.5, 0.6], PureDP(1), rng, 0)


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fanout": 1}, "fanout"),
        ({"height": -1}, "height"),
        ({"fanout": 10, "height": 7}, "leaves"),
        ({"root": "none"}, "root must be one of 'released', 'sum', 'public'"),
        ({"noise": "cauchy"}, "noise"),
        ({"estimator": "best"}, "estimator"),
        ({"height": 0}, "nothing is released"),
        ({"root": "public"}, "replace-one"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    with pytest.raises(InvalidParameter, match=message):
        AggTree(**parameters)


@pytest.mark.parametrize(
    ("noise", "budget", "advice"),
    [
        ("gaussian", PureDP(1), "Choose Laplace noise"),
        ("laplace", ApproxDP(1, 1e-6), "Choose Gaussian noise"),
    ],
)
def test_notions_without_a_guarantee_are_refused(rng, noise, budget, advice):
    for height, root, records in ((3, "sum", None), (0, "public", 9)):
        tree = AggTree(height=height, noise=noise, root=root, neighbours=REPLACE, records=records)
        with pytest.raises(UnsupportedBudget, match=advice):
            tree.check(budget, [0.5])
        with pytest.raises(UnsupportedBudget, match=advice):
            tree.release(column("one"), [0.5], budget, rng)


@pytest.mark.parametrize(
    "budget", [PureDP(1e-200), PureDP(1e200), ZCDP(5e-324), ApproxDP(1, 1e-300), ApproxDP(700, 0.9)]
)
def test_extreme_budgets_are_refused_or_served(rng, budget):
    noise = Noise.GAUSSIAN if isinstance(budget, ApproxDP) else Noise.LAPLACE
    tree = AggTree(noise=noise)
    try:
        tree.check(budget, [0.5])
    except InvalidBudget:
        return
    assert np.isfinite(tree.release(column("spread"), [0.5], budget, rng).values).all()


@pytest.mark.parametrize("quantiles", [[], [0.0], [1.0], [math.nan]])
def test_impossible_quantiles_are_refused(rng, quantiles):
    with pytest.raises(InvalidQuantiles):
        AggTree().check(PureDP(1), quantiles)
    with pytest.raises(InvalidQuantiles):
        AggTree().release(column("one"), quantiles, PureDP(1), rng)


def test_efficient_is_not_raw(rng):
    """On a seed, the two readings differ; over runs, least squares is the closer one."""
    data = Column.from_values(rng.normal(0, 1, 1000), BOUNDS)
    quantiles = QuantileSet.of(uniform_quantiles(15))
    truth = np.quantile(data.values, quantiles.distinct)
    errors = {}
    for estimator in QuantileEstimator:
        values = AggTree(10, 3, estimator=estimator).release_many(
            data, quantiles, PureDP(1), np.random.default_rng(4), 400
        )
        errors[estimator] = np.abs(values - truth).mean()
    assert errors[QuantileEstimator.EFFICIENT] < errors[QuantileEstimator.RAW]


def test_interpolation_reads_the_last_leaf():
    values = interpolated_quantiles(np.array([0.0, 0.0, 5.0]), np.arange(3.0), np.array([0.999]))
    assert 1 < values[0] < 2
