"""What decides how a draw is made decides nothing of its law.

Programs turn to other ways at sizes that the data have: so many records, ties, coins. At each of
these borders a record more would show itself if the ways drew from different laws. Here every
border is moved below and above the same data; releases must come from one law.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import dpviz as dp
from dpviz.core.data import column as columns
from dpviz.core.data import grid_counts
from dpviz.core.randomness import fair_coins
from dpviz.mechanisms.exponential import lazy_points, one_quantile, point_columns, treated_ladders
from dpviz.mechanisms.quantiles.joint_exp import mechanism as joint_exp
from dpviz.mechanisms.quantiles.slices import mechanism as slices

pytestmark = pytest.mark.law

SOME, FALSE_ALARM = 20, 1e-9 / 100
BORDERS = {  # what is moved, and which way of drawing then takes over
    "lazy points": [(point_columns, "LONG", 1)],
    "lazy points, always parted": [
        (point_columns, "LONG", 1),
        *((lazy_points, "FEW", 1), (lazy_points, "MOST_PARTS", 2)),
    ],
    "coins around their half": [
        (point_columns, "LONG", 1),
        *((lazy_points, "FEW", 1), (fair_coins, "MANY", 4)),
    ],
    "too many to hold apart": [(columns, "MOST_APART", 5)],
    "a lazy spread": [
        *((treated_ladders, "RECORDS_A_PROBLEM", 0), (treated_ladders, "RECORDS_A_CALL", 0)),
    ],
    "blocks of a table": [(joint_exp, "WHOLE", 0), (joint_exp, "TOGETHER", 0)],
    "windows of counts": [(slices, "MOST_LOOKED_AT", 0)],
    "rows by enumeration": [(one_quantile, "ROUNDS", 0)],
}
BOUNDS, ASKED = dp.Bounds(0, 12), np.array([0.3, 0.7])
COUNTS = np.array([0, 1, 9, 0, 14, 2, 2, 0, 7, 21, 0, 1, 3])
QUANTILES = {  # and as many times the counts, and so many draws
    "ApproximateQuantiles": (dp.ApproximateQuantiles(), dp.PureDP(0.5), 1, 120),
    "JointExp": (dp.JointExp(), dp.PureDP(0.8), 1, 120),
    "IndependentExp": (dp.IndependentExp(), dp.PureDP(0.8), 1, 120),
    "SliceQuantiles": (dp.SliceQuantiles(), dp.ApproxDP(2.5, 1e-2), 4, 200),
}
MAPS = [dp.KdTree(height=1), dp.HilbertTree(height=1, order=4)]


def column_of(counts: np.ndarray, held: str) -> dp.Column:
    """Made of counts, of tied records, or of records that are all a little apart."""
    values = np.arange(13.0)
    if held == "counts":
        return dp.Column.from_counts(values, counts, BOUNDS, 1)
    records = np.repeat(values, counts)
    if held == "records":
        return dp.Column.from_values(records, BOUNDS, 1)
    return dp.Column.from_values(records + np.linspace(-0.3, 0.3, records.size), BOUNDS)


def draws(mechanism, column: dp.Column, budget: dp.Budget, *seeds: int) -> np.ndarray:
    """Both quantiles of independent releases in whole numbers, and how far they are apart, (3, n).

    Seeds are those of range.
    """
    found = [
        mechanism.release(column, ASKED, budget, np.random.default_rng((7, seed))).values
        for seed in range(*seeds)
    ]
    low, high = np.rint(found).astype(int).T
    return np.array([low, high, high - low])


def cuts(mechanism, plane: dp.GridCounts, size: int = 200) -> np.ndarray:
    """The cells in which independent maps make their first two cuts, (2, size)."""
    found = np.empty((size, 2))
    for seed in range(size):
        release = mechanism.release(plane, dp.PureDP(1.0), np.random.default_rng((8, seed)))
        if isinstance(mechanism, dp.HilbertTree):
            found[seed] = release.geometry.edges[1:3] / 16
        else:
            found[seed] = release.level_boxes(1)[0, [1, 3]]
    return np.minimum(found, 15).astype(int).T


def one_law(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two samples may come from one law (chi-square; what is rarely seen is one kind)."""
    both = np.concatenate((first, second))
    kinds, seen = np.unique(both, return_counts=True)
    often = kinds[seen >= 40]
    table = np.array(
        [
            [*((one == kind).sum() for kind in often), (~np.isin(one, often)).sum()]
            for one in (first, second)
        ]
    )
    table = table[:, table.sum(axis=0) >= 20]
    if table.shape[1] < 2:
        assert often.size == 1, "nothing is seen often enough to tell"
        return True
    return bool(stats.chi2_contingency(table).pvalue > FALSE_ALARM)


@pytest.mark.few(4)
@pytest.mark.parametrize("held", ["counts", "records", "apart"])
@pytest.mark.parametrize("name", QUANTILES)
def test_quantiles_beyond_every_border(name, held, monkeypatch):
    """Where the numbers are not the same for a seed they come from one law; twin: more records."""
    mechanism, budget, times, many = QUANTILES[name]
    column, moved = column_of(times * COUNTS, held), set()
    usual = draws(mechanism, column, budget, many)
    for border, places in BORDERS.items():
        with monkeypatch.context() as patched:
            for module, limit, size in places:
                patched.setattr(module, limit, size)
            few = draws(mechanism, column, budget, SOME)
            if (few != usual[:, :SOME]).any():
                moved.add(border)
                others = draws(mechanism, column, budget, SOME, many)
                assert all(map(one_law, usual, np.hstack((few, others)))), border
    assert "lazy points" in moved or name == "JointExp"
    others = times * (COUNTS + 25 * (np.arange(13) == 9))
    assert not all(map(one_law, usual, draws(mechanism, column_of(others, held), budget, many)))


@pytest.mark.few(1)
@pytest.mark.parametrize("number", range(len(MAPS)), ids=["kd-tree", "Hilbert R-tree"])
def test_maps_of_counted_points_on_both_sides(number, monkeypatch):
    """Points apart, and counts; twin: more points."""
    counts = np.zeros((16, 16), dtype=np.int64)
    counts[3, 5], counts[8, 2], counts[12, 12] = 20, 10, 30
    box = dp.Box(dp.Bounds(0, 16), dp.Bounds(0, 16))
    usual = cuts(MAPS[number], dp.GridCounts(box, 16, counts))
    monkeypatch.setattr(grid_counts, "FEW", 0)
    held = cuts(MAPS[number], dp.GridCounts(box, 16, counts))
    assert (held != usual).any()
    assert all(map(one_law, usual, held))
    counts[3, 5] += 120
    assert not all(map(one_law, usual, cuts(MAPS[number], dp.GridCounts(box, 16, counts))))
