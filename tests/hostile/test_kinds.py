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
from dpviz.core.spatial.space import Space, SpacePoints
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 10)
TEXTS = ("string", "large_string", "binary", "large_binary", "string_view", "binary_view")
LISTS = [pa.list_(pa.int64()), pa.large_list(pa.int64()), pa.list_(pa.int64(), 1)]
# of no numbers: by their names, ways to make them of nothing, of a missing value, and of one value
NONE_OF: dict[str, Callable[[int], Any]] = {
    "pandas several columns": lambda k: pd.MultiIndex.from_arrays([range(k), range(k)]),
    "pandas rows in groups": lambda k: pd.DataFrame({"by": ["a"] * k, "pay": [1.0] * k}).groupby(
        "by"
    )["pay"],
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


@by_rows("take", TAKE.values(), ids=TAKE)
@by_rows("name", NONE_OF)
def test_a_kind_of_no_numbers_is_refused_with_rows_and_without(
    name: str, take: Callable[[Any], Any]
):
    found = {outcome(take, NONE_OF[name](many)) for many in range(3)}
    assert len(found) == 1
    assert found.pop().startswith("InvalidData")


@by_rows("take", TAKE.values(), ids=TAKE)
@by_rows("name", SOME_OF)
def test_a_kind_of_numbers_is_taken_with_rows_and_without(name: str, take: Callable[[Any], Any]):
    assert {outcome(take, SOME_OF[name](many)) for many in range(3)} == {"taken"}


@pytest.mark.parametrize(
    "kind",
    ["boolean", "bool", "string", "Sparse[bool]", pd.ArrowDtype(pa.decimal128(38, 0))],
    ids=str,
)
def test_a_kind_of_no_counts_is_refused_with_rows_and_without(kind: Any):
    def count(given: Any) -> Any:
        return dp.Column.from_counts([5.0] * len(given), given, BOUNDS)

    rows = pd.Series([1], dtype="Int64").astype(kind)
    found = {outcome(count, given) for given in (rows[:0], rows)}
    assert len(found) == 1
    assert found.pop().startswith("InvalidData")


def test_what_has_a_schema_or_dtypes_of_its_own_is_refused_in_words():
    class Engine:
        def schema(self) -> None: ...

    class Frame:
        schema = [("x", "double")]  # noqa: RUF012
        dtypes = [("x", "double")]  # noqa: RUF012

    for odd in (Engine(), Frame(), pa.int64()):
        for take in TAKE.values():
            assert outcome(take, odd).startswith("InvalidData")


def test_no_counts_are_counts():
    assert dp.Column.from_counts([], [], BOUNDS).n == 0
    assert dp.Column.from_counts([], pd.Series([], dtype="Int64"), BOUNDS).n == 0


@pytest.mark.parametrize("values", [[], [None], ["1"]])
def test_tables_of_texts_are_no_points_with_rows_and_without(values: list[Any]):
    space = Space((BOUNDS, BOUNDS))
    tables = (
        pd.DataFrame({one: pd.Series(values, dtype="str") for one in "xy"}),
        pa.table({one: pa.array(values, pa.string()) for one in "xy"}),
    )
    for table in tables:
        assert outcome(lambda one: SpacePoints.from_values(one, space), table).startswith("Inv")
    days = pd.Series(["2020"][: len(values)], dtype="datetime64[ns]")
    beside = pd.DataFrame({"x": pd.Series([1.0][: len(values)]), "y": days})
    assert outcome(lambda one: SpacePoints.from_values(one, space), beside).startswith("Inv")
    assert SpacePoints.from_values([], space).n == 0
    assert SpacePoints.from_values(pd.DataFrame({"x": [1.0], "y": [2.0]}), space).n == 1
    for size in (0, 1):
        assert outcome(lambda one: SpacePoints.from_values(one, space), np.zeros(size))[:3] == "Inv"


@pytest.mark.parametrize("values", [[], [None], ["yes"]])
def test_of_objects_a_categorys_own_list_decides(values: list[Any]):
    texts = pd.CategoricalDtype(pd.Index(["no", "yes"], dtype=object))
    assert outcome(TAKE["column"], pd.Series(values, dtype=texts)).startswith("InvalidData")


class Coded(pa.ExtensionType):
    def __init__(self) -> None:
        super().__init__(pa.dictionary(pa.int8(), pa.float64()), "tests.coded")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, _: bytes) -> Coded:
        return cls()


@pytest.mark.parametrize("codes", [[], [0], [0, None], [None]])
def test_codes_inside_an_extension_are_refused_whatever_is_missing(codes: list[int | None]):
    stored = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array([1.0]))
    array = pa.ExtensionArray.from_storage(Coded(), stored)
    chunks = pa.chunked_array([array])
    for values in (array, chunks, pd.Series(pd.arrays.ArrowExtensionArray(chunks))):
        with pytest.raises(DpvizError, match="needs numbers"):
            dp.Column.from_values(values, BOUNDS)


@pytest.mark.parametrize("last", [[], [9]])
def test_missing_codes_of_a_table_are_no_points(last: list[int]):
    """NumPy would read each as the last of the dictionary."""
    coded = pa.array([7, None, None, *last]).dictionary_encode()
    table = pa.table({"x": pa.chunked_array([coded]), "y": [1.0] * len(coded)})
    found = SpacePoints.from_values(table, Space((BOUNDS, BOUNDS)))
    assert found.at.tolist() == [[7, 1], *([one, 1] for one in last)]
    assert found.dropped == 2


def test_masked_rows_of_a_list_are_no_points():
    rows = [np.ma.array([1, 2], mask=[1, 0]), [3, 4], np.ma.array([5, 6])]
    found = SpacePoints.from_values(rows, Space((BOUNDS, BOUNDS)))
    assert found.at.tolist() == [[3, 4], [5, 6]]
    assert found.dropped == 1


@pytest.mark.parametrize("number", [7, 7.0])
def test_masked_cells_of_rows_are_missing(number: float, recwarn: pytest.WarningsRecorder):
    space = Space((BOUNDS, BOUNDS))
    for masked in (np.ma.array(number, mask=True), np.ma.masked):
        found = SpacePoints.from_values([(masked, 1), (3, 4)], space)
        assert found.at.tolist() == [[3, 4]]
        assert found.dropped == 1
    assert SpacePoints.from_values([(np.ma.array(number), 1)], space).at.tolist() == [[7, 1]]
    assert not recwarn.list


@pytest.mark.parametrize("other", ["int64", "category", "bool"])
def test_missing_categories_of_a_frame_are_no_points(other: str, recwarn: pytest.WarningsRecorder):
    """NumPy would read them as the least whole number, or as True."""
    kind = bool if other == "bool" else int
    frame = pd.DataFrame(
        {
            "x": pd.Categorical([1, None], categories=[0, 1]).rename_categories([kind(0), kind(1)]),
            "y": pd.Series([1, 1]).astype(other),
        }
    )
    found = SpacePoints.from_values(frame, Space((BOUNDS, BOUNDS)))
    assert found.at.tolist() == [[1, 1]]
    assert found.dropped == 1
    assert not recwarn.list
