"""A declared kind is taken or refused with rows and without, whatever is in them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dpviz as dp
from dpviz.core.errors import DpvizError
from dpviz.core.spatial.space import Space, SpacePoints
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
    assert found[0] == found[2]
    assert found.min() >= 0


MISSING_PARTS = [
    lambda: np.float64("nan"), lambda: np.float32("nan"), lambda: np.longdouble("nan"),
    lambda: float("nan"), lambda: complex("nan"), lambda: np.complex128("nan"),
    lambda: np.datetime64("NaT"), lambda: np.timedelta64("NaT"), lambda: Decimal("NaN"),
    lambda: pd.NaT, lambda: pd.NA, lambda: None, lambda: np.ma.masked,
]  # fmt: skip


@pytest.mark.parametrize("part", MISSING_PARTS, ids=lambda one: repr(one()))
@pytest.mark.parametrize("rows", [dp.PersonRows.at_most(1), dp.PersonRows.weighted()])
def test_rows_of_a_name_with_a_missing_part_are_one_person(part: Any, rows: dp.PersonRows):
    """Of objects that are not one another; three rows count as one row does."""
    counted = [
        dp.person_column(
            [(7.0, part(), ("a", part())) for _ in range(many)],
            [5.0] * many, BOUNDS, 1, rows, np.random.default_rng(0),
        ).n
        for many in (1, 3)
    ]  # fmt: skip
    assert counted[0] == counted[1] > 0


def test_a_part_that_tells_nobody_apart_is_missing():
    assert len(set(labels([(7, 2.0**53), (7, 2.0**53 + 2), (7, np.float32(2**24))]))) == 1
    assert len(set(labels([(7, 2.0**53 - 1), (7, 2.0**53 - 2)]))) == 2


def test_rows_of_parts_are_names_of_parts():
    kind = [("a", "i4"), ("b", "U3")]
    rows = np.array([(1, "x"), (1, "y"), (1, "x")], dtype=kind)
    assert labels(rows).tolist() == [0, 1, 0]
    assert labels(rows[:0]).size == 0


@pytest.mark.parametrize("rows", [0, 2])
@pytest.mark.parametrize("kind", [[("a", "i4", (2,))], [("a", [("b", "i4", (2,))])]])
def test_rows_of_lists_are_refused_with_rows_and_without(rows: int, kind: Any):
    with pytest.raises(DpvizError, match="can be compared") as error:
        labels(np.zeros(rows, dtype=kind))
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


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize("rows", [0, 2])
def test_names_in_several_columns_are_refused_whatever_is_missing(missing: int, rows: int):
    """pandas would make floats of all whole numbers beside a part that is missing."""
    ids = [2**53 + 1, 2**53 + 3][:rows] + [None] * missing
    parts = pd.DataFrame({"id": pd.Categorical(ids, categories=[2**53 + 1, 2**53 + 3]), "b": "a"})
    with pytest.raises(DpvizError, match="tuple"):
        labels(pd.MultiIndex.from_frame(parts))


@dataclass(frozen=True)
class Name:
    number: int
    part: float


@pytest.mark.parametrize(
    "name",
    [
        frozenset({("a", float("nan"))}),
        Name(7, 1.0),
        [1],
        {1},
        object(),
        pa.scalar(float("nan")),
        pa.scalar(""),
        np.array([1]),
        np.void(b"ab"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_other_things_are_no_names_by_their_class(name: Any):
    """Within them nobody finds what is missing: two rows of one person would be two people."""
    for persons in ([name], [1, name], [(1, name)], [(1, (2, name))]):
        with pytest.raises(DpvizError, match="can be compared") as error:
            labels(persons)
        assert error.value.__context__ is None


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_parts_of_rows_keep_their_kinds(kind: str):
    """2^24 of 32 bits tells nobody apart, as in a column of its own; neighbours of it neither."""
    least = 2.0 ** (np.finfo(kind).nmant + 1)
    rows = np.array(
        [(1, least), (1, least - 1), (1, least + 2), (1, least - 2)], [("a", "i4"), ("b", kind)]
    )
    tuples = [(int(a), b) for a, b in zip(rows["a"], rows["b"], strict=True)]
    nested = np.array([((b,),) for b in rows["b"]], [("a", [("b", kind)])])
    for persons in (rows, tuples, list(rows), nested, list(nested)):
        assert labels(persons).tolist() == [0, 1, 0, 2]
    frozen = rows.copy()
    frozen.flags.writeable = False
    assert labels(list(frozen)).tolist() == [0, 1, 0, 2]


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


def test_names_are_of_all_that_is_compared_by_value():
    class Kind(Enum):
        A = 1

    names = [
        *(1, 2.5, Decimal("7.5"), Fraction(1, 3), 1j, "a", b"a", True, Kind.A, UUID(int=3)),
        *(date(2020, 1, 1), time(1), timedelta(1), datetime(2020, 1, 2), np.datetime64("2021")),
        *(pd.Period("2020"), pd.Interval(0, 1), pd.Timestamp("2022"), np.int8(9), ("a", 1)),
    ]
    found = labels([*names, None, pd.NA, pd.NaT, *names])
    people = found[: len(names)]
    assert len(set(people)) == len(names) - 1  # True is 1
    assert (found[-len(names) :] == people).all()
    assert (found[len(names) : -len(names)] == -1).all()


@pytest.mark.parametrize("rows", [0, 2])
def test_kinds_of_no_names_are_refused_with_rows_and_without(rows: int):
    for kind in ("V4", [("a", "V4")], [("a", [("b", "V2")])], np.clongdouble):
        given = np.zeros(rows, dtype=kind)
        for persons in (given, list(given)) if rows and kind != np.clongdouble else (given,):
            with pytest.raises(DpvizError, match="can be compared"):
                labels(persons)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([("Ann", np.float32("nan")), ("Ann", np.float32("nan")), ("Bo", 1.0)], [0, 0, 1]),
        (["", "a", None, "a", ""], [-1, 0, -1, 0, -1]),
        ([2.0**53, 2.0**53 + 2, "a"], [-1, -1, 0]),
    ],
)
def test_arrays_within_those_of_pandas_are_read_as_their_own(names: Any, expected: list[int]):
    series = pd.Series(names, dtype=object)
    for persons in (names, series, series.array, pd.array(names, dtype=object)):
        assert labels(persons).tolist() == expected
    with pytest.raises(DpvizError, match="can be compared"):
        labels(pd.Series([frozenset()], dtype=object).array)
    rows = np.array([(1, np.nan), (1, np.nan)], [("a", "i4"), ("b", "f4")])
    assert labels(pd.arrays.NumpyExtensionArray(rows)).tolist() == [0, 0]
    texts = np.array(["", "b"], dtype=np.dtypes.StringDType())
    assert labels(texts).tolist() == [-1, 0]


@pytest.mark.parametrize("between", range(0, 40, 3))
def test_times_of_numpy_are_no_days_and_no_numbers(between: int):
    """Equal to them with other hashes: they were one name or two by how many others there are."""
    others = [f"name {at}" for at in range(between)]
    for one, other in (
        (np.datetime64("2020-01-01", "D"), date(2020, 1, 1)),
        (np.timedelta64(77, "D"), 77),
        (np.timedelta64(77), 77),
        (np.timedelta64(7, "M"), 7),
    ):
        found = labels([one, *others, other, (one, 1), (other, 1)])
        assert len(set(found)) == between + 4
    same = [np.datetime64("2020-01-01T00", unit) for unit in ("h", "s", "ns")]
    assert set(labels([*same, datetime(2020, 1, 1), pd.Timestamp("2020")])) == {0}
    assert set(labels([np.timedelta64(1, "D"), timedelta(1), pd.Timedelta(1, "D")])) == {0}
    far = np.datetime64(2**40, "D")
    assert labels([far, far, (far, np.datetime64("NaT")), np.datetime64("NaT")]).tolist() == [
        *(0, 0, 1, -1)
    ]


def test_classes_that_only_share_a_name_with_those_of_pandas_are_refused():
    @dataclass(frozen=True)
    class Interval:
        low: float

    for persons in ([Interval(1.0)], [(1, Interval(1.0))]):
        with pytest.raises(DpvizError, match="can be compared"):
            labels(persons)


def test_a_kind_of_somebody_else_is_refused():
    class Kind(pd.api.extensions.ExtensionDtype):
        name, type, na_value = "kind", float, float("nan")

        @classmethod
        def construct_array_type(cls) -> Any:
            return Values

    class Values(pd.arrays.NumpyExtensionArray):
        @property
        def dtype(self) -> Any:
            return Kind()

    with pytest.raises(DpvizError, match="can be compared"):
        labels(Values(np.array([1.0, 2.0])))


def test_tuples_in_tuples_without_end_are_refused():
    deep: Any = 1
    for _ in range(100_000):
        deep = (deep,)
    with pytest.raises(DpvizError, match="can be compared"):
        labels([deep])


@pytest.mark.parametrize("number", [7, 7.0])
def test_masked_cells_of_rows_are_missing(number: float, recwarn: pytest.WarningsRecorder):
    space = Space((BOUNDS, BOUNDS))
    for masked in (np.ma.array(number, mask=True), np.ma.masked):
        found = SpacePoints.from_values([(masked, 1), (3, 4)], space)
        assert found.at.tolist() == [[3, 4]]
        assert found.dropped == 1
    assert SpacePoints.from_values([(np.ma.array(number), 1)], space).at.tolist() == [[7, 1]]
    assert not recwarn.list


def test_numbers_of_numpy_are_those_of_python():
    """Twin: with other hashes two equal names are one or two by how many others there are."""
    sizes = [4.139, 2.426, 0.198, 4.051, 1.838, 4.588, 0.084]
    pairs = [one for size in sizes for one in (np.float32(size), float(np.float32(size)))]
    for more in range(9, 30):
        assert len(set(labels([*pairs, *range(1000, 1000 + more)]))) == len(sizes) + more
    both = [np.int64(5), Decimal(5)]
    assert labels(both).tolist() == labels(both[::-1]).tolist() == [0, 0]
    assert labels([(np.int64(5), 1), (Decimal(5), 1), (5.0, True)]).tolist() == [0, 0, 0]


@pytest.mark.parametrize("between", [0, 5, 40])
def test_times_far_away_are_one_in_every_unit(between: int):
    for day in (2**40, -(2**40)):
        names = [np.datetime64(day, "D"), np.datetime64(day * 86_400, "s")]
        assert len(set(labels([*names, *range(between)]))) == 1 + between
    years = [np.datetime64(20_000, "Y"), np.datetime64("21970-01-01", "D")]
    assert labels(years).tolist() == [0, 0]
    lengths = [np.timedelta64(2**40, "D"), np.timedelta64(2**40 * 24, "h"), np.timedelta64(7, "Y")]
    assert labels(lengths).tolist() == [0, 0, 1]


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
