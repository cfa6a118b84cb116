"""A declared kind is taken or refused with rows and without, whatever is in them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dpviz as dp
from dpviz.core.errors import DpvizError
from dpviz.people.rows import labels

BOUNDS = dp.Bounds(0, 10)
TEXTS = ("string", "large_string", "binary", "large_binary", "string_view", "binary_view")
LISTS = [pa.list_(pa.int64()), pa.large_list(pa.int64()), pa.list_(pa.int64(), 1)]
# of no numbers: by their names, ways to make them of nothing, of a missing value, and of one value
NONE_OF: dict[str, Callable[[int], Any]] = {
    **{
        f"pandas {kind}": lambda k, kind=kind, one=one: pd.Series([None, one][2 - k :], dtype=kind)
        for kind, one in {
            "string": "1",
            "str": "1",
            "period[Y]": pd.Period("2020"),
            "datetime64[ns, UTC]": pd.Timestamp("2020", tz="UTC"),
            "datetime64[ns]": pd.Timestamp("2020"),
            "timedelta64[ns]": pd.Timedelta(1),
            "interval[float64]": pd.Interval(0.0, 1.0),
        }.items()
    },
    "pandas category of texts": lambda k: pd.Series(
        pd.Categorical([None, "1"][2 - k :], categories=pd.Index(["1"], dtype="str"))
    ),
    "pandas dates of Arrow": lambda k: pd.Series(
        pd.array([None, 1][2 - k :], dtype=pd.ArrowDtype(pa.int32()))
    ).astype(pd.ArrowDtype(pa.date32())),
    **{
        f"Arrow {kind}": lambda k, kind=kind: pa.array([None, b"1"][2 - k :], getattr(pa, kind)())
        for kind in TEXTS
    },
    "Arrow time32": lambda k: pa.array([None, 1][2 - k :], pa.time32("s")),
    "Arrow date32": lambda k: pa.array([None, 1][2 - k :], pa.date32()),
    "Arrow duration": lambda k: pa.array([None, 1][2 - k :], pa.duration("s")),
    "Arrow texts, coded": lambda k: (
        pa.array([None, "1"][2 - k :]).cast(pa.string()).dictionary_encode()
    ),
    **{
        f"Arrow {kind}": lambda k, kind=kind: pa.array([None, [1]][2 - k :], kind) for kind in LISTS
    },
    "Arrow list_view, no chunks": lambda _: pa.chunked_array([], pa.list_view(pa.int64())),
    "Arrow runs, no chunks": lambda _: pa.chunked_array(
        [], pa.run_end_encoded(pa.int32(), pa.int64())
    ),
    "Arrow runs": lambda k: pa.RunEndEncodedArray.from_arrays(
        pa.array(range(1, k + 1), pa.int32()), pa.array([None, 1][2 - k :], pa.int64())
    ),
    "NumPy texts": lambda k: np.array(["", "1"][2 - k :], dtype="U4"),
    "NumPy dates": lambda k: np.array(["NaT", "2020"][2 - k :], dtype="M8[Y]"),
    "NumPy complex": lambda k: np.array([np.nan, 1][2 - k :], dtype=complex),
    "pandas sparse complex": lambda k: pd.arrays.SparseArray(
        np.array([np.nan, 1j][2 - k :], dtype=complex)
    ),
}
# of numbers, the same
SOME_OF: dict[str, Callable[[int], Any]] = {
    **{
        f"pandas {kind}": lambda k, kind=kind: pd.Series([None, 1][2 - k :], dtype=kind)
        for kind in ("Int64", "Float32", "boolean", "float64", "object", "Sparse[float64]")
    },
    "pandas category of numbers": lambda k: pd.Series(
        pd.Categorical([None, 1][2 - k :], categories=[1, 2])
    ),
    **{
        f"Arrow {kind}": lambda k, kind=kind: pa.array([None, 1][2 - k :], kind)
        for kind in (pa.int8(), pa.uint64(), pa.float32(), pa.float16(), pa.decimal128(5, 2))
    },
    "Arrow numbers, coded": lambda k: pa.array([None, 1][2 - k :], pa.int64()).dictionary_encode(),
    "Arrow null": pa.nulls,
    "pandas decimals of Arrow": lambda k: pd.Series(
        [None, Decimal(1)][2 - k :], dtype=pd.ArrowDtype(pa.decimal128(5, 2))
    ),
    "list": lambda k: [None, 1][2 - k :],
    "NumPy objects": lambda k: np.array([None, Decimal(1)][2 - k :], dtype=object),
}
TAKE: dict[str, Callable[[Any], Any]] = {
    "column": lambda given: dp.Column.from_values(given, BOUNDS),
    "points": lambda given: dp.Points.from_xy(given, given, dp.Box(BOUNDS, BOUNDS)),
}


def outcome(take: Callable[[Any], Any], given: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            take(given)
        except DpvizError as error:
            return f"{type(error).__name__}: {error}, of {error.__cause__}"
    return "taken"


@pytest.mark.parametrize("take", TAKE.values(), ids=TAKE)
@pytest.mark.parametrize("name", NONE_OF)
def test_a_kind_of_no_numbers_is_refused_with_rows_and_without(
    name: str, take: Callable[[Any], Any]
):
    found = {outcome(take, NONE_OF[name](many)) for many in range(3)}
    assert len(found) == 1
    assert found.pop().startswith("InvalidData")


@pytest.mark.parametrize("take", TAKE.values(), ids=TAKE)
@pytest.mark.parametrize("name", SOME_OF)
def test_a_kind_of_numbers_is_taken_with_rows_and_without(name: str, take: Callable[[Any], Any]):
    assert {outcome(take, SOME_OF[name](many)) for many in range(3)} == {"taken"}


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
@pytest.mark.parametrize("fill", [0.0, np.nan, 1.0])
def test_sparse_names_are_those_of_their_own_kind(kind: str, fill: float):
    """One row that is the gap's value must not tell everybody else apart."""
    start = {"f2": 2.0**11, "f4": 2.0**24, "f8": 2.0**53}[kind]
    large = (start + 2 * np.arange(6)).astype(kind)
    with np.errstate(over="ignore"):
        alone = labels(pd.arrays.SparseArray(large, fill_value=large.dtype.type(fill)))
        more = np.append(large, large.dtype.type(fill))
        beside = labels(pd.arrays.SparseArray(more, fill_value=fill))
    assert alone.tolist() == labels(large).tolist() == [-1] * 6
    assert beside.tolist() == labels(more).tolist()
    assert (beside[:-1] == -1).all()


@pytest.mark.parametrize(
    "odd", [Decimal("sNaN"), np.timedelta64(5), np.timedelta64("NaT"), Decimal("NaN"), None, np.nan]
)
def test_a_part_of_a_name_refuses_nobody(odd: Any):
    found = labels([(1, odd), (1, 2), (1, odd), ((1, odd), 2)])
    assert found[1] not in (found[0], -1)
    assert found.min() >= 0


def test_rows_of_parts_are_names_of_parts():
    kind = [("a", "i4"), ("b", "U3")]
    rows = np.array([(1, "x"), (1, "y"), (1, "x")], dtype=kind)
    assert labels(rows).tolist() == [0, 1, 0]
    assert labels(rows[:0]).size == 0


@pytest.mark.parametrize("rows", [0, 2])
def test_rows_of_lists_are_refused_with_rows_and_without(rows: int):
    with pytest.raises(DpvizError, match="can be compared") as error:
        labels(np.zeros(rows, dtype=[("a", "i4", (2,))]))
    assert error.value.__context__ is None


def test_what_is_refused_quotes_no_name():
    with pytest.raises(DpvizError) as error:
        labels([["secret"], ["other"]])
    assert error.value.__context__ is None
    assert "secret" not in str(error.value)


def test_a_kind_of_float_is_a_float():
    class Mine(float):
        pass

    assert labels([Mine(1), 1.0, Mine(2)]).tolist() == [0, 0, 1]
