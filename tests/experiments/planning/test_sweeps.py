from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork, UnsupportedBudget
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.engine.measure import Measure, affordable, slow_last, subsample
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning.sweeps import DEFAULTS, MOST_LEAVES, Axis, axis_values, sweep
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.metrics.quantiles import gaps

WIDE = Bounds(-100, 100)
QUARTILES = QuantileSet.of(uniform_quantiles(3))
AQ = {"ApproximateQuantiles": ApproximateQuantiles()}


@pytest.fixture
def column(rng):
    return Column.from_values(rng.normal(0, 5, 600), WIDE)


def means(experiment, metric=MEAN_GAP):
    summed = summary(run_all(experiment))
    return summed[summed["metric"] == metric].set_index(["mechanism", "x"])


@pytest.mark.law
def test_a_sweep_equals_a_plain_loop_in_distribution(column, rng):
    both = {**AQ, "IndependentExp": IndependentExp()}
    values = (0.05, 1.0)
    experiment = sweep(column, both, QUARTILES, PureDP(9), Axis.BUDGET, values, 180, rng)
    found = means(experiment)
    assert (found["runs"] == 180).all()
    for name, mechanism in both.items():
        for epsilon in values:
            drawn = np.stack(
                [
                    mechanism.release(column, QUARTILES, PureDP(epsilon), rng).values
                    for _ in range(180)
                ]
            )
            slow = gaps(column, QUARTILES, drawn).mean(axis=1)
            row = found.loc[(name, epsilon)]
            spread = np.hypot(slow.std() / np.sqrt(180), row["standard_error"])
            assert abs(row["mean"] - slow.mean()) < 5.5 * spread  # false alarm below 1e-7
            assert abs(row["mean"] - 2 * slow.mean()) > 5.5 * spread  # the wrong twin is far


def test_the_axis_of_records_draws_that_many(column, rng):
    experiment = sweep(column, AQ, QUARTILES, PureDP(1), Axis.RECORDS, (1, 50, 600), 8, rng)
    rows = run_all(experiment)
    assert set(rows["n"]) == {1.0, 50.0, 600.0}
    assert (rows.groupby(["x", "metric"])["runs"].sum() == 8).all()
    drawn = subsample(column, 50, rng)
    assert drawn.n == 50
    assert np.isin(drawn.values, column.values).all()
    assert subsample(column, None, rng) is column
    assert subsample(column, 10**9, rng) is column


def test_axes_move_what_they_say(column, rng):
    tree = {"AggTree": AggTree(2, 3), **AQ}
    by_height = sweep(column, tree, QUARTILES, PureDP(1), Axis.HEIGHT, (1, 5), 2, rng)
    heights = {dict(cell.mechanisms)["AggTree"].height for cell in by_height.cells}
    assert heights == {1, 5}
    by_fanout = sweep(column, tree, QUARTILES, PureDP(1), Axis.FANOUT, (4,), 2, rng)
    assert {dict(cell.mechanisms)["AggTree"].fanout for cell in by_fanout.cells} == {4}
    by_m = sweep(column, AQ, QUARTILES, PureDP(1), Axis.QUANTILES, (1, 120), 2, rng)
    assert {cell.quantiles.count for cell in by_m.cells} == {1, 120}
    by_size = sweep(column, AQ, QUARTILES, ZCDP(9), Axis.BUDGET, (1e-6, 1e4), 2, rng)
    assert {cell.budget for cell in by_size.cells} == {ZCDP(1e-6), ZCDP(1e4)}
    assert run_all(by_size)["total"].notna().all()


@pytest.mark.parametrize("n", [0, 1])
def test_tiny_columns_and_equal_values(n, rng):
    for values in (np.full(n, 3.0), np.full(50, 3.0)):
        column = Column.from_values(values, WIDE)
        experiment = sweep(column, AQ, QUARTILES, PureDP(1), Axis.BUDGET, (1.0,), 3, rng)
        assert np.isfinite(run_all(experiment)["total"]).all()
        assert axis_values(Axis.RECORDS, column, AggTree(), PureDP(1))[-1] == column.n


def test_default_values_fit_column_and_tree(column):
    assert axis_values(Axis.RECORDS, column, AggTree(), PureDP(1)) == (100, 200, 500, 600)
    wide = AggTree(fanout=32, height=2)
    assert all(
        32 ** int(h) <= MOST_LEAVES for h in axis_values(Axis.HEIGHT, column, wide, PureDP(1))
    )
    deep = AggTree(fanout=2, height=14)
    assert axis_values(Axis.FANOUT, column, deep, PureDP(1)) == (2,)
    open_ = AggTree()
    assert axis_values(Axis.FANOUT, column, open_, PureDP(1)) == DEFAULTS[Axis.FANOUT]
    assert axis_values(Axis.HEIGHT, column, open_, PureDP(1)) == (1, 2, 3, 4, 5)
    assert max(axis_values(Axis.HEIGHT, column, open_, ZCDP(1))) == 14


def test_refusals_come_before_the_work(column, rng):
    with pytest.raises(InvalidParameter, match="at least one"):
        sweep(column, {}, QUARTILES, PureDP(1), Axis.BUDGET, (1.0,), 2, rng)
    gaussian = {"AggTree": AggTree(noise=Noise.GAUSSIAN)}
    with pytest.raises(UnsupportedBudget, match="AggTree"):
        sweep(column, gaussian, QUARTILES, PureDP(1), Axis.BUDGET, (1.0,), 2, rng)


def test_too_much_work_leaves_a_row_without_runs(column, rng):
    class Refuses(ApproximateQuantiles):
        def release_many(self, *_):
            raise TooMuchWork("too large")

    cell = Measure(
        {"x": 1.0}, (("A", Refuses()), ("B", AQ["ApproximateQuantiles"])), (4, 4),
        PureDP(1), QUARTILES, None, 1.0,
    )  # fmt: skip
    found = summary(cell.run(column, rng)).set_index(["mechanism", "metric"])
    assert found.loc[("A", MEAN_GAP), "runs"] == 0
    assert found.loc[("B", MEAN_GAP), "runs"] == 4


def test_slow_mechanisms_get_fewer_runs(rng):
    ages = Column.from_values(rng.integers(0, 90, 20_000), Bounds(0, 120), 1.0)
    many = QuantileSet.of(uniform_quantiles(120))
    assert affordable(ApproximateQuantiles(), ages, ages.n, many, PureDP(0.1), 500) == 500
    assert 8 <= affordable(JointExp(), ages, ages.n, many, PureDP(0.1), 500) < 50
    few = JointExp().seconds(1000, 3, PureDP(1), 10, ages.resolution)
    assert few < JointExp().seconds(ages.n, 120, PureDP(0.1), 10, ages.resolution)


def test_the_slowest_mechanism_comes_last_and_its_quickest_part_first(rng):
    ages = Column.from_values(rng.integers(0, 90, 3_000), Bounds(0, 120), 1.0)
    both = {**AQ, "JointExp": JointExp()}
    values = (0.05, 5.0, 1.0)
    cells = sweep(ages, both, QUARTILES, PureDP(1), Axis.BUDGET, values, 600, rng).cells
    kinds = [cell.kind for cell in cells]
    assert kinds[0] == "JointExp"
    assert cells[0].budget == PureDP(5.0)
    assert kinds[1:] == sorted(kinds[1:])  # all parts of AQ, then the rest of JointExp
    runs = {name: sum(sum(c.runs) for c in cells if c.kind == name) for name in both}
    assert runs == dict.fromkeys(both, 1800)
    alone = sweep(ages, AQ, QUARTILES, PureDP(1), Axis.BUDGET, values, 20, rng).cells
    assert slow_last(alone, ages) == list(alone)
    assert {cell.kind for cell in alone} == {"ApproximateQuantiles"}
