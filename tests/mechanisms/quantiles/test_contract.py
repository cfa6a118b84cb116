"""The one contract of all quantile mechanisms, on the inputs where it is hardest to keep."""

import dataclasses
import json
import math

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidBudget, InvalidQuantiles, UnsupportedBudget
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.exponential.ties import Ties
from tests.rows import by_rows, grid

BUDGETS = [PureDP(1.0), ZCDP(0.5), ApproxDP(1.0, 1e-6)]
EXTREME = [PureDP(1e-6), PureDP(1e4), ZCDP(1e-12), ZCDP(1e4)]
EXTREME += [ApproxDP(1e-6, 1e-6), ApproxDP(1e4, 1e-6), ApproxDP(1.0, 1e-12)]


def columns():
    rng = np.random.default_rng(0)
    wide, unit = Bounds(-1e6, 1e6), Bounds(0, 1)
    return {
        "empty": Column.from_values([], unit),
        "one record": Column.from_values([0.3], unit),
        "one record on a bound": Column.from_values([1.0], unit),
        "all equal": Column.from_values(np.full(60, 0.25), unit),
        "all on the lower bound": Column.from_values(np.zeros(60), unit),
        "both bounds": Column.from_values([0, 0, 0, 1, 1], unit),
        "clipped": Column.from_values([-math.inf, -5, 0.5, 7, math.inf, math.nan], unit),
        "ties everywhere": Column.from_values(rng.integers(0, 4, 150), Bounds(0, 3), resolution=1),
        "ties, no resolution": Column.from_values(rng.integers(0, 4, 150), Bounds(0, 3)),
        "cents": Column.from_values(rng.integers(0, 500, 150) / 100, Bounds(0, 5), resolution=0.01),
        "continuous": Column.from_values(rng.normal(size=150), Bounds(-3, 3)),
        "far outlier bounds": Column.from_values(rng.normal(size=150), wide),
        "one resolution wide": Column.from_values([0, 1, 1], unit, resolution=1),
        "neighbouring doubles": Column.from_values([1.0, np.nextafter(1, 2)], Bounds(0, 2)),
    }


COLUMNS = columns()
QUANTILES = {
    "one": [0.5],
    "any order, repeated": [0.9, 0.1, 0.5, 0.1, 0.9, 0.25],
    "extreme": [1e-9, 1 - 1e-9],
    "five hundred": uniform_quantiles(500)[::-1].copy(),
}


def pytest_generate_tests(metafunc):
    """Every test of the contract runs for every quantile mechanism of the catalogue."""
    if "mechanism" in metafunc.fixturenames:
        kinds = [pytest.param(kind(), id=kind.name) for kind in catalogue.QUANTILES]
        metafunc.parametrize("mechanism", kinds)


def accepts(mechanism, budget, quantiles=(0.5,)):
    try:
        mechanism.check(budget, quantiles)
    except UnsupportedBudget:
        return False
    return True


def taken(mechanism):
    """A budget that the mechanism takes: ε = 1, or else ρ = 1/2."""
    return next(budget for budget in BUDGETS if accepts(mechanism, budget))


def assert_kept(values, quantiles, column):
    """Finite, inside the declared bounds, monotone in q, in the order asked."""
    assert np.isfinite(values).all()
    assert (values >= column.bounds.low).all()
    assert (values <= column.bounds.high).all()
    wanted = QuantileSet.of(quantiles)
    order = np.argsort(wanted.asked, kind="stable")
    steps = np.diff(values[..., order], axis=-1)
    assert (steps >= 0).all()
    assert (steps[..., np.diff(np.asarray(wanted.asked)[order]) == 0] == 0).all()


@pytest.mark.law
@by_rows("asked", QUANTILES)
@by_rows("named", COLUMNS)
def test_any_column_and_any_quantiles(mechanism, named, asked, rng):
    column, quantiles = COLUMNS[named], QUANTILES[asked]
    release = mechanism.release(column, quantiles, taken(mechanism), rng)
    assert release.values.shape == (len(quantiles),)
    np.testing.assert_array_equal(release.quantiles, quantiles)
    assert_kept(release.values, quantiles, column)


@pytest.mark.law
@grid(named=COLUMNS, relation=Neighbours, budget=BUDGETS + EXTREME)
def test_any_budget_under_both_relations(mechanism, named, relation, budget, rng):
    column, quantiles = COLUMNS[named], QUANTILES["any order, repeated"]
    mechanism = dataclasses.replace(mechanism, neighbours=relation)
    if accepts(mechanism, budget, quantiles):
        release = mechanism.release(column, quantiles, budget, rng)
        assert release.neighbours is relation
        assert release.spent == budget
        assert_kept(release.values, quantiles, column)
    else:
        with pytest.raises(UnsupportedBudget):
            mechanism.release(column, quantiles, budget, rng)


def test_four_budgets_or_more_are_taken(mechanism):
    assert sum(accepts(mechanism, budget) for budget in BUDGETS + EXTREME) >= 4


def treatments(mechanism):
    """The mechanism under every choice for ties, if it needs one, rounded and not."""
    chosen = [mechanism]
    if hasattr(mechanism, "ties"):  # AggTree counts records, so ties do not matter to it
        chosen = [dataclasses.replace(mechanism, ties=ties) for ties in Ties]
    return [
        dataclasses.replace(one, round_to_grid=flag) for one in chosen for flag in (False, True)
    ]


@pytest.mark.law
@by_rows("named", COLUMNS)
def test_any_treatment_of_ties_and_rounding(mechanism, named, rng):
    column, quantiles = COLUMNS[named], QUANTILES["any order, repeated"]
    for one in treatments(mechanism):
        values = one.release_many(column, quantiles, taken(mechanism), rng, 7)
        assert_kept(values, quantiles, column)
        if one.round_to_grid and column.resolution > 0:
            steps = values / column.resolution
            np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)


@by_rows("bad", [[0.0], [1.0], [0.5, 1.0], [math.nan], [-0.1], [], ["a"], [1.5, 0.2]])
def test_quantiles_outside_are_refused_before_anything_is_drawn(mechanism, bad, rng):
    state = rng.bit_generator.state
    for attempt in (
        lambda: mechanism.check(taken(mechanism), bad),
        lambda: mechanism.release(COLUMNS["continuous"], bad, taken(mechanism), rng),
        lambda: mechanism.release_many(COLUMNS["continuous"], bad, taken(mechanism), rng, 2),
    ):
        with pytest.raises(InvalidQuantiles):
            attempt()
    assert rng.bit_generator.state == state


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, "x", None])
def test_budgets_are_validated_at_birth(bad):
    for budget in (PureDP, ZCDP, lambda value: ApproxDP(value, 1e-6), lambda v: ApproxDP(1.0, v)):
        with pytest.raises(InvalidBudget):
            budget(bad)
    with pytest.raises(InvalidBudget):
        ApproxDP(1.0, 1.0)


def test_check_draws_nothing_and_agrees_with_release(mechanism, rng):
    for budget in BUDGETS:
        state = rng.bit_generator.state
        fine = accepts(mechanism, budget)
        assert rng.bit_generator.state == state
        if fine:
            mechanism.release(COLUMNS["continuous"], [0.5], budget, rng)


PUBLIC_KEYS = {
    *("kind", "dpviz", "mechanism", "parameters", "neighbours", "spent", "bounds"),
    *("resolution", "quantiles", "values", "recursion", "randomness"),
}


def test_a_release_holds_nothing_else_of_the_data(mechanism):
    """The same seed on a full and on an empty column: only drawn values may differ."""
    bounds, quantiles = Bounds(0, 1000), [0.75, 0.25, 0.5]
    full = Column.from_values([*np.linspace(1, 900, 77), 5000.0, math.nan], bounds, resolution=1)
    bare = Column.from_values([], bounds, resolution=1)
    one, other = (
        mechanism.release(c, quantiles, taken(mechanism), np.random.default_rng(4)).to_dict()
        for c in (full, bare)
    )
    output = {"evenly"} if mechanism.name == "SliceQuantiles" else set()  # as values are
    assert set(one) - output == PUBLIC_KEYS
    for key in PUBLIC_KEYS - {"values", "recursion"}:
        assert one[key] == other[key], key
    if one["recursion"] is None:
        return
    assert one["recursion"]["level"] == other["recursion"]["level"]
    assert one["recursion"]["normalised"] == other["recursion"]["normalised"]
    public_ends = {-0.5, 1000.5}
    drawn = set(one["recursion"]["value"])
    assert {*one["recursion"]["low"], *one["recursion"]["high"]} <= drawn | public_ends
    # the values are the drawn ones, moved into the declared bounds
    assert set(one["values"]) == set(np.clip(one["recursion"]["value"], 0, 1000).tolist())


def test_a_release_survives_json_to_the_last_digit(mechanism, rng):
    for budget in filter(lambda budget: accepts(mechanism, budget), BUDGETS):
        release = mechanism.release(COLUMNS["cents"], [0.9, 0.1, 0.1], budget, rng)
        again = QuantileRelease.from_json(release.to_json())
        assert again == release
        assert json.loads(again.to_json()) == json.loads(release.to_json())
        assert again.values.tobytes() == release.values.tobytes()


def test_the_same_seed_gives_the_same_release_and_another_does_not(mechanism):
    column, quantiles = COLUMNS["continuous"], QUANTILES["any order, repeated"]

    def release(seed):
        return mechanism.release(column, quantiles, taken(mechanism), np.random.default_rng(seed))

    assert release(1) == release(1)
    assert release(1) != release(2)


@by_rows("runs", [1, 2, 50])
def test_release_many_has_a_row_a_run(mechanism, runs, rng):
    quantiles = QUANTILES["any order, repeated"]
    values = mechanism.release_many(COLUMNS["continuous"], quantiles, taken(mechanism), rng, runs)
    assert values.shape == (runs, 6)
    assert_kept(values, quantiles, COLUMNS["continuous"])
    if runs > 1:
        assert np.unique(values[:, 0]).size > 1


def test_the_column_is_left_as_it_was(mechanism, rng):
    for column in COLUMNS.values():
        before = column.values.copy()
        mechanism.release(column, [0.5], taken(mechanism), rng)
        np.testing.assert_array_equal(column.values, before)


def test_a_generous_budget_brings_every_mechanism_near_the_truth(mechanism, rng):
    values = rng.random(2000)
    column = Column.from_values(values, Bounds(0, 1))
    drawn = mechanism.release_many(
        column, uniform_quantiles(9), taken(mechanism).resized(1e4), rng, 5
    )
    below = column.count_below(drawn)
    slack = (
        20 if mechanism.name in {"AggTree", "PrefixQuantiles"} else 1
    )  # a leaf is the finest it can see
    assert np.abs(below - uniform_quantiles(9) * 2000).max() <= slack
