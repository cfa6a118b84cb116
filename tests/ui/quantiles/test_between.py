"""Draws and widths that are read between two stops, against draws that were made."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.core.point_grid import PointGrid
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles
from dpviz.ui.bench.budget import STEPS
from dpviz.ui.quantiles import shown
from dpviz.ui.quantiles.shown import Between, around, mixed, share_of

DECILES = QuantileSet.of(np.arange(1, 10) / 10)
RUNS = 900
ENDS = (0.025, 0.5, 0.975)


def column(kind: str) -> Column:
    rng = np.random.default_rng(4)
    if kind == "marks":
        values = np.clip(rng.normal(58, 15, 6_000), 0, 100).round()
        return Column.from_values(values, Bounds(0, 100), 1)
    values = np.clip(rng.lognormal(10.4, 0.5, 6_000), 0, 200_000)
    return Column.from_values(values, Bounds(0, 200_000))


def ends(draws: np.ndarray) -> np.ndarray:
    return np.quantile(draws, ENDS, axis=0)


def off(mechanism: QuantileMechanism, data: Column, budget: Budget, share: float | None) -> float:
    """How far ends of bands are off, in half widths and beyond a step; share None: as the page."""
    stops = around(budget.size)
    assert stops is not None
    if share is None:
        share = share_of(budget, stops)
    made = [
        mechanism.release_many(data, DECILES, at, np.random.default_rng(seed), RUNS)
        for seed, at in enumerate([*map(budget.resized, stops), budget])
    ]
    grid = PointGrid.of(data.bounds, data.resolution)
    found, fresh = ends(mixed(made[0], made[1], share, grid)), ends(made[2])
    beyond = np.maximum(np.abs(found - fresh) - data.resolution, 0.0)
    return float((beyond / np.maximum(fresh[2] - fresh[0], data.resolution)).mean())


CASES = [
    (ApproximateQuantiles(), PureDP(0.14)),
    (ApproximateQuantiles(), PureDP(1.4)),
    (ApproximateQuantiles(), ZCDP(0.03)),
    (AggTree(), PureDP(0.3)),
    (AggTree(), PureDP(3.0)),
    (AggTree(), ZCDP(0.3)),
    (IndependentExp(), PureDP(0.7)),
    (IndependentExp(), ApproxDP(0.3, 1e-6)),
    (JointExp(), PureDP(1.4)),
    (PrefixQuantiles(), ZCDP(0.3)),
    (SliceQuantiles(), ApproxDP(0.3, 1e-6)),
]


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("kind", ["marks", "pay"])
@pytest.mark.parametrize(("mechanism", "budget"), CASES, ids=str)
def test_ends_of_bands_are_those_of_fresh_draws(
    mechanism: QuantileMechanism, budget: Budget, kind: str
):
    assert off(mechanism, column(kind), budget, None) < 0.06


@pytest.mark.law
def test_where_noise_is_most_of_it_they_are_nearly():
    """Errors grow no further at the bounds: at 0.014 a tenth of a band is missed."""
    assert off(ApproximateQuantiles(), column("pay"), PureDP(0.014), None) < 0.13


@pytest.mark.law
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_nearer_stop_alone_is_another_band(share: float):
    assert off(ApproximateQuantiles(), column("pay"), PureDP(1.4), share) > 0.08


def test_shares_follow_one_over_epsilon_and_over_the_root_of_rho():
    assert share_of(PureDP(1.4), (1.0, 2.0)) == pytest.approx((1 - 1 / 1.4) / (1 - 1 / 2))
    assert share_of(ApproxDP(1.4, 1e-6), (1.0, 2.0)) == pytest.approx(4 / 7)
    root = (1 - 1.4**-0.5) / (1 - 2**-0.5)
    assert share_of(ZCDP(1.4), (1.0, 2.0)) == pytest.approx(root)


@pytest.mark.parametrize(("step", "expected"), [(0.0, [3.4, 1.6]), (1.0, [4.0, 2.0])])
def test_widths_lie_between_those_of_the_stops(
    monkeypatch: pytest.MonkeyPatch, step: float, expected: list[float]
):
    data = Column.from_values([1.0, 2.0], Bounds(0, 10), step)
    known = {"low": np.array([4.0, 2.0]), "high": np.array([1.0, 0.0])}
    monkeypatch.setattr(shown, "kept_widths", lambda name, _, size: known[name])
    ends = [(name, SimpleNamespace(column=data)) for name in known]
    found = Between(ends[0], ends[1], 0.2).widths(100.0)
    assert found is not None
    assert found.tolist() == pytest.approx(expected)


def test_stops_have_none_beside_them():
    assert all(around(one) is None for one in STEPS)
    assert around(0.3) == (0.2, 0.5)
    assert around(9.99) == (5.0, 10.0)
    assert around(0.0099) is around(10.1) is None


def test_mixed_draws_lie_between_quantile_by_quantile():
    rng = np.random.default_rng(2)
    below, above = rng.normal(0, 2, (400, 3)), rng.normal(1, 1, (400, 3))
    grid = PointGrid.of(Bounds(-20, 20))
    found = mixed(below, above, 0.25, grid)
    for row in range(3):
        pairs = zip(sorted(below[:, row]), sorted(above[:, row]), strict=True)
        assert sorted(found[:, row]) == pytest.approx([0.75 * a + 0.25 * b for a, b in pairs])
        assert (found[:, row].argsort() == below[:, row].argsort()).all()


def test_mixed_draws_lie_on_the_grid():
    below, above = np.array([[1.0], [5.0]]), np.array([[2.0], [9.0]])
    assert mixed(below, above, 0.4, PointGrid.of(Bounds(0, 10), 1)).tolist() == [[1.0], [7.0]]
    assert mixed(above, below, 0.4, PointGrid.of(Bounds(0, 10), 0.5)).tolist() == [[1.5], [7.5]]
