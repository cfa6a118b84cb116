from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.engine.plan import collected, run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.planning.own_curves import curves_of, own_curves, sizes_for
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from tests.experiments.planning.dither import Dither

MEDIAN = QuantileSet.of(0.5)


@pytest.fixture
def flat():
    return Column.from_values((np.arange(Dither.n) + 0.5) / Dither.n, Bounds(0, 1))


def test_a_curve_holds_the_known_errors_and_the_known_answer(flat, rng):
    experiment = own_curves(flat, {"D": Dither()}, MEDIAN, PureDP(1), LARGEST_GAP, 0.9, 20_000, rng)
    assert len(experiment.cells) == 31
    curve = curves_of(run_all(experiment))["D"]
    np.testing.assert_array_equal(curve.budgets, sizes_for(PureDP(1), flat.n))
    small = curve.budgets < 0.1  # where the error is many people, and not all of them
    wide = curve.budgets > 0.02
    for line, share in ((curve.low, 0.05), (curve.middle, 0.5), (curve.high, 0.9)):
        expected = -np.log(1 - share) / curve.budgets / flat.n
        np.testing.assert_allclose(line[small & wide], expected[small & wide], rtol=0.08, atol=2e-4)
    target = 0.01
    assert curve.needed(target) == pytest.approx(-np.log(0.1) / (target * flat.n), rel=0.05)
    wrong = curves_of(
        run_all(own_curves(flat, {"D": Dither()}, MEDIAN, PureDP(1), LARGEST_GAP, 0.5, 20_000, rng))
    )["D"]
    assert wrong.needed(target) < 0.5 * curve.needed(target)


def test_the_first_part_of_each_then_the_slow_one_last(rng):
    ages = Column.from_values(rng.integers(0, 90, 5_000), Bounds(0, 120), 1.0)
    both = {"Joint": JointExp(), "AQ": ApproximateQuantiles()}
    asked = QuantileSet.of(DECILES)
    cells = own_curves(ages, both, asked, PureDP(1), MEAN_GAP, 0.95, 20, rng).cells
    kinds = [cell.kind for cell in cells]
    assert kinds == ["AQ", "Joint"] + ["AQ"] * 30 + ["Joint"] * 30
    sizes = [cell.budget.epsilon for cell in cells if cell.kind == "AQ"]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 10


def test_a_run_in_the_making_is_a_shorter_curve(flat, rng):
    experiment = own_curves(flat, {"D": Dither()}, MEDIAN, ZCDP(1), LARGEST_GAP, 0.9, 50, rng)
    done = {at: experiment.run_cell(at) for at in (0, 2, 1)}
    assert curves_of(collected({})) == {}
    part = curves_of(collected(done))["D"]
    np.testing.assert_array_equal(part.budgets, sizes_for(ZCDP(1), flat.n)[-3:])
    assert part.budgets[-1] == 50  # ε = 10 as ρ


def test_refused_work_counts_as_everybody(flat, rng):
    class Refuses(Dither):
        def release_many(self, *_):
            raise TooMuchWork("too large")

    parts = own_curves(flat, {"D": Refuses()}, MEDIAN, PureDP(1), LARGEST_GAP, 0.9, 50, rng)
    curve = curves_of(run_all(parts))["D"]
    assert (curve.high == 1).all()
    assert curve.needed(0.5) is None


@pytest.mark.parametrize(
    ("mechanisms", "metric", "probability"),
    [({}, LARGEST_GAP, 0.9), ({"D": Dither()}, "sum", 0.9), ({"D": Dither()}, MEAN_GAP, 1.0)],
)
def test_nonsense_is_refused(flat, rng, mechanisms, metric, probability):
    with pytest.raises(InvalidParameter, match="A curve needs"):
        own_curves(flat, mechanisms, MEDIAN, PureDP(1), metric, probability, 50, rng)
    empty = Column.from_values([], Bounds(0, 1))
    with pytest.raises(InvalidParameter, match="not empty"):
        own_curves(empty, {"D": Dither()}, MEDIAN, PureDP(1), MEAN_GAP, 0.9, 50, rng)
