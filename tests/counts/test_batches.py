"""Records in batches are the records together: the same data, and the same release for the bits."""

from __future__ import annotations

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.randomness.bits import SecureBits
from dpviz.counts.batches import ColumnBatches, PointBatches
from tests.rows import grid

BOUNDS = dp.Bounds(-10, 110)
BOX = dp.Box(BOUNDS, dp.Bounds(0, 50))
ODD = [np.nan, np.nan, np.inf, -np.inf, -0.0, 0.0, -10, 110, 1e300, 110.5]


def records(kind: str, rng: np.random.Generator) -> np.ndarray:
    made = {
        "ties": rng.integers(0, 30, 900) * 1.0,
        "different": rng.normal(50, 30, 900),
        "both": np.concatenate([np.sort(rng.normal(50, 30, 600)), np.full(300, 7.0)]),
        "tied over batches": np.tile(rng.normal(50, 30, 30), 30),
        "few": np.array([3.0]),
        "nobody": np.empty(0),
    }[kind]
    return np.concatenate([made, ODD]) if len(made) > 1 else made


def batches_of(values: np.ndarray, size: int) -> list[np.ndarray]:
    return [values[start : start + size] for start in range(0, len(values), size)]


@pytest.mark.law
@grid(
    size=[1, 30, 100, 10_000],
    resolution=[0, 1, 0.1],
    kind=["ties", "different", "both", "tied over batches", "few", "nobody"],
)
def test_the_column_of_batches(kind, resolution, size):
    values = records(kind, np.random.default_rng(1))
    expected = dp.Column.from_values(values, BOUNDS, resolution)
    batches = ColumnBatches(BOUNDS, resolution)
    for batch in batches_of(values, size):
        batches.add(batch)
    column = batches.data()
    assert column.digest == expected.digest
    assert (column.n, column.clipped, column.dropped) == (
        expected.n,
        expected.clipped,
        expected.dropped,
    )
    assert not column.counted  # nothing that needs its records apart is refused
    np.testing.assert_array_equal(column.values, expected.values)
    for mechanism in (dp.ApproximateQuantiles(), dp.CountTree(2, 6)):
        asked = ([0.1, 0.5, 0.9],) if isinstance(mechanism, dp.ApproximateQuantiles) else ()
        made = [
            mechanism.release(data, *asked, dp.PureDP(1), SecureBits(bytes(32))).to_json()
            for data in (column, expected)
        ]
        assert made[0] == made[1]


@pytest.mark.few(4)
@pytest.mark.parametrize("size", [1, 100, 10_000])
@pytest.mark.parametrize("height", [0, 3, 13])
def test_the_points_of_batches(height, size):
    rng = np.random.default_rng(2)
    x, y = records("different", rng), rng.permutation(records("ties", rng))
    expected = dp.Points.from_xy(x, y, BOX)
    batches = PointBatches(BOX, height)
    for one, other in zip(batches_of(x, size), batches_of(y, size), strict=True):
        batches.add(one, other)
    points = batches.data()
    assert isinstance(points, dp.GridCounts if height < 13 else dp.Points)
    assert (points.n, points.clipped, points.dropped) == (
        expected.n,
        expected.clipped,
        expected.dropped,
    )
    if height == 13:
        assert points.digest == expected.digest
        return
    made = [
        dp.Quadtree(height).release(data, dp.PureDP(1), SecureBits(bytes(32))).to_json()
        for data in (points, expected)
    ]
    assert made[0] == made[1]


def test_no_batch_is_a_column_and_a_map_of_nobody():
    assert ColumnBatches(BOUNDS, 1).data().digest == dp.Column.from_values([], BOUNDS, 1).digest
    assert PointBatches(BOX, 2).data().n == PointBatches(BOX, 13).data().n == 0


def test_equal_records_take_no_room():
    batches = ColumnBatches(BOUNDS)
    for _ in range(300):
        batches.add(np.arange(100.0).repeat(4))
    column = batches.data()
    assert column.held.size == 100
    assert column.n == 120_000
