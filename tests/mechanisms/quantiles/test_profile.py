"""Many columns under one budget: shares add up, and a column is released as it would be alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidData, InvalidRelease
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.releases import ProfileRelease
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.profile import MOST_COLUMNS, Profile, shares

QUARTILES = [0.25, 0.5, 0.75]
BUDGETS = [PureDP(1.0), ZCDP(0.3), ApproxDP(0.7, 1e-6)]


@pytest.fixture
def columns(rng):
    return {
        name: Column.from_values(rng.integers(0, high, 3_000), Bounds(0, high), 1)
        for name, high in (("age", 100), ("pay", 5_000), ("stars", 5))
    }


@pytest.mark.law
@given(
    st.lists(st.floats(0.01, 1000), min_size=1, max_size=MOST_COLUMNS),
    st.sampled_from([PureDP(0.1), PureDP(3.3), ZCDP(0.07), ApproxDP(1 / 3, 1e-7)]),
)
def test_shares_add_up_and_are_never_rounded_up(weights, budget):
    names = {f"c{at}": weight for at, weight in enumerate(weights)}
    parts = shares(budget, names)
    total = sum(as_written(part.size) for part in parts.values())
    assert total <= as_written(budget.size)
    assert float(total) == pytest.approx(budget.size, rel=1e-12)
    whole = sum(Fraction(weight) for weight in weights)
    for name, part in parts.items():
        assert part.size == pytest.approx(float(budget.size * Fraction(names[name]) / whole))
    if isinstance(budget, ApproxDP):
        assert sum(as_written(part.delta) for part in parts.values()) <= as_written(budget.delta)


@pytest.mark.parametrize("budget", BUDGETS)
def test_each_column_is_released_as_alone_with_its_share(columns, budget):
    weights = {"age": 2.0, "pay": 1.0, "stars": 1.0}
    together = Profile().release(columns, QUARTILES, budget, np.random.default_rng(3), weights)
    assert together.spent == budget
    rng, alone = np.random.default_rng(3), ApproximateQuantiles(round_to_grid=True)
    for name, part in shares(budget, weights).items():
        assert together.releases[name] == alone.release(columns[name], QUARTILES, part, rng)
    assert together.releases["age"].spent.size == pytest.approx(budget.size / 2)


def test_a_release_is_read_back_and_holds_nothing_true(columns):
    release = Profile().release(columns, QUARTILES, PureDP(1), SecureBits.fresh())
    text = release.to_json()
    assert ProfileRelease.from_json(text).to_dict() == release.to_dict()
    assert "3000" not in text
    assert "clipped" not in text
    assert all(one.randomness == "secure" for one in release.releases.values())
    for wrong in ("", "[]", '{"kind": "tree"}', '{"kind": "profile"}', text[:-30], "[" * 10**5):
        with pytest.raises(InvalidRelease):
            ProfileRelease.from_json(wrong)


def test_nothing_is_drawn_where_something_is_refused(columns, rng):
    state = rng.bit_generator.state
    many = {f"c{at}": columns["age"] for at in range(MOST_COLUMNS + 1)}
    with pytest.raises(InvalidData, match="1 to 50 columns, got 51"):
        Profile().release(many, QUARTILES, PureDP(1), rng)
    with pytest.raises(DpvizError):
        Profile().release(columns, [1.5], PureDP(1), rng)
    assert rng.bit_generator.state == state
