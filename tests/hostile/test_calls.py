"""Ten thousand calls of the public names with several odd arguments at once."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpviz as dp
from tests.facade.test_any_value import ANY, calls
from tests.hostile.outcomes import outcome

CALLS = list(calls())
PARTS, EACH = 20, 500
ODD: tuple[Any, ...] = (
    *ANY,
    *(5e-324, -5e-324, 1e-310, 1e-160, 1e160, 1.7e308, -1.7e308, -0.0, 1 - 2**-53, 2**-60),
    *(2, 3, 22, 23, 2**31, 2**53, 2**63, -(2**63), -(10**18), False),
    *("", "0.5", "1e400", "NaN", "replace-one", "gaussian", "public", "\ud800", "§", "x" * 10_000),
    *(Decimal("0.5"), Fraction(1, 3), np.float16(0.5), np.int8(-1), np.uint64(2**63), np.bool_(1)),
    *(np.empty(0), np.array([]), np.array([[0.5]]), np.array([0.5, 0.5, math.nan]), np.array(0.5)),
    *(np.array(["a"]), np.array([None]), np.ma.masked, range(3), {0.5}, {"a": {}}, iter([0.5])),
    *([0.5] * 100, [math.inf], [5e-324], [1 - 2**-53], [[]], [None], (0, 1, 0, 1), [0, 1, 0, 1]),
    *(dp.Bounds(0, 5e-324), dp.Bounds(-8e307, 8e307), dp.Bounds(1, 1 + 2**-52)),
    *(dp.Box(dp.Bounds(0, 1e-140), dp.Bounds(0, 1e-140)), dp.Box(dp.Bounds(0, 1), dp.Bounds(0, 1))),
    *(dp.PureDP(5e-324), dp.PureDP(1.7e308), dp.ZCDP(5e-324), dp.ZCDP(1.7e308), dp.ZCDP(0.5)),
    *(dp.ApproxDP(5e-324, 5e-324), dp.ApproxDP(1, 1e-300), dp.ApproxDP(1.7e308, 0.5)),
    *(
        dp.Column.from_values([], dp.Bounds(0, 1)),
        dp.Column.from_values([0.0], dp.Bounds(0, 5e-324)),
    ),
    *(dp.Points.from_xy([], [], dp.Box(dp.Bounds(0, 1), dp.Bounds(0, 1))), Exception, len, ...),
    *(
        dp.Neighbours.REPLACE_ONE,
        dp.Noise.DISCRETE_LAPLACE,
        dp.choices.Root.PUBLIC,
        dp.choices.Ties.KEEP,
    ),
    *(dp.JointExp(), dp.CountTree(2, 2), dp.SmoothMedian(), dp.LevelBudget.own([0, 1])),
    *(np.random.default_rng(1), np.random.default_rng(1).bit_generator),
)


@pytest.mark.few(10)
@pytest.mark.law
@pytest.mark.parametrize("part", range(PARTS))
def test_several_odd_arguments_at_once(part):
    rng = np.random.default_rng([11, part])
    for number in range(EACH):
        name, call, right = CALLS[int(rng.integers(len(CALLS)))]
        keys = rng.permutation(list(right))[: int(rng.integers(1, 4))]
        odd = {str(key): ODD[int(rng.integers(len(ODD)))] for key in keys}
        try:
            result = outcome(call, **{**right, **odd})
        except Exception as error:
            error.add_note(f"call {number} of part {part}: {name} with {odd!r}")
            raise
        assert holds(result), (name, odd)


def holds(result: Any) -> bool:
    """Whether what a call returned holds no NaN where a private number should stand."""
    if isinstance(result, dp.releases.QuantileRelease):
        ends = result.bounds.low, result.bounds.high
        return bool(((result.values >= ends[0]) & (result.values <= ends[1])).all())
    if isinstance(result, dp.releases.Cells):
        return bool(np.isfinite(result.counts).all())
    return True


def test_a_call_that_lets_another_error_out_is_caught():
    with pytest.raises(ZeroDivisionError):
        outcome(lambda: 1 // 0)
    with pytest.raises(AssertionError, match="without words"):
        outcome(refuse)


def refuse() -> None:
    raise dp.DpvizError("no")
