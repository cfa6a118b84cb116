"""Every wrong argument on the facade is a DpvizError that names it and says what was found."""

import io
import math
from pathlib import Path

import ibis
import numpy as np
import pyarrow as pa
import pytest

import dpviz as dp
from tests.conftest import ROOT
from tests.facade import wrong_calls
from tests.facade.public import every_name
from tests.rows import by_rows

QUANTILE_MECHANISMS = ("ApproximateQuantiles", "JointExp", "IndependentExp", "AggTree")
SPATIAL_MECHANISMS = {
    "Quadtree": "3",
    "KdTree": "2",
    "HilbertTree": "2",
    "KdCell": "2, (4, 4)",
    "UniformGrid": "4",
    "AdaptiveGrid": "",
    "PrivTree": "",
}
# these take no argument that could be wrong
WITHOUT_ARGUMENTS = {"__version__", "samples", "DpvizError"}
CALLS = [
    *wrong_calls.DECLARED,
    *wrong_calls.BUDGETS,
    *wrong_calls.QUANTILES,
    *wrong_calls.TREES,
    *wrong_calls.SPATIAL,
    *wrong_calls.ESTIMATORS,
    *wrong_calls.FILES,
    *(
        (call.format(m=f"dp.{name}()"), *words)
        for name in QUANTILE_MECHANISMS
        for call, *words in wrong_calls.QUANTILE_CALLS
    ),
    *(
        (call.format(m=f"dp.{name}({arguments})"), *words)
        for name, arguments in SPATIAL_MECHANISMS.items()
        for call, *words in wrong_calls.SPATIAL_CALLS
    ),
]


def right_arguments() -> dict[str, object]:
    """What the calls are read with: one right value of every kind."""
    rng = np.random.default_rng(1)
    bounds = dp.Bounds(0, 100)
    box, budget = dp.Box(bounds, bounds), dp.PureDP(1)
    column = dp.Column.from_values(range(100), bounds, 1)
    points = dp.Points.from_xy(range(100), range(100), box)
    tree = dp.CountTree(2, 3).release(column, budget, rng)
    closed = io.BytesIO(b"a")
    closed.close()
    return {
        "dp": dp,
        "np": np,
        "io": io,
        "Path": Path,
        "nan": math.nan,
        "inf": math.inf,
        "rng": rng,
        "bounds": bounds,
        "box": box,
        "budget": budget,
        "rows": dp.PersonRows.at_most(2),
        "closed": closed,
        "column": column,
        "points": points,
        "tree": tree,
        "lake": ibis.memtable(pa.table({"x": [1.0], "word": ["a"]})),
        "levels": tree.levels,
        "curve": dp.cdf(tree),
        "plane": dp.Quadtree(3).release(points, budget, rng),
        "cells": dp.UniformGrid(4).release(points, budget, rng),
        "table": dp.read_table(b"a,b\n1,2\n", "small.csv"),
    }


@pytest.fixture(scope="module")
def right() -> dict[str, object]:
    return right_arguments()


@pytest.mark.law
@by_rows(("call", "words"), [(call, words) for call, *words in CALLS])
def test_a_wrong_call_says_what_was_wrong_and_what_was_found(call, words, right, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(dp.DpvizError) as refused:
        eval(call, dict(right))
    message = str(refused.value)
    for word in words:
        assert word in message, message
    assert message.endswith((".", "?")), message
    assert len(message) < 400, message


def test_there_are_many_and_none_twice():
    calls = [call for call, *_ in CALLS]
    assert len(calls) == len(set(calls)) >= 300


@by_rows("name", sorted({*every_name()} - WITHOUT_ARGUMENTS))
def test_every_public_name_is_called_wrongly(name):
    made = ("QuantileRelease", "TreeRelease", "SpatialRelease", "Cells")
    asked = any(f"dp.{name}" in call for call, *_ in CALLS)
    assert asked or name.removeprefix("releases.") in made


@pytest.mark.parametrize(
    ("value", "kept"),
    [(np.float32(0.5), 0.5), (np.int64(2), 2.0), (np.array(1.5), 1.5), (3, 3.0)],
)
def test_numpy_scalars_are_as_good_as_plain_numbers(value, kept):
    assert dp.PureDP(value).epsilon == kept
    assert type(dp.PureDP(value).epsilon) is float


def test_numpy_numbers_reach_json_as_plain_ones(right):
    rng, budget = np.random.default_rng(2), dp.PureDP(np.float64(1))
    tree = dp.CountTree(np.int64(2), np.int32(3)).release(right["column"], budget, rng)
    assert dp.releases.TreeRelease.from_json(tree.to_json()) == tree
    for grid in (
        dp.UniformGrid(side=np.int64(4), c=np.float32(10)),
        dp.KdCell(np.int64(2), (np.int64(4), np.int16(4)), np.float32(0.5)),
        dp.PrivTree(depth=np.int8(3)),
    ):
        cells = grid.release(right["points"], budget, rng)
        assert dp.releases.Cells.from_json(cells.to_json()) == cells
    drawn = dp.SanitizedColumn(size=np.int64(5)).release(right["column"], budget, rng)
    assert dp.releases.QuantileRelease.from_json(drawn.to_json()) == drawn


def test_a_message_never_holds_data():
    secret = [123456.789] * 3
    for call in (
        lambda: dp.CountTree().release(secret, dp.PureDP(1), np.random.default_rng(1)),
        lambda: dp.Points.from_xy(secret, secret, secret),
        lambda: dp.Column(secret, dp.Bounds(0, 1), 0, 0, 0),
    ):
        with pytest.raises(dp.DpvizError) as refused:
            call()
        assert "123456" not in str(refused.value)
