"""A counts file: read back as it was written, refused in words when it is damaged."""

from __future__ import annotations

import io
import json
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.core.errors import InvalidData, UnreadableFile
from dpviz.intake.engine.counts_file import read_counts, write_counts
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 10.3)
DECLARED = {
    "version": 1,
    "column": "x",
    "low": 0,
    "high": 10.3,
    "resolution": 0.1,
    "missing": 2,
    "clipped": 1,
}


def written(column: dp.Column) -> bytes:
    file = io.BytesIO()
    write_counts(column, "x", file)
    return file.getvalue()


def made(
    declared: object = DECLARED,
    values: object = (0.1, 5.0),
    counts: object = (3, 4),
    names: tuple[str, str] = ("value", "count"),
) -> bytes:
    """A file as anybody might write it."""
    text = declared if isinstance(declared, bytes) else json.dumps(declared).encode()
    columns = [
        one if isinstance(one, pa.Array) else pa.array(one, kind)
        for one, kind in ((values, pa.float64()), (counts, pa.int64()))
    ]
    table = pa.table(dict(zip(names, columns, strict=True)))
    sink = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({"dpviz": text}), sink)
    return sink.getvalue()


@pytest.mark.parametrize("resolution", [0, 0.1])
@pytest.mark.parametrize("values", [[], [np.nan], [5.3], [-5, 0.1, 0.1, 3, 99, np.nan, np.inf]])
def test_it_is_read_back_as_it_was_written(tmp_path, values, resolution):
    column = dp.Column.from_values(values, BOUNDS, resolution)
    content = written(column)
    path = tmp_path / "counts.parquet"
    path.write_bytes(content)
    for source in (content, path, io.BytesIO(content)):
        again = read_counts(source)
        assert again.fingerprint == column.fingerprint
        assert (again.clipped, again.dropped) == (column.clipped, column.dropped)
        assert again.counted


def test_its_columns_and_metadata_are_those_of_the_format():
    content = written(dp.Column.from_values([-1, 2, 2], BOUNDS, 0.1))
    table = parquet.read_table(io.BytesIO(content))
    assert table.to_pydict() == {"value": [0, 2], "count": [1, 2]}
    assert json.loads(table.schema.metadata[b"dpviz"]) == {**DECLARED, "missing": 0}


def test_a_file_made_elsewhere_is_read():
    column = read_counts(made())
    assert (column.n, column.clipped, column.dropped) == (7, 1, 2)
    assert column.bounds == BOUNDS


@by_rows(
    ("content", "words"),
    [
        (b"value,count\n1,2\n", "no counts file"),
        (b"PAR1", "damaged"),
        (b"PAR1" + bytes(100) + b"PAR1", "damaged"),
        (made()[:-20] + b"PAR1", "damaged"),
        (made(names=("value", "number")), "value .double. and count"),
        (made(counts=pa.array([1.0, 2.0])), "value .double. and count"),
        (made(declared=b"{"), "declarations are missing"),
        (made(declared=b"[" * 100_000), "declarations are missing"),
        (made(declared=[1]), "declarations are missing"),
        (made(declared={"version": 1}), "declarations are missing"),
        (made(declared={**DECLARED, "version": 2}), "another version"),
        (made(declared={**DECLARED, "version": True}), "another version"),
        (made(declared={**DECLARED, "low": 11}), "lower bound"),
        (made(declared={**DECLARED, "low": "0"}), "low must be a number"),
        (made(declared={**DECLARED, "high": 10**400}), "high"),
        (made(declared={**DECLARED, "resolution": -1}), "Resolution"),
        (made(declared={**DECLARED, "missing": -1}), "missing"),
        (made(declared={**DECLARED, "clipped": 1.5}), "clipped"),
        (made(declared={**DECLARED, "clipped": 8}), "disagree"),
        (made(values=(5.0, 0.1)), "ascend"),
        (made(values=(5.0, 5.0)), "ascend"),
        (made(values=(5.0, 10.4)), "ascend"),
        (made(values=(5.0, float("nan"))), "ascend"),
        (made(values=(5.0, None)), "missing"),
        (made(counts=(5, None)), "missing"),
        (made(counts=(5, 0)), "ascend"),
        (made(counts=(5, -1)), "negative"),
        (made(counts=(2**60, 2**60)), "2.53"),
    ],
)
def test_anything_else_is_refused(content, words):
    with pytest.raises(UnreadableFile, match=words) as refused:
        read_counts(content)
    assert str(refused.value).endswith(".")


def test_a_changed_byte_gives_a_column_or_a_refusal():
    content, rng = made(), np.random.default_rng(1)
    for place in rng.integers(0, len(content), 300):
        changed = bytearray(content)
        changed[place] ^= 1 << rng.integers(0, 8)
        with suppress(dp.DpvizError):
            assert read_counts(bytes(changed)).n >= 0


@pytest.mark.parametrize("source", [None, 3, "counts.parquet", io.StringIO("a"), b""])
def test_no_file_at_all(source):
    with pytest.raises(InvalidData):
        read_counts(source)
