"""Many quantiles or one curve: crossings by hand, errors by plain counting, stored ones anew."""

import json
import math
from importlib.resources import files

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning.stand_ins import stand_in
from dpviz.experiments.statements import many
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.version import __version__

STORED = json.loads(files("dpviz.experiments.statements").joinpath(many.FILE).read_text("utf-8"))


def test_a_crossing_by_hand():
    counts = np.array(many.COUNTS, dtype=float)
    asking = counts / 100  # on a line in logarithms, that meets a level at its own m
    for level in (1.5, 3.0, 30.0, 100.0, 500.0):
        found = many.crossing(asking, np.full(counts.size, level / 100))
        assert found == pytest.approx(level)
    assert many.crossing(asking, np.full(counts.size, 10.0)) == math.inf
    assert many.crossing(asking, np.full(counts.size, 0.001)) == 1.0
    bumpy = np.full(counts.size, 0.3)
    bumpy[-2] = 9.0  # behind again: the last crossing counts
    assert 319 < many.crossing(asking, bumpy) < 639


def test_the_better_of_each_kind():
    nan = float("nan")
    errors = {"a": np.array([1.0, 5.0]), "b": np.array([2.0, nan])}
    assert many.best(errors, ("a", "b")).tolist() == [1.0, 5.0]
    assert many.best(errors, ("b",)).tolist() == [2.0, math.inf]


def test_what_is_stored_is_of_this_version_and_complete():
    assert STORED["version"] == __version__
    places = many.places()
    assert len(places) == len(many.SHAPES) * len(many.PEOPLE) * len(many.EPSILONS)
    for one in places:
        for name, errors in one.errors.items():
            known = np.isfinite(errors)
            assert known.all() or (name == many.TOGETHER and known.sum() == 7)
    assert sum(math.isfinite(one.crosses) for one in places) == 23


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shape", "people", "epsilon"), [("uniform", 1_000, 1.0), ("normal", 10_000, 0.1)]
)
def test_stored_errors_come_out_anew(shape, people, epsilon):
    (place,) = [
        one
        for one in many.places()
        if (one.shape, one.people, one.epsilon) == (shape, people, epsilon)
    ]
    anew = many.measured(shape, people, epsilon, np.random.default_rng(5))
    for name, errors in place.errors.items():
        again = np.array(anew[name], dtype=float)
        known = np.isfinite(errors)
        np.testing.assert_allclose(again[known], errors[known], rtol=0.35, atol=2 / people)


def test_a_density_reads_quantiles_off_straight_lines():
    rng = np.random.default_rng(2)
    column, asked = stand_in("normal", 3_000, rng), QuantileSet.of([0.1, 0.5, 0.9])
    found = many.density(column, asked, PureDP(1), 2, np.random.default_rng(3))
    again = np.random.default_rng(3)
    for row in found:
        counts = np.maximum(Histogram(bins=many.BINS).release(column, PureDP(1), again).counts, 0)
        for value, quantile in zip(row, asked.asked, strict=True):
            at, width = value - 0.0, 100 / many.BINS
            whole = int(at // width)
            below = counts[:whole].sum() + counts[whole] * (at / width - whole)
            assert below / counts.sum() == pytest.approx(quantile)
    exact = many.density(column, asked, PureDP(1e6), 1, rng)[0]
    np.testing.assert_allclose(exact, np.quantile(column.values, asked.asked), atol=0.8)


@pytest.mark.law
def test_a_tied_column_is_kept_by_a_resolution_and_left_by_smoothing():
    rng = np.random.default_rng(0)
    column, asked = many.tied_column(rng), QuantileSet.of([0.25, 0.5, 0.75])
    assert np.quantile(column.values, asked.asked).tolist() == [65_000] * 3
    ours = JointExp().release(column, asked, PureDP(0.5), rng).values
    assert ours.tolist() == [65_000] * 3
    smooth = many.smoothed_joint(column, asked, PureDP(0.5), 1.0, rng)
    np.testing.assert_allclose(smooth, [64_999.6, 65_000.2, 65_000.8], atol=0.06)
