"""The proposals are public numbers, and the axis and its handles stand on them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds
from dpviz.core.data.checks import checked_resolution
from dpviz.ui.data.kinds import KINDS, kind_named, moved, nudge, ticks, window

PROPOSED = [kind for kind in KINDS if kind.bounds is not None]


def test_the_table():
    assert [kind.label for kind in KINDS] == [
        "Mark",
        "Age",
        "Hours a week",
        "Stars",
        "Money",
        "Share",
        "Other",
    ]
    assert [kind.key for kind in KINDS if kind.bounds is None] == ["other"]
    assert kind_named("age").bounds == Bounds(0, 120)
    assert kind_named(None) == kind_named("nonsense") == kind_named("other")


@pytest.mark.parametrize("kind", PROPOSED, ids=lambda kind: kind.key)
def test_every_proposal_can_be_declared_and_seen(kind):
    checked_resolution(kind.step, kind.bounds)
    seen = window(kind.bounds)
    assert seen.low < kind.bounds.low < kind.bounds.high < seen.high
    assert 4 <= len(ticks(seen)) <= 9
    share = kind.bounds.width / 100
    assert nudge(kind.bounds, kind.step) == pytest.approx(max(share, kind.step), rel=0.5)
    assert nudge(kind.bounds, 0) == share


def test_the_window_is_a_little_wider_than_the_scale():
    assert window(Bounds(0, 100)) == Bounds(-8, 122)
    assert window(Bounds(0, 100), Bounds(-5, 120)) == Bounds(-8, 122)
    seen = window(Bounds(0, 100), Bounds(-50, 60))
    assert seen.low < -50
    assert seen.high > 100


def test_handles_snap_to_steps_and_stay_apart():
    seen = window(Bounds(0, 250_000))
    assert moved((149.9, 180_049), seen, 100) == Bounds(100, 180_000)
    assert moved((180_049, 149.9), seen, 100) == Bounds(100, 180_000)
    assert moved((100, 149), seen, 100) is None
    assert moved((-1e9, 1e9), seen, 0) == seen
    for wrong in (math.nan, math.inf):
        assert moved((wrong, 5), seen, 100) is None


@given(
    st.floats(-1e12, 1e12),
    st.floats(1e-9, 1e12),
    st.tuples(st.floats(), st.floats()),
    st.sampled_from([0, 0.01, 0.5, 1, 100]),
)
def test_any_place_gives_bounds_inside_the_window_or_none(low, width, asked, step):
    if low + width <= low:
        return
    seen = window(Bounds(low, low + width))
    found = moved(asked, seen, step)
    assert found is None or (found.low >= seen.low - step and found.high <= seen.high + step)


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_ticks_are_few_and_inside(low, width):
    seen = Bounds(low, low + width) if low + width > low else Bounds(0, 1)
    found = ticks(seen)
    assert 1 <= len(found) <= 9
    slack = 1e-9 * max(abs(seen.low), abs(seen.high))
    assert all(seen.low - slack <= one <= seen.high + slack for one in found)
