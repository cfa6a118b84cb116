"""What is counted in DuckDB is what NumPy counts in memory."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from decimal import Context, Decimal

import ibis
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.core.edges import EqualParts
from dpviz.core.errors import InvalidData
from dpviz.core.point_grid import PointGrid
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.expressions import edge_numbered
from dpviz.intake.engine.parquet_files import parquet_table
from dpviz.intake.engine.tables import numbers
from dpviz.intake.read import read_table
from tests.conftest import ROOT
from tests.intake.engine.tables import around, in_duckdb, in_memory
from tests.rows import by_rows

ASKED = [0.01, 0.25, 0.5, 0.75, 0.99]
# (low, high, resolution): decimals, an upper bound off the grid, bounds far from 0, coarse steps
DECLARED = [
    (0, 120, 1),
    (-3.3, 7.1, 0.1),
    (0.30000000000000004, 12.7, 0.2),
    (0, 10.3, 1),
    (0, 10.7, 1),
    (1e9, 1e9 + 50, 0.25),
    (-1e-9, 1e-9, 1e-11),
    (0, 1, 1 / 3),
    (5, 6, 1),
]

LOST = (-0.12345678901234566, 0.370370367037037)  # an edge near 0, which products do not round
LONG = [LOST, (1 / 3, 2 / 3), (-1 / 3, 7.123456789012345e5)]  # ends of 15 digits and more
TREES = [(0, 1), (-7.3, 11.1), (1e9, 1e9 + 1), (0.1, 0.8), (1e6, 1e6 + 1e-6), *LONG]


def dressed(values: np.ndarray, bounds: dp.Bounds, rng: np.random.Generator) -> pa.Array:
    """The values with some outside the bounds, infinite, NaN and NULL among them."""
    width = bounds.width
    odd = [bounds.low, bounds.low - width, bounds.high + width, -0.0]
    special = [np.inf, -np.inf, np.nan, np.nan, *odd]
    mixed = rng.permutation(np.concatenate([values, special]))
    return pa.concat_arrays([pa.array(mixed), pa.nulls(3, pa.float64())])


def as_values(array: pa.Array) -> np.ndarray:
    return array.to_numpy(zero_copy_only=False)


@pytest.mark.few(3)
@pytest.mark.parametrize(("low", "high", "resolution"), DECLARED)
def test_values_on_the_grid_give_the_very_column(tmp_path, low, high, resolution):
    rng, bounds = np.random.default_rng(1), dp.Bounds(low, high)
    grid = PointGrid.of(bounds, resolution)
    given = dressed(grid.printed(rng.integers(0, grid.cells, 500)), bounds, rng)
    expected = dp.Column.from_values(as_values(given), bounds, resolution)
    for table in (in_memory(x=given), in_duckdb(tmp_path, x=given)):
        column = count_column(table, "x", bounds, resolution)
        assert column.fingerprint == expected.fingerprint
        assert (column.n, column.clipped) == (expected.n, expected.clipped)
        assert column.dropped == 5


@pytest.mark.few(5)
@pytest.mark.parametrize(("low", "high", "resolution"), DECLARED)
def test_any_value_goes_to_the_cell_that_it_has_in_memory(low, high, resolution):
    rng, bounds = np.random.default_rng(2), dp.Bounds(low, high)
    grid = PointGrid.of(bounds, resolution)
    borders = low + resolution * (rng.integers(0, grid.cells, 300) + 0.5)
    given = dressed(
        np.concatenate([around(borders), rng.uniform(low, high, 500), [high]]), bounds, rng
    )
    expected = dp.Column.from_values(as_values(given), bounds, resolution)
    column = count_column(in_memory(x=given), "x", bounds, resolution)
    assert [*map(list, column.cell_counts)] == [*map(list, expected.cell_counts)]
    assert (column.clipped, column.dropped) == (expected.clipped, expected.dropped)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "draw",
    [
        lambda column, rng: dp.ApproximateQuantiles().release(column, ASKED, dp.PureDP(1), rng),
        lambda column, rng: dp.IndependentExp().release(column, ASKED, dp.PureDP(1), rng),
        lambda column, rng: dp.CountTree(2, 6).release(column, dp.PureDP(1), rng),
        lambda column, rng: dp.CountTree(3, 4).release(column, dp.ZCDP(1), rng),
        lambda column, rng: dp.NoisySum().release(column, dp.PureDP(1), rng),
    ],
)
def test_releases_are_those_of_the_records_with_the_same_seed(tmp_path, draw):
    bounds, rng = dp.Bounds(0, 100), np.random.default_rng(3)
    ages = np.round(rng.normal(50, 30, 2000), 1)
    column = count_column(in_duckdb(tmp_path, x=ages), "x", bounds, 0.1)
    expected = dp.Column.from_values(ages, bounds, 0.1)
    releases = [draw(one, np.random.default_rng(4)).to_json() for one in (column, expected)]
    assert releases[0] == releases[1]


@pytest.mark.parametrize("mechanism", [dp.ApproximateQuantiles(), dp.IndependentExp()])
def test_quantiles_on_the_grid_are_the_same_off_it(mechanism):
    bounds, values = dp.Bounds(0, 100), np.random.default_rng(5).normal(50, 30, 2000)
    column = count_column(in_memory(x=values), "x", bounds, 1)
    expected = dp.Column.from_values(values, bounds, 1)
    assert column.fingerprint != expected.fingerprint
    releases = [
        mechanism.release(one, ASKED, dp.PureDP(1), np.random.default_rng(6)).to_json()
        for one in (column, expected)
    ]
    assert releases[0] == releases[1]


@pytest.mark.law
@by_rows("height", [1, 10])
@by_rows(("low", "high"), TREES)
def test_without_a_resolution_trees_count_exactly_the_records(low, high, height):
    rng, bounds = np.random.default_rng(7), dp.Bounds(low, high)
    edges = (
        dp.CountTree(2, height)
        .release(dp.Column.from_values([], bounds), dp.PureDP(1), rng)
        .edges(height)
    )
    given = dressed(np.concatenate([around(edges), rng.uniform(low, high, 2000)]), bounds, rng)
    records = dp.Column.from_values(as_values(given), bounds)
    column = count_column(in_memory(x=given), "x", bounds, 0)
    trees = [
        dp.CountTree(2, height).release(one, dp.PureDP(1), np.random.default_rng(8))
        for one in (column, records)
    ]
    assert [*trees[0].tree.counts[-1]] == [*trees[1].tree.counts[-1]]
    assert (column.clipped, column.dropped) == (records.clipped, records.dropped)
    assert (
        0
        < column.resolution
        == pytest.approx(bounds.width / 2 ** round(np.log2(bounds.width / column.resolution)))
    )
    if bounds.width > 1e-3:
        assert column.resolution == bounds.width / 2**20


@pytest.mark.law
@by_rows("parts", [1, 64, 1 << 20])
@by_rows(("low", "high"), [(0, 100), (0.1, 0.7), *LONG])
def test_the_edges_of_the_engine_are_those_of_memory(low, high, parts):
    equal = EqualParts.of(dp.Bounds(low, high), parts)
    numbers = np.unique(np.append(np.linspace(0, parts, 5000).astype(np.int64), parts // 4))
    table = in_memory(number=numbers.astype(np.float64))
    found = table.select(at=table.number, edge=edge_numbered(table.number, equal)).to_pyarrow()
    by_number = dict(zip(found["at"].to_pylist(), found["edge"].to_pylist(), strict=True))
    assert by_number == dict(zip(numbers.tolist(), equal.at(numbers).tolist(), strict=True))


def test_without_a_resolution_every_value_is_moved_down_by_less_than_a_bin():
    bounds, values = dp.Bounds(-2, 3), np.random.default_rng(9).uniform(-2, 3, 3000)
    column = count_column(in_memory(x=values), "x", bounds, 0.0)
    moved = np.sort(values) - column.values
    assert column.n == 3000
    assert (moved >= 0).all()
    assert (moved < column.resolution).all()
    assert PointGrid.of(bounds, column.resolution).rounded(column.held) == pytest.approx(
        column.held, abs=1e-12
    )


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2, 2, None, 500, -3], pa.int64()),
        pa.array([1, 2, 2, None, 50, 0], pa.uint8()),
        pa.array([1.5, 2.25, None, 500.0], pa.float32()),
        pa.array([Decimal("1.10"), Decimal("2.25"), None, Decimal("500.00")], pa.decimal128(9, 2)),
    ],
)
def test_whole_decimal_and_short_numbers(tmp_path, values):
    bounds = dp.Bounds(0, 100)
    floats = [np.nan if one is None else float(one) for one in values.to_pylist()]
    expected = dp.Column.from_values(floats, bounds, 0.05)
    for table in (in_memory(x=values), in_duckdb(tmp_path, x=values)):
        column = count_column(table, "x", bounds, 0.05)
        assert column.fingerprint == expected.fingerprint


@pytest.mark.parametrize("resolution", [0, 1])
@pytest.mark.parametrize("values", [[], [None, None], [float("nan"), None]])
def test_tables_without_a_number(values, resolution):
    given = pa.array(values, pa.float64())
    column = count_column(in_memory(x=given), "x", dp.Bounds(0, 9), resolution)
    assert (column.n, column.clipped, column.dropped) == (0, 0, len(values))


def test_a_query_can_be_counted_too():
    table = in_memory(x=[1, 2, 3, 4], kept=[True, False, True, True])
    column = count_column(table.filter(table.kept), "x", dp.Bounds(0, 9), 1)
    assert [*column.values] == [1, 3, 4]
    doubled = table.mutate(twice=table.x * 2)
    assert [*count_column(doubled, "twice", dp.Bounds(0, 9), 1).values] == [2, 4, 6, 8]


TABLE = {"age": [1], "name": ["Ada Secret"], "right": [True], "born": [date(1999, 1, 1)]}


@pytest.mark.parametrize(
    ("column", "bounds", "resolution", "words"),
    [
        ("name", (0, 9), 1, "'name' is of type string"),
        ("born", (0, 9), 1, "'born' is of type"),
        ("Age", (0, 9), 1, "no column 'Age'. It has 'age', 'name'"),
        ("age", (0, 1e9), 1, "1,000,000,001 cells; at most 4,194,304"),
        ("age", (0, 9), -1, "Resolution"),
        ("age", (1, 1 + 4e-16), 0, "few doubles wide"),
    ],
)
def test_refusals_say_what_was_declared(column, bounds, resolution, words):
    with pytest.raises(InvalidData, match=words) as refused:
        count_column(in_memory(**TABLE), column, dp.Bounds(*bounds), resolution)
    assert "Secret" not in str(refused.value)


def test_a_message_names_few_of_many_columns():
    with pytest.raises(InvalidData, match="'c7', …") as refused:
        count_column(in_memory(**{f"c{i}": [i] for i in range(50)}), "x", dp.Bounds(0, 1), 1)
    assert "c8" not in str(refused.value)


def test_the_engines_own_words_are_left_out():
    table = in_memory(name=["Ada Secret"])
    numbers = table.mutate(x=table.name.cast("float64"))
    with pytest.raises(InvalidData, match="engine stopped") as refused:
        count_column(numbers, "x", dp.Bounds(0, 1), 1)
    assert "Secret" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_without_ibis_the_message_says_what_to_install():
    script = (
        "import sys; sys.modules['ibis'] = None\n"
        "import dpviz as dp\n"
        "try: dp.count_column(None, 'x', dp.Bounds(0, 1), 1)\n"
        "except dp.DpvizError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "pip install 'dpviz[engine]'" in done.stdout


@pytest.mark.law
@pytest.mark.parametrize("resolution", [0, 0.5])
def test_nan_among_values_inside_the_bounds(tmp_path, resolution):
    """Parquet's least and greatest value tell DuckDB that all are inside; they leave NaN out."""
    given, bounds = [1.5, np.nan, 2.5, None], dp.Bounds(0, 4)
    expected = count_column(in_memory(x=given), "x", bounds, resolution)
    column = count_column(in_duckdb(tmp_path, x=given), "x", bounds, resolution)
    assert column.fingerprint == expected.fingerprint
    assert column.dropped == expected.dropped == 2
    only = count_column(in_duckdb(tmp_path, x=[np.nan] * 3), "x", bounds, resolution)
    assert (only.n, only.dropped) == (0, 3)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize(
    ("digits", "scale"), [(9, 2), (15, 15), (15, 0), (18, 4), (18, 17), (38, 9), (38, 37), (38, 0)]
)
def test_decimals_have_one_fingerprint_by_file_and_by_engine(tmp_path, digits, scale):
    rng, context = np.random.default_rng(digits + scale), Context(prec=100)
    units = [int("".join(map(str, rng.integers(0, 10, digits)))) for _ in range(5_000)]
    exact = [Decimal(one).scaleb(-scale, context) for one in units]
    x = pa.array([None, *exact], pa.decimal128(digits, scale))
    table = in_duckdb(tmp_path, x=x)
    file = read_table(tmp_path / "table.parquet", "x.parquet").numeric_values("x").values
    doubles = table.select(x=numbers(table, "x", "column")).to_pyarrow()["x"].to_numpy()
    np.testing.assert_array_equal(doubles, file)
    bounds = dp.Bounds(0, 10.0 ** (digits - scale))
    for resolution in (bounds.width / 1000, bounds.width / (1 << 20)):
        column = count_column(table, "x", bounds, resolution)
        expected = count_column(in_memory(x=file), "x", bounds, resolution)
        assert column.fingerprint == expected.fingerprint


def test_whole_numbers_of_64_bits_have_one_fingerprint_by_file_and_by_engine(tmp_path):
    rng = np.random.default_rng(3)
    for kind in (np.int64, np.uint64):
        given = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, 5_000, kind, endpoint=True)
        table = in_duckdb(tmp_path, x=given)
        doubles = table.select(x=numbers(table, "x", "column")).to_pyarrow()["x"].to_numpy()
        file = read_table(tmp_path / "table.parquet", "x.parquet").numeric_values("x").values
        np.testing.assert_array_equal(doubles, file)
        np.testing.assert_array_equal(file, given.astype(float))


def test_decimals_too_long_for_duckdb_are_refused_in_words(tmp_path):
    x = pa.array([Decimal("1.25"), None], pa.decimal256(60, 25))
    parquet.write_table(pa.table({"x": x, "y": [1, 2]}), tmp_path / "t.parquet")
    path = str(tmp_path / "t.parquet")
    assert parquet_table(ibis.duckdb.connect(), path).columns == ("y",)
    with pytest.raises(InvalidData, match="'x' holds decimals of more than 38 digits"):
        parquet_table(ibis.duckdb.connect(), path, ("x",))


@by_rows(("high", "resolution"), [(1e-303, 0.0), (1e-320, 1e-323), (1e-290, 1e-291)])
@by_rows("values", [[], [0.0], [1e-303], [1.0], [np.nan], [1e-320]], ids=str)
def test_what_is_too_narrow_for_doubles_is_refused_by_the_declaration(high, resolution, values):
    """An engine's sums overflowed for values inside alone: whether it stopped told of them."""
    table = in_memory(v=pa.array(values, pa.float64()))
    with pytest.raises(InvalidData, match=r"at least 1e-280 wide for a count in an engine"):
        count_column(table, "v", dp.Bounds(0, high), resolution)
