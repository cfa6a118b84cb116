"""Widths with sampling, worked out along the released curve by hand; and intervals in ranks."""

import math

import numpy as np
import pytest

from dpviz.answers.quantiles.intervals import checked_said, with_sampling
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks

COLUMN = Column.from_values([float(at * at % 97) for at in range(400)], Bounds(-10, 110), 1.0)
ASKED = (0.9, 0.2, 0.5)


def released(asked=ASKED):
    mechanism = ApproximateQuantiles(round_to_grid=True)
    return mechanism.release(COLUMN, asked, PureDP(2.0), np.random.default_rng(5))


def slow_slope(points, at):
    """The slope at a point of a curve: of the parabola through it and its neighbours."""
    (x0, y0), (x1, y1), (x2, y2) = points[at - 1], points[at], points[at + 1]
    left, right = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    return (left * (x2 - x1) + right * (x1 - x0)) / (x2 - x0)


def test_widths_hold_for_the_people_behind_the_column():
    release, half = released(), np.array([3.0, 5.0, 2.0])
    found = with_sampling(release, half, 400.0)
    inner = sorted(zip(release.quantiles, release.values, strict=True))
    points = [(0.0, -10.0), *inner, (1.0, 110.0)]
    for one, width, asked in zip(found, half, release.quantiles, strict=True):
        at = [q for q, _ in points].index(asked)
        sampled = 1.96 * math.sqrt(asked * (1 - asked) / 400) * abs(slow_slope(points, at))
        assert one == pytest.approx(math.sqrt(width**2 + sampled**2))
    assert (found > half).all()


def test_intervals_in_ranks_say_how_far_they_reach():
    release = released()
    check = CheckedRanks().release(COLUMN, release, PureDP(0.5), np.random.default_rng(2))
    farthest = max(abs(end) for pair in check.intervals() for end in pair)
    assert f"none here reaches beyond {farthest:,.0f} ranks" in checked_said(check)
