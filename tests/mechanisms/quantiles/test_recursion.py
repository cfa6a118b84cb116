from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.quantiles.recursion import plan
from tests.rows import by_rows


def algorithm_1(q, level=1, offset=0, left=0, right=None, found=None):
    """Algorithm 1's calls in plain recursion: position → (level, ends of range, quantile)."""
    found = {} if found is None else found
    right = len(q) + 1 if right is None else right
    m = len(q)
    if m == 0:
        return found
    middle = math.ceil(m / 2)
    p = q[middle - 1]
    position = offset + middle
    found[position] = (level, left, right, p)
    lower = [x / p for x in q[: middle - 1]]
    upper = [(x - p) / (1 - p) for x in q[middle:]]
    algorithm_1(lower, level + 1, offset, left, position, found)
    algorithm_1(upper, level + 1, position, position, right, found)
    return found


def check(quantiles):
    wanted = QuantileSet.of(quantiles)
    steps = plan(wanted)
    slow = algorithm_1(wanted.distinct.tolist())
    assert steps.m == wanted.count
    assert len(steps.levels) == wanted.levels == math.floor(math.log2(wanted.count)) + 1
    seen = set()
    for depth, level in enumerate(steps.levels, start=1):
        for position, left, right, normalised in zip(
            level.position, level.left, level.right, level.normalised, strict=True
        ):
            assert slow[position][:3] == (depth, left, right)
            assert normalised == pytest.approx(slow[position][3], rel=1e-6, abs=1e-9)
            seen.add(int(position))
    assert seen == set(range(1, wanted.count + 1))


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=70))
def test_the_plan_is_algorithm_1_for_any_quantiles(quantiles):
    spaced = sorted({round(q, 4) for q in quantiles})
    check(spaced)


@by_rows("m", [*range(1, 18), 31, 32, 33, 127, 128, 500])
def test_the_plan_is_algorithm_1_for_uniform_quantiles(m):
    check(uniform_quantiles(m))


def test_order_and_repeats_do_not_change_the_plan():
    once, jumbled = (
        plan(QuantileSet.of([0.1, 0.5, 0.9])),
        plan(QuantileSet.of([0.9, 0.1, 0.5, 0.1])),
    )
    assert once is jumbled  # cached by the distinct set


def test_uniform_full_trees_halve_every_node():
    for level in plan(QuantileSet.of(uniform_quantiles(127))).levels:
        np.testing.assert_allclose(level.normalised, 0.5, rtol=1e-12)


def test_quantiles_close_together_stay_strictly_inside():
    steps = plan(QuantileSet.of([0.5, np.nextafter(0.5, 1), 0.5 + 1e-12]))
    for level in steps.levels:
        assert ((level.normalised > 0) & (level.normalised < 1)).all()
