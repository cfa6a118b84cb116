from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import QUESTIONS, error_curve
from dpviz.experiments.planning.beforehand import SIZES, key_of, planned
from dpviz.experiments.planning.stand_ins import SHAPES, stand_in
from tests.rows import by_rows


@by_rows("shape", [one.key for one in SHAPES])
@by_rows("n", SIZES)
def test_at_a_stored_size_the_curves_are_those_that_are_stored(shape, n):
    between, exact = (
        stored.curves_between(shape, n, "deciles"),
        stored.curves(key_of(shape, n), "deciles"),
    )
    assert set(between) == set(exact)
    for name, curve in exact.items():
        np.testing.assert_allclose(between[name].budgets, curve.budgets)
        for line in ("low", "middle", "high"):
            floor = np.maximum(getattr(curve, line), 1e-5)
            np.testing.assert_allclose(getattr(between[name], line), floor)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("n", [400, 4_000, 40_000])
@pytest.mark.parametrize("method", ["ApproximateQuantiles", "AggTree"])
def test_any_number_of_people_is_reckoned_to_within_a_fifth_of_a_run_of_its_own(n, method):
    """The wrong twin takes the curve of 15,000 people as it is, as the page did."""
    curve = stored.curves_between("normal", n, "deciles")[method]
    column = stand_in("normal", n, np.random.default_rng(8))
    asked = QuantileSet.of(QUESTIONS["deciles"])
    fresh = error_curve(
        column, planned()[method], asked, curve.budgets[::5], 300, np.random.default_rng(1)
    )
    told = [size for size, high in zip(fresh.budgets, fresh.high, strict=True) if 0.01 < high < 0.1]
    assert told
    other = stored.curves(key_of("normal", 15_000), "deciles")[method]
    for size in told:
        own = fresh.error_at(size)
        assert curve.error_at(size) == pytest.approx(own, rel=0.2)
        assert other.error_at(size) != pytest.approx(own, rel=0.2)


def test_a_method_that_is_stored_for_one_size_alone_is_reckoned_from_it():
    low, n = stored.curves(key_of("normal", 15_000), "deciles")["JointExp"], 60_000
    curve = stored.curves_between("normal", n, "deciles")["JointExp"]
    assert "JointExp" not in stored.curves(key_of("normal", 150_000), "deciles")
    np.testing.assert_allclose(curve.high, np.maximum(low.high, 1e-5))
    np.testing.assert_allclose(curve.budgets * n, low.budgets * 15_000)


@pytest.mark.parametrize(("n", "size"), [(1_501, 1_500), (14_990, 15_000), (15_010, 15_000)])
def test_beside_a_stored_size_the_curves_are_nearly_its_own(n, size):
    for name, own in stored.curves(key_of("normal", size), "deciles").items():
        found = stored.curves_between("normal", n, "deciles")[name]
        np.testing.assert_allclose(found.middle, own.middle, rtol=0.01)
