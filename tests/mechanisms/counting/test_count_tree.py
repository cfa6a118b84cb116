"""CountTree: the budget by level, the law of its noise, and its edges."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidBudget, InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.least_squares import efficient
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from tests.rows import by_rows, grid
from tests.statistics import can_tell, fits, gaussian_delta

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
BOUNDS = Bounds(-10, 10)
LAPLACE = (Noise.LAPLACE, Noise.DISCRETE_LAPLACE)
SUPPORTED = [
    *((noise, budget) for noise in LAPLACE for budget in (PureDP(0.7), ZCDP(0.5))),
    (Noise.GAUSSIAN, ZCDP(0.5)),
    (Noise.GAUSSIAN, ApproxDP(0.7, 1e-6)),
]
SPLITS = {
    "uniform": LevelBudget.uniform(),
    "geometric": LevelBudget.geometric(1.7),
    "leaves": LevelBudget.leaves_only(),
    "own": LevelBudget.own([3, 0, 1, 0.5, 2]),
    "no leaves": LevelBudget.own([3, 0, 1, 5, 0]),
    "optimal": LevelBudget.workload_optimal([0, 0.5, 0, 0, 0.5]),
}
COLUMNS = {
    "empty": [],
    "one": [3.0],
    "equal": [2.5] * 50,
    "on the bounds": [-10.0] * 20 + [10.0] * 30,
    "spread": np.random.default_rng(5).normal(0, 3, 500),
}


def column(name):
    return Column.from_values(COLUMNS[name], BOUNDS)


def spends(noise, budget, scales, neighbours):
    """Share of the budget that released levels spend, from first principles, and what is spent."""
    changed = 1 if neighbours is ADD else 2  # counts of a level that one record changes, by 1
    used = np.array([scale for scale in scales if math.isfinite(scale)])
    match noise, budget:
        case ((Noise.LAPLACE | Noise.DISCRETE_LAPLACE), PureDP(epsilon)):
            return math.fsum(changed / used) / epsilon
        case Noise.LAPLACE, ZCDP(rho):
            return changed * math.fsum(1 / used + np.expm1(-1 / used)) / rho
        case Noise.DISCRETE_LAPLACE, ZCDP(rho):
            return changed * math.fsum(np.tanh(1 / (2 * used)) / used) / rho
        case Noise.GAUSSIAN, ZCDP(rho):
            return math.fsum(changed / (2 * used**2)) / rho
        case Noise.GAUSSIAN, ApproxDP(epsilon, delta):
            return gaussian_delta(epsilon, math.sqrt(math.fsum(changed / used**2))) / delta


@by_rows("neighbours", Neighbours)
@by_rows("root", Root)
@by_rows("split", SPLITS)
@by_rows(("noise", "budget"), SUPPORTED)
def test_the_released_levels_spend_exactly_the_budget(neighbours, root, split, noise, budget):
    if root is Root.PUBLIC and neighbours is ADD:
        return
    tree = CountTree(3, 4, SPLITS[split], noise, root, neighbours)
    scales = tree.level_scales(budget)
    tolerance = {PureDP: 1e-13, ZCDP: 1e-11, ApproxDP: 1e-8}[type(budget)]
    assert spends(noise, budget, scales, neighbours) == pytest.approx(1, rel=tolerance)
    wrong = ADD if neighbours is REPLACE else REPLACE
    assert abs(spends(noise, budget, scales, wrong) - 1) > 0.1
    assert root is Root.RELEASED or math.isinf(scales[0])
    assert math.isfinite(scales[-1])


def test_levels_left_out_give_their_share_and_the_deepest_released_one_has_the_leaves(rng):
    tree = CountTree(2, 4, SPLITS["no leaves"])
    assert tree.shape.height == 3
    assert tree.level_scales(PureDP(1)) == pytest.approx([9 / 3, math.inf, 9, 9 / 5])
    release = tree.release(column("spread"), PureDP(1), rng)
    assert [level.size for level in release.counts] == [1, 2, 4, 8]
    assert release.edges().tolist() == np.linspace(-10, 10, 9).tolist()
    assert release.parameters["height"] == 4
    assert np.isfinite(efficient(release).counts[1]).all()


def test_one_record_changes_one_node_of_each_level_or_two():
    """Sensitivities behind the scales, by trying every pair of neighbours on a small universe."""
    tree = CountTree(2, 3)
    values = np.linspace(-10, 10, 17)
    base = [-9.0, 0.0, 0.0, 10.0]

    def distance(one, other, power):
        levels = [count_levels(Column.from_values(v, BOUNDS), tree.shape) for v in (one, other)]
        return [np.sum(np.abs(a - b) ** power) for a, b in zip(*levels, strict=True)]

    assert max(max(distance(base, [*base, v], 1)) for v in values) == 1
    replaced = [distance(base, [*base[1:], v], 1) for v in values]
    assert np.max(replaced) == 2
    assert np.max([distance(base, [*base[1:], v], 2) for v in values]) == 2  # so √2 in L2


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("noise", "budget"), SUPPORTED)
def test_the_law_of_the_noise(rng, neighbours, noise, budget):
    """False alarm 1e-9; a fifth less, a quarter more and the other relation's scale are caught."""
    tree = CountTree(2, 2, LevelBudget.own([1, 2, 3]), noise, neighbours=neighbours)
    exact = count_levels(column("spread"), tree.shape)
    noisy = tree.release_many(column("spread"), budget, rng, runs=30_000)
    law = stats.norm if noise is Noise.GAUSSIAN else stats.laplace
    factor = math.sqrt(2) if noise is Noise.GAUSSIAN else 2.0
    for level, scale in enumerate(tree.level_scales(budget)):
        sample = (noisy.counts[level] - exact[level]).ravel()
        if noise is Noise.DISCRETE_LAPLACE:
            sample = _continuous(sample, scale, rng)
        for wrong in (0.8, 1.25, factor if neighbours is ADD else 1 / factor):
            other = law(scale=scale * wrong)
            assert can_tell(sample.size, other, law(scale=scale), comparisons=3)
            assert not fits(sample, other, comparisons=3)
        assert fits(sample, law(scale=scale), comparisons=3)


def _continuous(sample, scale, rng):
    """Exactly Laplace(scale) if the sample is discrete Laplace(scale): a uniform inside the step of
    each value in the distribution function, through the quantiles of the continuous law.
    """
    p = math.exp(-1 / scale)

    def cdf(k):
        low = p ** -np.minimum(k, -1) / (1 + p)
        return np.where(k < 0, low, 1 - p ** (np.maximum(k, 0) + 1) / (1 + p))

    below, at = cdf(sample - 1), cdf(sample)
    return stats.laplace(scale=scale).ppf(below + rng.random(sample.size) * (at - below))


@pytest.mark.law
@grid(name=COLUMNS, noise=Noise, size=[1e-6, 1.0, 1e4])
def test_the_contract(rng, name, noise, size):
    budget = ZCDP(size) if noise.gaussian else PureDP(size)
    for root in Root:
        for fanout, height in ((2, 0), (2, 1), (7, 2), (16, 1)):
            if height == 0 and root is Root.SUM:
                continue
            records = 1234 if root is Root.PUBLIC else None  # no column's: what is declared counts
            tree = CountTree(
                fanout, height, noise=noise, root=root, neighbours=REPLACE, records=records
            )
            release = tree.release(column(name), budget, rng)
            assert TreeRelease.from_json(release.to_json()) == release
            assert release.total == records
            best = efficient(release)
            assert all(np.isfinite(level).all() for level in best.counts)
            if noise.whole:
                known = np.concatenate([c[np.isfinite(c)] for c in release.counts])
                assert (known == np.round(known)).all()


@pytest.mark.parametrize("noise", Noise)
def test_without_noise_the_truth_comes_out(rng, noise):
    budget = ZCDP(1e18) if noise.gaussian else PureDP(1e12)
    tree = CountTree(3, 3, noise=noise)
    release = tree.release(column("spread"), budget, rng)
    for counts, exact in zip(
        release.counts, count_levels(column("spread"), tree.shape), strict=True
    ):
        np.testing.assert_allclose(counts, exact, atol=1e-6)


@pytest.mark.law
def test_the_largest_tree_is_released(rng):
    tree = CountTree(2, 22, LevelBudget.own([0] * 22 + [1]))
    release = tree.release(column("spread"), PureDP(1), rng)
    assert release.counts[-1].size == 2**22
    with pytest.raises(InvalidParameter, match="leaves"):
        CountTree(2, 23)


def test_many_releases_are_independent_runs(rng):
    many = CountTree(2, 2).release_many(column("spread"), PureDP(1), rng, runs=5)
    assert [counts.shape for counts in many.counts] == [(5, 1), (5, 2), (5, 4)]
    assert np.unique(many.counts[2], axis=0).shape == (5, 4)


def test_agg_tree_is_made_of_a_count_tree():
    tree = AggTree(4, 3, root="public", noise="gaussian", neighbours="replace-one")
    assert tree.tree == CountTree(4, 3, noise="gaussian", root="public", neighbours="replace-one")
    assert tree.level_scales(ZCDP(1)) == tree.tree.level_scales(ZCDP(1))


def test_the_noise_of_a_release_is_the_noise_that_was_planned(rng):
    tree = CountTree(2, 4, SPLITS["own"], Noise.DISCRETE_LAPLACE)
    planned = tree.tree_noise(PureDP(0.3))
    assert tree.release(column("one"), PureDP(0.3), rng).tree_noise == planned
    assert planned.shape == tree.shape


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fanout": 1}, "fanout"),
        ({"height": -1}, "height"),
        ({"root": "none"}, "root must be one of"),
        ({"noise": "cauchy"}, "noise must be one of"),
        ({"height": 0, "root": "sum"}, "nothing is released"),
        ({"root": "public"}, "replace-one"),
        ({"levels": LevelBudget.own([1, 1])}, "11 levels, got 2"),
        ({"height": 1, "root": "sum", "levels": LevelBudget.own([1, 0])}, "No level has a share"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    with pytest.raises(InvalidParameter, match=message):
        CountTree(**parameters)


@pytest.mark.parametrize(
    ("noise", "budget", "advice"),
    [
        ("gaussian", PureDP(1), "Choose Laplace noise"),
        ("laplace", ApproxDP(1, 1e-6), "Choose Gaussian noise"),
        ("discrete-laplace", ApproxDP(1, 1e-6), "Choose Gaussian noise"),
    ],
)
def test_notions_without_a_guarantee_are_refused(rng, noise, budget, advice):
    for height, root, records in ((3, "sum", None), (0, "public", 9)):
        tree = CountTree(2, height, noise=noise, root=root, neighbours=REPLACE, records=records)
        with pytest.raises(UnsupportedBudget, match=advice):
            tree.check(budget)
        with pytest.raises(UnsupportedBudget, match=advice):
            tree.release(column("one"), budget, rng)


def test_budgets_beyond_the_arithmetic_are_refused():
    with pytest.raises(InvalidBudget, match="2\\^40"):
        CountTree(noise="discrete-laplace").check(PureDP(1e-13))
    CountTree(noise="laplace").check(PureDP(1e-13))
    for noise, budget in ((None, PureDP(1e-13)), (None, ZCDP(1e-25))):
        with pytest.raises(InvalidBudget, match="continuous noise"):
            CountTree(noise=noise).check(budget)


@pytest.mark.parametrize(
    ("budget", "law"),
    [
        (PureDP(1), Noise.DISCRETE_LAPLACE),
        (ZCDP(1), Noise.DISCRETE_GAUSSIAN),
        (ApproxDP(1, 1e-6), Noise.DISCRETE_GAUSSIAN),
    ],
)
def test_without_a_noise_the_budget_says_which(rng, budget, law):
    """The noise is on whole numbers, the same with secure bits, and the release names it."""
    for given in (rng, SecureBits.fresh()):
        release = CountTree(2, 3).release(column("spread"), budget, given)
        assert release.noise is law
        assert release.parameters["noise"] == law.value
        assert release.randomness == ("seeded" if given is rng else "secure")
        assert all((level == np.round(level)).all() for level in release.counts)
        assert TreeRelease.from_json(release.to_json()) == release


@pytest.mark.parametrize("noise", [Noise.LAPLACE, Noise.GAUSSIAN])
def test_continuous_noise_refuses_secure_bits(noise):
    with pytest.raises(DpvizError, match="noise"):
        CountTree(2, 3, noise=noise).release(column("spread"), ZCDP(1), SecureBits.fresh())


def test_a_public_total_is_declared_and_never_the_number_of_values_present(rng):
    """Under replace-one a value that goes missing would move it."""
    full, missing = ([1.0, 2.0, 3.0], [1.0, 2.0, math.nan])
    bare = CountTree(2, 2, root="public", neighbours=REPLACE)
    for values in (full, missing):
        data = Column.from_values(values, BOUNDS)
        tree = CountTree(2, 2, root="public", neighbours=REPLACE, records=3)
        release = tree.release(data, PureDP(1), rng)
        assert release.total == 3
        assert release.parameters["records"] == 3
        assert efficient(release).counts[0].tolist() == [3]
        with pytest.raises(InvalidParameter, match="has to be declared"):
            bare.release(data, PureDP(1), rng)
    with pytest.raises(InvalidParameter, match="has to be declared"):
        bare.check(PureDP(1))
    assert bare.level_scales(PureDP(1))[0] == math.inf  # planning needs no N


@pytest.mark.parametrize("records", [-1, 2.5, True, "9", 2**60])
def test_a_declared_total_is_a_number_of_records(records):
    with pytest.raises(InvalidParameter, match="records"):
        CountTree(2, 2, root="public", neighbours=REPLACE, records=records)


def test_a_total_is_declared_only_where_it_is_public():
    with pytest.raises(InvalidParameter, match="declares a public N"):
        CountTree(2, 2, records=9)
