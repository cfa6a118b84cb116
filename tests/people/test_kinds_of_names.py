"""Which names are taken: by the declared kind, or the classes of a list, whatever is in them."""

from __future__ import annotations

import itertools
import warnings
from collections import namedtuple
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

import dpviz as dp
from dpviz.core.errors import DpvizError, InvalidData
from dpviz.people.rows import _UNLIKE, labels
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 10)
REFUSAL = f"InvalidData: {_UNLIKE}, of None"
ID = UUID(int=3)


def outcome(persons: Any) -> str:
    """What becomes of names, under the strictest states that a caller can ask for."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        try:
            labels(persons)
        except DpvizError as error:
            return f"{type(error).__name__}: {error}, of {error.__context__}"
    return "taken"


# ways to make a kind of nothing, of a missing name, and of one or two names as well
def arrow(kind: Any, one: Any, other: Any) -> Callable[[int], Any]:
    return lambda k: pa.array([None, one, other, one][:k], kind)


def coded(kind: Any, one: Any, other: Any) -> Callable[[int], Any]:
    return lambda k: pa.array([None, one, other, one][:k], kind).dictionary_encode()


def pandas(kind: Any, one: Any, other: Any) -> Callable[[int], Any]:
    return lambda k: pd.Series([None, one, other, one][:k], dtype=kind)


def category(kind: Any, one: Any, other: Any) -> Callable[[int], Any]:
    kinds = pd.CategoricalDtype(pd.Index([one, other], dtype=kind, tupleize_cols=False))
    return lambda k: pd.Series([None, one, other, one][:k], dtype=kinds)


def numpy(kind: Any, none: Any, one: Any, other: Any) -> Callable[[int], Any]:
    return lambda k: np.array([none, one, other, one][:k], dtype=kind)


DAYS = pd.Timestamp("2020"), pd.Timestamp("2021")
ZONED = pd.Timestamp("2020", tz="UTC"), pd.Timestamp("2021", tz="UTC")
TAKEN: dict[str, Callable[[int], Any]] = {
    **{f"pandas {kind}": pandas(kind, "a", "b") for kind in ("str", "string", "object")},
    "pandas texts of Python": pandas(pd.StringDtype("python"), "a", "b"),
    **{f"pandas {kind}": pandas(kind, 1, 2) for kind in ("Int8", "UInt64", "float32", "Float32")},
    "pandas boolean": pandas("boolean", True, False),
    "pandas times": pandas("datetime64[ns]", *DAYS),
    **{f"pandas category of {kind}": category(kind, "a", "b") for kind in ("str", "object")},
    "pandas category of tuples": category("object", ("a", 1), ("a", 2)),
    "pandas category of numbers": category("int64", 1, 2),
    "pandas category of times": category("datetime64[s]", *DAYS),
    "pandas texts of Arrow": pandas(pd.ArrowDtype(pa.large_string()), "a", "b"),
    "pandas dates of Arrow": pandas(pd.ArrowDtype(pa.date32()), date(2020, 1, 1), date(2021, 1, 1)),
    **{
        f"Arrow {kind}": make(kind, "a", "b")
        for kind in (pa.string(), pa.large_string(), pa.binary(), pa.binary(1))
        for make in (arrow, coded)
    },
    "Arrow texts in views": arrow(pa.string_view(), "a", "b"),
    "Arrow bytes in views": arrow(pa.binary_view(), "a", "b"),
    "Arrow UUIDs": arrow(pa.uuid(), ID.bytes, UUID(int=4).bytes),
    **{
        f"Arrow {kind}, {make.__name__}": make(kind, 1, 2)
        for kind in (pa.int8(), pa.uint64(), pa.float64(), pa.date32(), pa.timestamp("s"))
        for make in (arrow, coded)
    },
    "Arrow half floats": arrow(pa.float16(), np.float16(1), np.float16(2)),
    "Arrow booleans": arrow(pa.bool_(), True, False),
    "NumPy texts": numpy("U2", "", "a", "b"),
    "NumPy texts of any length": numpy("T", "", "a", "b"),
    "NumPy bytes": numpy("S2", b"", b"a", b"b"),
    **{f"NumPy {kind}": numpy(kind, np.nan, 1, 2) for kind in ("f2", "f4", ">f8")},
    **{f"NumPy {kind}": numpy(kind, "NaT", 1, 2) for kind in ("M8[D]", ">M8[as]", "M8[25s]")},
    "NumPy objects": numpy(object, None, "a", 2),
    "a list": lambda k: [None, ID, ("a", 1), ID][:k],
    "a tuple": lambda k: (None, ID, ("a", 1), ID)[:k],
}
PART = [("a", "i4"), ("b", "U3")]
INTERVALS = pd.Interval(0, 1), pd.Interval(1, 2)
REFUSED: dict[str, Callable[[int], Any]] = {
    "pandas zoned times": pandas("datetime64[ns, UTC]", *ZONED),
    "pandas index of zoned times": lambda k: pd.DatetimeIndex([None, *ZONED][:k], tz="UTC"),
    "pandas periods": pandas("period[Y]", pd.Period("2020"), pd.Period("2021")),
    "pandas intervals": pandas("interval[float64]", *INTERVALS),
    "pandas lengths": pandas("timedelta64[ns]", pd.Timedelta(1), pd.Timedelta(2)),
    "pandas sparse": pandas("Sparse[float64]", 1.0, 2.0),
    "pandas sparse whole": lambda k: pd.arrays.SparseArray(np.arange(k), fill_value=0),
    "pandas category of decimals": category("object", Decimal(1), Decimal(2)),
    "pandas category of intervals": category("interval[int64]", *INTERVALS),
    "pandas category of zoned times": category("datetime64[ns, UTC]", *ZONED),
    "pandas decimals of Arrow": pandas(pd.ArrowDtype(pa.decimal128(5, 2)), Decimal(1), Decimal(2)),
    "pandas lists of Arrow": pandas(pd.ArrowDtype(pa.list_(pa.int64())), [1], [2]),
    "pandas several columns": lambda k: pd.MultiIndex.from_arrays([range(k), [None, *"abc"][:k]]),
    "pandas table": lambda k: pd.DataFrame({"a": [None, 1, 2, 1][:k]}),
    **{
        f"Arrow {kind}, {make.__name__}": make(kind, one, other)
        for kind, one, other in (
            (pa.decimal128(5, 2), Decimal(1), Decimal(2)),
            (pa.time64("us"), 1, 2),
            (pa.duration("s"), 1, 2),
            (pa.timestamp("us", "UTC"), 1, 2),
        )
        for make in (arrow, coded)
    },
    "Arrow lists": arrow(pa.list_(pa.int64()), [1], [2]),
    "Arrow structs": arrow(pa.struct([("a", pa.int64())]), {"a": 1}, {"a": 2}),
    "Arrow maps": arrow(pa.map_(pa.string(), pa.int8()), [("a", 1)], [("a", 2)]),
    "Arrow runs": lambda k: pa.RunEndEncodedArray.from_arrays(
        pa.array(range(1, k + 1), pa.int32()), pa.array([None, 1, 2, 1][:k], pa.int64())
    ),
    "Arrow extension of texts": arrow(pa.json_(), "1", "2"),
    "Arrow table": lambda k: pa.table({"a": pa.array([None, "a", "b"][:k], pa.string())}),
    "NumPy lengths": numpy("m8[s]", "NaT", 1, 2),
    "NumPy lengths without a unit": numpy("m8", "NaT", 1, 2),
    "NumPy complex": numpy(complex, np.nan, 1, 2),
    "NumPy long doubles": numpy(np.longdouble, np.nan, 1, 2),
    "NumPy long complex": numpy(np.clongdouble, np.nan, 1, 2),
    "NumPy bytes of no kind": lambda k: np.zeros(k, "V4"),
    "NumPy rows of parts": lambda k: np.array([(1, "x")] * k, dtype=PART),
    "NumPy rows of lists": lambda k: np.zeros(k, [("a", "i4", (2,))]),
    "NumPy texts in two columns": lambda k: np.full((k, 2), "a"),
    "a set": lambda k: {None, "a", "b"} if k else set(),
    "a text": lambda k: "abc"[:k],
    "bytes": lambda k: b"abc"[:k],
    "a dict's values": lambda k: dict(enumerate("abc"[:k])).values(),
}


@by_rows("name", TAKEN)
def test_a_kind_of_names_is_taken_with_rows_and_without(name: str):
    for rows, expected in enumerate(([], [-1], [-1, 0], [-1, 0, 1], [-1, 0, 1, 0])):
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            assert labels(TAKEN[name](rows)).tolist() == expected


@by_rows("name", REFUSED)
def test_another_kind_is_refused_with_rows_and_without(name: str):
    assert {outcome(REFUSED[name](rows)) for rows in range(4)} == {REFUSAL}


class Kind(Enum):
    A = 1


class Number(IntEnum):
    A = 1


class Word(StrEnum):
    A = "a"


class Text(str):
    """Equal to everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Double(float):
    """Of another hash than the number that it is equal to."""

    def __hash__(self) -> int:
        return 0


class Interval(namedtuple("Interval", "low")):  # as a class of pandas is called
    __slots__ = ()


BERLIN = ZoneInfo("Europe/Berlin")
TWICE = [datetime(2020, 10, 25, 2, 30, tzinfo=BERLIN, fold=fold) for fold in (0, 1)]
OTHER_CLASSES = [
    *(Decimal(1), Decimal("sNaN"), Fraction(1, 3), 1j, complex("nan"), np.complex64(1)),
    *(np.longdouble(1), np.longdouble("nan"), date(2020, 1, 1), datetime(2020, 1, 1), time(1)),
    *(timedelta(1), TWICE[0], pd.Timestamp(TWICE[1]), pd.Timestamp(2**40, unit="s"), DAYS[0]),
    *(pd.Timedelta(1), pd.Period("2020"), pd.Interval(2**53, 2**53 + 1), pd.Interval(0.0, 1.0)),
    *(np.datetime64("2020"), np.datetime64("NaT"), np.timedelta64(5), np.timedelta64("NaT")),
    *(Kind.A, Number.A, Word.A, Text("a"), Double(1.0), Interval(1.0), np.void(b"ab"), object()),
    *([1], {1}, frozenset({("a", float("nan"))}), {}, bytearray(b"a"), np.array([1]), Text),
    *(pa.scalar(1.0), pa.scalar(""), np.zeros(1, PART)[0], np.array("a"), memoryview(b"a")),
]  # fmt: skip


@by_rows("name", OTHER_CLASSES, ids=lambda one: type(one).__name__)
def test_another_class_is_refused_by_itself(name: Any):
    """Some were equal to names of another hash, or to two names that were not one another."""
    lists = [name], [1, name], [name, None], ["a", b"a", name], [(1, name)], [None, (name,)]
    arrays = [np.fromiter(one, object, len(one)) for one in lists]
    given = *lists, *arrays, *(pd.Series(one, dtype=object) for one in arrays)
    assert set(map(outcome, given)) == {REFUSAL}


@pytest.mark.law
def test_tuples_in_tuples_are_refused_however_deep():
    deep: Any = 1
    for _ in range(100_000):
        deep = (deep,)
    assert outcome([(1, (2, 3))]) == outcome([deep]) == outcome([("a", ())])
    assert labels([(), (1,), ()]).tolist() == [0, 1, 0]


def far_intervals(year: int) -> Any:
    ends = np.array([year - 1970, year - 1969], "M8[Y]").astype("M8[s]")
    return pd.IntervalIndex.from_breaks(pd.DatetimeIndex(ends, tz="UTC").tz_convert(BERLIN)).array


ODD: dict[str, tuple[Any, ...]] = {
    "zoned intervals": (far_intervals(2020), far_intervals(250_000), far_intervals(2020)[:0]),
    "an hour that is twice": (TWICE, [*TWICE, pd.Timestamp(TWICE[1])], TWICE[:1]),
    "times far away": (
        [pd.Timestamp(2**40, unit="s"), pd.Timestamp(np.datetime64(2**40 * 10**3, "ms"))],
        [pd.Timestamp("2020")],
    ),
    "intervals beyond 2^53": (
        [pd.Interval(2**53, 2**53 + 2), pd.Interval(2.0**53, 2.0**53 + 2)],
        [pd.Interval(2**53 + 1, 2**53 + 2), pd.Interval(2.0**53, 2.0**53 + 2)],
    ),
    "long doubles": ([np.longdouble(1), Decimal(1)], [Decimal(1)], [np.longdouble(1), 1]),
}


@pytest.mark.parametrize("name", ODD)
def test_what_ended_in_other_errors_is_refused_by_its_kind(name: str):
    assert set(map(outcome, ODD[name])) == {REFUSAL}


def test_texts_are_compared_by_their_code_points_alone():
    """pandas took a text that is no UTF-8 for its own repr, unless another name was no text."""
    for more in ([], [1], [None], ["b"], [b"b"]):
        found = labels(["\ud800", "'\\ud800'", "\udc00", "a\0b", "a\0c", *more]).tolist()
        assert found[:5] == [0, 1, 2, 3, 4]
    letters = np.array([0x110000, 0x61, 0xFFFFFFFF, 0x110000, 0], np.uint32)
    assert labels(letters.view("U1")).tolist() == [0, 1, 2, 0, -1]
    assert labels(letters.byteswap().view(">U1")).tolist() == [0, 1, 2, 0, -1]
    assert labels(np.array(["ab", "a", "", "a"])[::2]).tolist() == [0, -1]
    for part in "ab":
        assert labels(np.zeros(2, [("a", "U0"), ("b", "S0")])[part]).tolist() == [-1, -1]
    cut = [np.str_("a\0"), "a", "a\0"]
    assert labels(cut).tolist() == labels(pd.Series(cut, dtype="string[python]")).tolist()
    assert labels(cut).tolist() == [0, 1, 0]


def test_a_kind_of_texts_decides_and_not_the_class_of_a_cell():
    texts = pd.Series(["a", np.str_("a"), Text("b"), None], dtype=pd.StringDtype("python"))
    assert labels(texts).tolist() == [0, 0, 1, -1]
    for missing in (None, np.nan, pd.NA, object(), ""):
        kind = np.dtypes.StringDType(na_object=missing)
        assert labels(np.array(["a", missing, "b", "a"], dtype=kind)).tolist() == [0, -1, 1, 0]


POOL = [
    *("a", np.str_("a"), "", "b", "\ud800", "'\\ud800'", "a\0", "1", "nan", b"a", np.bytes_(b"a")),
    *(b"", b"\xff", 1, True, np.int8(1), np.bool_(True), 1.0, np.float16(1), np.uint64(1), 0, -0.0),
    *(2**53, 2**53 + 1, float(2**53), float(2**53 - 1), 2**53 - 1, 2**64, 10**400, -1, -2),
    *(2**61 - 1, 2**61, np.float32(2**24), np.float32(2**24 - 1), np.float16(2**11), 2**24),
    *(0.1, np.float32(0.1), np.float64(0.1), float("inf"), np.nan, float("nan"), np.float32("nan")),
    *(None, pd.NA, pd.NaT, np.ma.masked, ID, UUID(int=1), ID.int, ID.hex, np.longlong(3), False),
]  # fmt: skip
POOL += [
    (), ("a",), (np.str_("a"), 1), ("a", True), ("a", 1.0), ("a", None), ("a", np.nan),
    *(("a", pd.NA), ("a", float(2**60)), ("a", ""), (b"a",), ("", 1), (None,), (ID, "a")),
    *(("a", b"a"), (1, 2), (2, 1), (-1,), (-2,), (0.0,), (np.float32(2**24),)),
]  # fmt: skip


def canonical(name: Any) -> Any:
    """What tells a name apart, without the equality or the hash of its class; None if missing."""
    if isinstance(name, tuple):
        return "tuple", *map(canonical, name)
    if isinstance(name, str):
        return "text", *map(ord, name)
    if isinstance(name, bytes):
        return "bytes", *name
    if isinstance(name, UUID):
        return "uuid", name.hex
    if isinstance(name, float | np.floating):
        limit = {np.float16: 2**11, np.float32: 2**24}.get(type(name), 2**53)
        return ("number", Fraction(float(name))) if -limit < float(name) < limit else None
    is_whole = isinstance(name, int | np.integer | np.bool_)
    return ("number", Fraction(int(name))) if is_whole else None


def slowly(names: list[Any]) -> list[int]:
    """By comparing each name with each."""
    known: list[Any] = []
    found = []
    for name in map(canonical, names):
        is_there = name not in (None, ("text",), ("bytes",))
        if is_there and name not in known:
            known.append(name)
        found.append(known.index(name) if is_there else -1)
    return found


@given(some.lists(some.sampled_from(POOL), max_size=30))
def test_mixed_names_are_told_apart_as_by_comparing_each_with_each(names: list[Any]):
    expected = slowly(names)
    array = np.fromiter(names, object, len(names))
    for persons in (
        names,
        tuple(names),
        array,
        pd.Series(array),
        pd.Index(array, dtype=object, tupleize_cols=False),
    ):
        assert labels(persons).tolist() == expected


def test_no_third_name_decides_whether_two_are_one():
    together = {many: labels(POOL * many) for many in (1, 20)}
    for one, other in itertools.combinations(range(len(POOL)), 2):
        first, second = labels([POOL[one], POOL[other]])
        for found in together.values():
            assert (first == second) == (found[one] == found[other]), (POOL[one], POOL[other])
            assert (first < 0, second < 0) == (found[one] < 0, found[other] < 0)


EVERYTHING = [*POOL, *OTHER_CLASSES]


@given(some.lists(some.sampled_from(range(len(EVERYTHING))), max_size=6), some.booleans())
def test_the_classes_alone_decide_what_is_taken_and_what_is_said(at: list[int], within: bool):
    names = [EVERYTHING[one] for one in at]
    names = [tuple(names)] if within else names
    parts = {type(part) for name in names if type(name) is tuple for part in name}
    is_other = ({*map(type, names)} | parts) & {*map(type, OTHER_CLASSES)} or tuple in parts
    assert outcome(names) == (REFUSAL if is_other else "taken")


@by_rows("part", [np.nan, None, pd.NA, pd.NaT, np.ma.masked, np.float32("nan")])
@by_rows("rows", [dp.PersonRows.at_most(1), dp.PersonRows.weighted()])
def test_rows_of_a_name_with_a_missing_part_are_one_person(part: Any, rows: dp.PersonRows):
    """Of objects that are not one another; three rows count as one row does."""
    made = type(part) if isinstance(part, float | np.floating) else lambda one: one
    counted = [
        dp.person_column(
            [(7.0, made(part)) for _ in range(many)],
            [5.0] * many, BOUNDS, 1, rows, np.random.default_rng(0),
        ).n
        for many in (1, 3)
    ]  # fmt: skip
    assert counted[0] == counted[1] > 0


def test_what_is_refused_quotes_no_name():
    with pytest.raises(InvalidData) as error:
        labels([["secret"], ["other"]])
    assert error.value.__context__ is None
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize("rows", [0, 2])
def test_names_in_several_columns_are_refused_whatever_is_missing(missing: int, rows: int):
    """pandas would make floats of all whole numbers beside a part that is missing."""
    ids = [2**53 + 1, 2**53 + 3][:rows] + [None] * missing
    parts = pd.DataFrame({"id": pd.Categorical(ids, categories=[2**53 + 1, 2**53 + 3]), "b": "a"})
    with pytest.raises(DpvizError, match="tuple"):
        labels(pd.MultiIndex.from_frame(parts))


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
    texts = np.array(["", "b"], dtype=np.dtypes.StringDType())
    assert labels(texts).tolist() == [-1, 0]


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

    class Declared:
        dtype = np.dtype(float)

        def __init__(self, *names: float) -> None:
            self.names = names

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            if 31337 in self.names:
                raise ValueError("31337")
            return np.array(self.names)

    for odd in (Values(np.array([1.0, 2.0])), Declared(31337)):
        assert outcome(odd) == REFUSAL
    assert labels(Declared(1, 2, 1)).tolist() == [0, 1, 0]
