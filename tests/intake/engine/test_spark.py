"""The same expressions on Spark give the same counts; it runs where Java and PySpark are there."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import ibis
import numpy as np
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.points import count_points
from tests.intake.engine.tables import around, arrow, in_memory

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(find_spec("pyspark") is None, reason="PySpark is not installed"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed"),
    pytest.mark.filterwarnings("ignore"),  # of PySpark and of pandas below it
]
BOUNDS = dp.Bounds(-3.3, 7.1)


@pytest.fixture(scope="module")
def spark() -> Iterator[ibis.BaseBackend]:
    from pyspark.sql import SparkSession  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        session = made.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        yield ibis.pyspark.connect(session)
        session.stop()


def values() -> np.ndarray:
    rng = np.random.default_rng(1)
    edges = BOUNDS.low + BOUNDS.width * rng.integers(0, 65, 100) / 64
    odd = [np.nan, np.inf, -np.inf, -0.0, 1e300, -1e300, BOUNDS.low, BOUNDS.high]
    return np.concatenate([around(edges), rng.uniform(-4, 8, 500), odd])


@pytest.mark.parametrize("resolution", [0, 0.1, 1])
def test_columns(spark, tmp_path, resolution):
    x = arrow(x=[None, *values()])
    path = tmp_path / "x.parquet"
    parquet.write_table(x, path)
    column = count_column(spark.read_parquet(str(path)), "x", BOUNDS, resolution)
    expected = count_column(ibis.memtable(x), "x", BOUNDS, resolution)
    assert column.fingerprint == expected.fingerprint
    assert column.clipped == expected.clipped > 0
    assert column.dropped == expected.dropped == 2


def test_points(spark, tmp_path):
    rng = np.random.default_rng(2)
    x, y = values(), rng.permutation(values())
    path = tmp_path / "xy.parquet"
    parquet.write_table(arrow(x=x, y=y), path)
    box = dp.Box(BOUNDS, BOUNDS)
    grid = count_points(spark.read_parquet(str(path)), "x", "y", box, 64)
    assert grid.fingerprint == count_points(in_memory(x=x, y=y), "x", "y", box, 64).fingerprint
