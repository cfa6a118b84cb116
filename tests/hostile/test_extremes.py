"""Budgets and bounds at the ends of floating point, for every mechanism of the catalogue.

Each call is refused in words, or its result is finite, inside the bounds and reads back as JSON.
"""

import dataclasses
import itertools
import math
import time
from typing import Any

import numpy as np
import pytest

import dpviz as dp
from dpviz import catalogue
from dpviz.mechanisms.spatial.method import SpatialChoice
from tests.hostile.outcomes import outcome

SIZES = (5e-324, 1e-310, 1e-160, 1e-140, 1e-15, 1e-6, 1.0, 700.0, 1e15, 1e140, 1e155, 1.7e308)
DELTAS = (5e-324, 1e-300, 1e-6, 0.5, 1 - 2**-53)
ENDS = [
    *((0, 1), (1, 1 + 2**-52), (0, 5e-324), (-5e-324, 5e-324), (0, 1e-310), (0, 1e-140)),
    *((-8e307, 8e307), (0, 1.7e308), (-1e149, 1e149), (-1e-300, 1e300), (1e16, 1e16 + 2)),
    *((1e300, np.nextafter(1e300, np.inf)), (-1.7e308, np.nextafter(-1.7e308, 0))),
]
BUDGETS = [
    *(dp.PureDP(size) for size in SIZES),
    *(dp.ZCDP(size) for size in SIZES),
    *(dp.ApproxDP(size, delta) for size in SIZES for delta in DELTAS),
]
ASKED = [0.5, 0.1, 1 - 1e-12, 1e-300]
SHARE = 11  # of the pairs of a budget and bounds, one in so many is tried


def tried(*lists: list[Any]) -> list[tuple[Any, ...]]:
    return list(itertools.product(*lists))[::SHARE]


def values(ends: tuple[float, float], rng: np.random.Generator) -> list[float]:
    low, high = ends
    return [low, high, low / 2 + high / 2, *(low + (high - low) * rng.random(30))]


def inside(drawn: np.ndarray, bounds: dp.Bounds) -> bool:
    return bool(((drawn >= bounds.low) & (drawn <= bounds.high)).all())


def reads_back(release: Any) -> bool:
    return bool(type(release).from_json(release.to_json()) == release)


def accepted(mechanism: Any, budget: dp.PureDP) -> bool:
    mechanism.check(budget, ASKED)
    return True


def monotone_curve(release: dp.releases.TreeRelease) -> Any:
    return dp.monotone(dp.cdf(release))


def box_of(x: tuple[float, float], y: tuple[float, float]) -> dp.Box:
    return dp.Box(dp.Bounds(*x), dp.Bounds(*y))


def drawn_by(row: Any, choice: SpatialChoice, *given: Any) -> Any:
    return row.build(choice).release(*given)


def pruned(release: dp.releases.SpatialRelease) -> Any:
    return dp.prune(dp.estimate(release), 1.0)


def variants() -> list[Any]:
    made = []
    for kind in catalogue.QUANTILES:
        fields = {one.name for one in dataclasses.fields(kind)}
        made += [kind(), kind(neighbours="replace-one")]
        made += [kind(rho_rule="paper")] if "rho_rule" in fields else []
        made += [kind(noise=noise) for noise in list(dp.Noise)[1:]] if "noise" in fields else []
    return made


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize("mechanism", variants(), ids=repr)
def test_quantiles(mechanism, rng):
    served = 0
    for budget, ends in tried(BUDGETS, ENDS):
        bounds = dp.Bounds(*ends)
        column = dp.Column.from_values(values(ends, rng), bounds)
        one = outcome(mechanism.release, column, ASKED, budget, rng)
        many = outcome(mechanism.release_many, column, ASKED, budget, rng, 2)
        told = outcome(accepted, mechanism, budget)
        assert (one is None) == (many is None) == (told is None), (budget, ends)
        seconds = mechanism.seconds(1000, 3, budget, 2)
        assert 0 <= seconds < math.inf
        if one is not None:
            served += 1
            assert inside(one.values, bounds), (budget, ends)
            assert inside(many, bounds), (budget, ends)
            assert reads_back(one)
    assert served > 10


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("noise", dp.Noise)
def test_trees_and_sanitised_columns(noise, rng):
    levels = dp.LevelBudget.geometric(1e6)
    trees = (
        dp.CountTree(2, 4, noise=noise),
        dp.CountTree(3, 2, levels, noise=noise, root="sum", neighbours="replace-one"),
    )
    for budget, ends, tree in tried(BUDGETS, ENDS, list(trees)):
        column = dp.Column.from_values(values(ends, rng), dp.Bounds(*ends))
        release = outcome(tree.release, column, budget, rng)
        many = outcome(tree.release_many, column, budget, rng, 2)
        assert (release is None) == (many is None)
        if release is not None:
            released = zip(release.tree.counts, release.tree.scales, strict=True)
            assert all(np.isfinite(level).all() for level, scale in released if scale < math.inf)
            assert reads_back(release)
            outcome(monotone_curve, release)
            outcome(dp.efficient, release)
        drawn = outcome(dp.SanitizedColumn(5).release, column, budget, rng)
        assert drawn is None or inside(drawn.values, column.bounds)


@pytest.mark.few(9)
@pytest.mark.law
@pytest.mark.parametrize("row", catalogue.SPATIAL, ids=lambda row: row.name)
def test_maps(row, rng):
    medians = [one.median for one in catalogue.MEDIANS]
    asked = list(itertools.product(ENDS, ENDS, BUDGETS, dp.Neighbours))
    for number in range(0, len(asked), 101):
        x, y, budget, neighbours = asked[number]
        box = outcome(box_of, x, y)
        if box is None:
            continue
        points = dp.Points.from_xy(values(x, rng), values(y, rng), box)
        choice = SpatialChoice(
            box=box,
            height=3,
            noise=dp.Noise.for_budget(budget),
            neighbours=neighbours,
            median=medians[number % len(medians)],
            workload=dp.LevelBudget.uniform(),
        )
        release = outcome(drawn_by, row, choice, points, budget, rng)
        if release is not None:
            assert_finite(release, box)


def assert_finite(release: Any, box: dp.Box) -> None:
    if isinstance(release, dp.releases.SpatialRelease):
        released = zip(release.tree.counts, release.tree.scales, strict=True)
        assert all(np.isfinite(level).all() for level, scale in released if scale < math.inf)
        estimate = outcome(pruned, release)
        whole = [box.x.low, box.x.high, box.y.low, box.y.high]
        answer = outcome(dp.range_counts, release, whole)
        assert answer is None or np.isfinite(answer[0]).all()
        assert estimate is not None
    else:
        assert np.isfinite(release.counts).all()
        assert np.isfinite(release.boxes).all()


@pytest.mark.parametrize("ends", [((0, 5e-324), (-8e307, 8e307)), ((-8e307, 8e307), (0, 1e-310))])
def test_a_denormal_by_huge_box_is_refused_by_the_declaration(ends):
    with pytest.raises(dp.DpvizError, match="Change the units"):
        dp.Box(dp.Bounds(*ends[0]), dp.Bounds(*ends[1]))


def test_a_cell_no_wider_than_a_rounding_takes_points(rng):
    box = dp.Box(dp.Bounds(0, 1), dp.Bounds(1e16, 1e16 + 2))
    points = dp.Points.from_xy([0.0, 0.5, 1.0], [1e16, 1e16 + 2, 1e16 + 2], box)
    for seed in range(20):
        release = dp.AdaptiveGrid().release(points, dp.PureDP(1e-6), np.random.default_rng(seed))
        assert np.isfinite(release.counts).all()


@pytest.mark.law
def test_a_large_tree_of_exact_noise_is_drawn_while_someone_waits(rng):
    column = dp.Column.from_values(rng.normal(size=1000), dp.Bounds(-3, 3))
    start = time.process_time()
    dp.CountTree(2, 22, noise="discrete-laplace").release(column, dp.PureDP(1), rng)
    assert time.process_time() - start < 6  # eight million exact draws
