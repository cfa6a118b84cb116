"""People with several rows in DuckDB: the same as in memory, and the law of the choice."""

from __future__ import annotations

from collections import Counter

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.points import count_points
from dpviz.people.data import person_column, person_grid
from tests.statistics import fits_probabilities

BOUNDS = Bounds(0, 50)
BOX = Box(BOUNDS, Bounds(-1, 1))
NAMES = ("text", "whole", "floating", "date")


def in_engine(frame):
    return ibis.memtable(pa.Table.from_pandas(frame, preserve_index=False))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(8)
    who, n = rng.integers(0, 500, 3_000), 3_000
    gone = rng.random(n) < 0.05
    x, y = rng.integers(-5, 60, n).astype(float), rng.normal(size=n)
    x[::70], y[::90] = np.nan, np.nan
    return pd.DataFrame(
        {
            "text": np.where(gone, None, np.char.add("p", who.astype(str)).astype(object)),
            "whole": pd.Series(who, dtype="Int64").mask(gone),
            "floating": np.where(gone, np.nan, who),
            "date": pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(who, "D")).mask(gone),
            "x": x,
            "y": y,
        }
    )


@pytest.mark.few(2, 5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "rows", [PersonRows.weighted(), PersonRows.weighted(5), PersonRows.at_most(3_000)], ids=str
)
def test_an_engine_counts_what_memory_counts(data, name, rows, rng):
    table = in_engine(data)
    column = count_column(table, "x", BOUNDS, 1.0, person=name, rows=rows)
    held = person_column(data[name], data["x"], BOUNDS, 1.0, rows, rng)
    assert column.fingerprint == held.fingerprint
    assert column.dropped > 100
    grid = count_points(table, "x", "y", BOX, 16, person=name, rows=rows)
    assert grid.fingerprint == person_grid(
        data[name], data["x"], data["y"], BOX, 16, rows, rng
    ).fingerprint  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_nobody_counts_more_than_k_times(data, name, k, rng):
    """Each person's rows lie in a cell of their own, so that the cells count the person."""
    at = data.assign(own=data["floating"])
    rows, bounds = PersonRows.at_most(k), Bounds(0, 500)
    column = count_column(in_engine(at), "own", bounds, 1.0, person=name, rows=rows)
    held = person_column(at[name], at["own"], bounds, 1.0, rows, rng)
    assert column.fingerprint == held.fingerprint
    assert column.counts.max() == k


def test_an_engine_chooses_uniformly():
    """2,000 people of five rows with values 0 to 4, one row each; twin: the lowest two values."""
    data = pd.DataFrame({"p": np.repeat(np.arange(2_000), 5), "x": np.tile(np.arange(5.0), 2_000)})
    column = count_column(
        in_engine(data), "x", Bounds(0, 4), 1.0, person="p", rows=PersonRows.at_most(1)
    )
    seen = Counter(dict(zip(column.held.tolist(), column.counts.tolist(), strict=True)))
    assert column.n == 2_000
    assert fits_probabilities([seen[v] for v in range(5)], np.full(5, 0.2))
    assert not fits_probabilities([2_000, 0, 0, 0, 0], np.full(5, 0.2))


def test_without_a_person_nothing_changes(data):
    table = in_engine(data)
    plain = count_column(table, "x", BOUNDS, 1.0)
    again = count_column(table, "x", BOUNDS, 1.0, person=None, rows=None)
    assert plain.fingerprint == again.fingerprint
    assert plain.n + plain.dropped == 3_000


def test_empty_tables_and_tables_of_nobody():
    none = pd.DataFrame({"p": pd.Series([], dtype="string"), "x": np.empty(0)})
    nobody = pd.DataFrame({"p": pd.Series([None] * 3, dtype="string"), "x": np.ones(3)})
    for rows in (PersonRows.at_most(2), PersonRows.weighted()):
        for data in (none, nobody):
            column = count_column(in_engine(data), "x", BOUNDS, 1.0, person="p", rows=rows)
            assert (column.n, column.dropped) == (0, len(data))


def test_half_a_declaration_is_refused(data):
    table = in_engine(data)
    rows = PersonRows.at_most(2)
    for wrong in ({"person": "text"}, {"rows": rows}):
        with pytest.raises(InvalidData, match="go together"):
            count_column(table, "x", BOUNDS, 1.0, **wrong)
        with pytest.raises(InvalidData, match="go together"):
            count_points(table, "x", "y", BOX, 4, **wrong)
    with pytest.raises(InvalidData, match="no column 'who'"):
        count_column(table, "x", BOUNDS, 1.0, person="who", rows=rows)
    with pytest.raises(InvalidData, match="person must be a text"):
        count_column(table, "x", BOUNDS, 1.0, person=3, rows=rows)
    with pytest.raises(InvalidData, match="PersonRows"):
        count_column(table, "x", BOUNDS, 1.0, person="text", rows=2)
