"""Hostile Parquet files, each with what must come of it, and mutants of good ones."""

from __future__ import annotations

import datetime as dt
import decimal
import io
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.intake.hostile.cases import DATES, EMPTY, NAN, TEXT, Case, NoNumbers, Numbers

ONE = decimal.Decimal(1)


def written(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(table, sink, **options)
    return sink.getvalue()


def floats(kind: pa.DataType) -> pa.Array:
    return pa.array(np.array([1.5, np.nan, 2.5], kind.to_pandas_dtype()), kind)


def not_utf8(kind: pa.DataType) -> pa.Array:
    offsets = np.array([0, 1, 2, 3], np.int32)
    return pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(offsets), pa.py_buffer(b"1\xff\xfe")])


SMALL = Numbers([1, NAN, 3])
TYPES: dict[str, tuple[pa.Array, Numbers | NoNumbers | None]] = {
    **{
        str(kind): (pa.array([1, None, 3], kind), SMALL)
        for kind in (
            pa.int8(), pa.int16(), pa.int32(), pa.int64(),
            pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(),
        )
    },
    **{
        str(kind): (floats(kind), Numbers([1.5, NAN, 2.5]))
        for kind in (pa.float16(), pa.float32(), pa.float64())
    },
    **{
        str(kind): (pa.array([1, 2, None], kind), DATES)
        for kind in (
            pa.date32(), pa.time32("s"), pa.time64("us"), pa.timestamp("s"), pa.timestamp("ms"),
            pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("us", "UTC"), pa.duration("s"),
            pa.timestamp("us", "Europe/Berlin"), pa.timestamp("ns", "+05:30"),
            pa.timestamp("ms", "Nowhere/Land"),
        )
    },
    **{
        f"{kind} of numbers": (pa.array(["1", None, "3"]).cast(kind), SMALL)
        for kind in (
            pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(),
        )
    },
    "date64": (pa.array([dt.date(2020, 1, 1)] * 3, pa.date64()), DATES),
    "uint64 at its end": (pa.array([2**64 - 1, 0, 1], pa.uint64()), Numbers([2.0**64, 0, 1])),
    "int64 at its ends": (pa.array([2**63 - 1, -(2**63), 0]), Numbers([2.0**63, -(2.0**63), 0])),
    "double at its ends": (pa.array([1.7e308, -5e-324, 0.0]), Numbers([1.7e308, -5e-324, 0])),
    "infinities": (pa.array([np.inf, -np.inf, 0.0]), Numbers([np.inf, -np.inf, 0])),
    "boolean": (pa.array([True, None, False]), Numbers([1, NAN, 0])),
    "fixed binary": (pa.array([b"1", b"2", b"3"], pa.binary(1)), Numbers([1, 2, 3])),
    "decimal128": (pa.array([ONE, None, 3 * ONE], pa.decimal128(38, 9)), SMALL),
    "uint64 beyond int64": (pa.array([2**63, 2**63 + 1025, None], pa.uint64()), Numbers(
        [2.0**63, 2.0**63 + 2048, NAN]
    )),
    "half floats at their ends": (
        pa.array(np.array([65504, 6e-8, np.inf], np.float16)),
        Numbers([65504, 2.0**-24, np.inf]),
    ),
    "decimal256 at its ends": (
        pa.array([10**76 - 1, None, -1], pa.decimal256(76, 0)), Numbers([1e76, NAN, -1]),
    ),
    "decimal64": (pa.array([ONE, None, 3 * ONE], pa.decimal64(18, 9)), SMALL),
    "decimal between doubles": (
        pa.array([decimal.Decimal("0.29"), None, decimal.Decimal("1.15")], pa.decimal128(18, 2)),
        Numbers([0.29, NAN, 1.15]),
    ),
    "dictionary of decimals": (
        pa.array([ONE, 3 * ONE, None]).dictionary_encode(), Numbers([1, 3, NAN]),
    ),
    "dictionary of doubles": (
        pa.DictionaryArray.from_arrays(pa.array([0, None, 1], pa.int8()), pa.array([1.5, NAN])),
        Numbers([1.5, NAN, NAN]),
    ),
    "dictionary with repeats": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int32()), pa.array(["1", "1", "2"])),
        Numbers([1, 1, 2]),
    ),
    "dictionary of nulls": (pa.array([None] * 3, pa.string()).dictionary_encode(), EMPTY),
    "dictionary of booleans": (
        pa.array([True, None, False]).dictionary_encode(), Numbers([1, NAN, 0]),
    ),
    "decimal256": (pa.array([ONE, None, 3 * ONE], pa.decimal256(76, 9)), SMALL),
    "dictionary of integers": (pa.array([5, 7, None]).dictionary_encode(), Numbers([5, 7, NAN])),
    "dictionary of texts": (pa.array(["5", "7", None]).dictionary_encode(), Numbers([5, 7, NAN])),
    "nulls": (pa.nulls(3), EMPTY),
    "null floats": (pa.nulls(3, pa.float64()), EMPTY),
    "nan": (pa.array([NAN] * 3), EMPTY),
    "nan and null": (pa.array([NAN, None, NAN]), EMPTY),
    "null texts": (pa.nulls(3, pa.string()), EMPTY),
    "texts that mean nothing": (pa.array(["", "NA", None]), EMPTY),
    "null booleans": (pa.nulls(3, pa.bool_()), EMPTY),
    "null dates": (pa.nulls(3, pa.date32()), EMPTY),
    "words": (pa.array(["a", "b", "c"]), TEXT),
    "hexadecimals": (pa.array(["0x10", "1", "2"]), Numbers([NAN, 1, 2], 1)),
    "texts beyond doubles": (pa.array(["1e400", "1", "2"]), Numbers([NAN, 1, 2], 1)),
    "marked texts": (pa.array(["\ufeff1", "2", "3"]), Numbers([1, 2, 3])),
    "texts with NUL": (pa.array(["1\0", "2", "3"]), Numbers([NAN, 2, 3], 1)),
    "string that is not text": (not_utf8(pa.string()), None),
    "binary that is not text": (not_utf8(pa.binary()), None),
    "dictionary that is not text": (not_utf8(pa.binary()).dictionary_encode(), None),
    "uuid": (
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"\xff" * 16] * 3, pa.binary(16))),
        None,
    ),
    "list": (pa.array([[1], [2], []]), None),
    "large list": (pa.array([[1], [2], []], pa.large_list(pa.int8())), None),
    "fixed list": (pa.array([[1, 2]] * 3, pa.list_(pa.int8(), 2)), None),
    "struct": (pa.array([{"a": 1}] * 3), None),
    "struct of 6,000": (pa.array([{f"k{k}": 1 for k in range(6_000)}] * 3), None),
    "map": (pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int8())), None),
    "list of structs of lists": (pa.array([[{"a": [1]}], [], None]), None),
    "list of lists of lists": (pa.array([[[[1]]], [], None]), None),
    "list view": (pa.array([[1], [2], []], pa.list_view(pa.int8())), None),
    "list of decimals": (pa.array([[ONE], [], None], pa.list_(pa.decimal128(9, 2))), None),
    "map of structs": (
        pa.array([[("a", {"b": 1})], [], None], pa.map_(pa.string(), pa.struct({"b": pa.int8()}))),
        None,
    ),
    "list of dictionaries": (
        pa.array([["a"]] * 3, pa.list_(pa.dictionary(pa.int8(), pa.string()))), None,
    ),
}  # fmt: skip
OPTIONS: dict[str, dict[str, object]] = {
    "snappy": {},
    "plain": {"compression": "none", "use_dictionary": False},
    "zstd, pages of version 2": {"compression": "zstd", "data_page_version": "2.0"},
    "one row a group, no Arrow schema": {"row_group_size": 1, "store_schema": False},
}


def types() -> Iterator[Case]:
    """Every type beside a good column, which must stay usable."""
    good = Numbers([7, 8, 9])
    for key, (array, expected) in TYPES.items():
        data = written(pa.table({"v": array, "good": [7, 8, 9]}))
        columns = {"good": good} if expected is None else {"v": expected, "good": good}
        noted = "Left out" if expected is None else ""
        yield Case(f"type {key}", data, columns, noted=noted)
        if expected is None:
            yield Case(f"only {key}", written(pa.table({"v": array})), refused=("only columns of",))
    kept = (
        "int64",
        "double",
        "bool",
        "decimal128",
        "string of numbers",
        "nulls",
        "timestamp[us]",
        "list",
    )
    for name, options in OPTIONS.items():
        for key in kept:
            array, expected = TYPES.get(key, TYPES["int64"])
            data = written(pa.table({"v": array, "good": [7, 8, 9]}), **options)
            columns = {"good": good} if expected is None else {"v": expected, "good": good}
            yield Case(f"{key}, {name}", data, columns)


def names() -> Iterator[Case]:
    """Names that repeat, that look like paths, and markup."""
    data = pa.table([pa.array([k, k]) for k in (1, 2, 3)], names=["a", "a", ""])
    yield Case(
        "names repeated",
        written(data),
        {"a": Numbers([1, 1]), "a (2)": Numbers([2, 2]), "column 3": Numbers([3, 3])},
    )
    paths = pa.table({"a.b": [1, 2], "a": pa.array([{"b": 5}] * 2), "a.b.list.element": [3, 4]})
    expected = {"a.b": Numbers([1, 2]), "a.b.list.element": Numbers([3, 4])}
    yield Case("names like paths", written(paths), expected, noted="'a'")
    marked = {
        "<b>": "<b>", "x" * 5_000: "x" * 119 + "…", "a\nb": "a b", "a\0b": "a b", "\0": "column 1",
        "": "column 1", "it's": "it's", 'a"b': 'a"b', "';--": "';--", "v\u202e": "v",
        "%s{}$": "%s{}$",
    }  # fmt: skip
    for raw, clean in marked.items():
        yield Case(f"name {raw[:9]!r}", written(pa.table({raw: [1, 2]})), {clean: Numbers([1, 2])})
    wide = pa.table({f"c{k}": [1] for k in range(5_001)})
    yield Case("5,001 columns", written(wide), refused=("5,001 columns", "5,000"))


def long_texts(rows: int, letters: int) -> pa.Table:
    """A dictionary of three long texts, each meant by a third of the rows."""
    texts = pa.array([sign * letters for sign in "abc"])
    places = pa.array(np.arange(rows, dtype=np.int32) % 3)
    return pa.table({"v": np.zeros(rows), "s": pa.DictionaryArray.from_arrays(places, texts)})


def groups_of(*sizes: int) -> bytes:
    """A column in row groups of these sizes."""
    sink = io.BytesIO()
    with parquet.ParquetWriter(sink, pa.schema([("v", pa.int32())])) as file:
        for size in sizes:
            file.write_table(pa.table({"v": pa.array(range(size), pa.int32())}))
    return sink.getvalue()


def huge() -> Iterator[Case]:
    """Small files that unpack to far too much."""
    text = ("more than 0.4 GB of text", "Keep only the columns")
    bomb = written(long_texts(90_000, 200_000), compression="none")
    assert 500_000 < len(bomb) < 800_000
    yield Case("18 GB of texts", bomb, refused=text)
    places = pa.array(np.zeros(9_000, np.int32))
    raw = pa.table({"s": pa.DictionaryArray.from_arrays(places, [b"\xff" * 200_000])})
    yield Case("1.8 GB of bytes", written(raw), refused=text)
    encoded = {"use_dictionary": False, "column_encoding": {"s": "DELTA_BYTE_ARRAY"}}
    tall = pa.table({"v": pa.array(np.zeros(20_000_001, np.int8))})
    yield Case("20,000,001 rows", lambda: written(tall), refused=("20,000,001 rows", "20,000,000"))
    few = pa.table({"s": [str(k) for k in range(600)]})
    kept = {"s": Numbers([float(k) for k in range(600)])}
    yield Case("texts that share beginnings, few", written(few, **encoded), kept)
    yield Case("empty row groups", groups_of(0, 3, 0, 1), {"v": Numbers([0, 1, 2, 0])})
    yield Case("empty row groups alone", groups_of(0, 0), refused=("no rows",))
    yield Case("no columns", written(pa.table({})), refused=("no rows",))
    yield Case("no rows", written(pa.table({"v": pa.array([], pa.int8())})), refused=("no rows",))


def good(seed: int) -> bytes:
    """A file with a column of most kinds, written in one of several ways."""
    rng, n = np.random.default_rng(seed), 120
    table = pa.table(
        {
            "f": rng.normal(size=n),
            "i": rng.integers(0, 9, n),
            "s": [str(x) for x in rng.integers(0, 99, n)],
            "b": rng.integers(0, 2, n) > 0,
            "list": [[1, 2]] * n,
            "d": pa.array([decimal.Decimal("1.25")] * n),
            "t": pa.array(range(n), pa.timestamp("us")),
            "h": pa.array(rng.normal(size=n).astype(np.float16)),
            "none": pa.nulls(n, pa.float64()),
            "words": pa.array(["a", "b", "3"] * (n // 3)).dictionary_encode(),
        }
    )
    ways = (
        *OPTIONS.values(),
        {"use_dictionary": False, "column_encoding": {"s": "DELTA_BYTE_ARRAY"}},
    )
    options = dict(ways[seed % len(ways)])
    if "row_group_size" in options:
        options["row_group_size"] = 40
    return written(table, **options)


def cuts() -> Iterator[Case]:
    """Files that end too soon, have lost their middle, or lie about their footer."""
    for seed in range(30):
        whole, rng = good(seed), np.random.default_rng(5_000 + seed)
        size = int(rng.integers(4, len(whole) - 1))
        cut = whole[:size]
        if not cut.endswith(b"PAR1") or size < 12:
            yield Case(f"cut {seed}", cut, refused=("its end is missing", f"{size:,} bytes"))
        lost = whole[: int(rng.integers(4, len(whole) // 2))] + whole[-8:]
        yield Case(f"middle lost {seed}", lost, refused=("damaged",))
    whole = good(0)
    for length in (0, 1, 2**31 - 1, 2**31, 2**32 - 1, len(whole), len(whole) - 8, 3):
        lying = whole[:-8] + length.to_bytes(4, "little") + b"PAR1"
        yield Case(f"footer of {length}", lying, refused=("damaged",))
    yield Case("two magics", b"PAR1PAR1PAR1", refused=("damaged",))
    yield Case("encrypted", whole[:-4] + b"PARE", refused=("its end is missing",))
    junk = np.random.default_rng(5_100).integers(0, 256, 4_000, dtype=np.uint8).tobytes()
    yield Case("junk between", b"PAR1" + junk + b"PAR1", refused=("damaged",))
    yield Case("text between", b"PAR1,a\n1,2\nPAR1", refused=("damaged",))


def mutant(seed: int) -> bytes:
    """A good file with a few bytes flipped, overwritten, cut out or spliced in."""
    rng, data = np.random.default_rng(6_000 + seed), bytearray(good(seed))
    # every second one in the footer, where the lengths and types are
    low = 4 if seed % 2 else max(4, len(data) - 3_000)
    for _ in range(int(rng.integers(1, 4))):
        at, length = int(rng.integers(low, len(data) - 8)), int(rng.integers(1, 20))
        noise = rng.integers(0, 256, length, dtype=np.uint8).tobytes()
        changed = (
            bytes([data[at] ^ 1 << int(rng.integers(8))]),  # in place of one byte
            noise[:1],
            b"",
            noise + data[at : at + 1],
        )[seed // 2 % 4]
        data[at : at + (length if changed == b"" else 1)] = changed
    return bytes(data)


def cases() -> Iterator[Case]:
    for family in (types, names, huge, cuts):
        yield from family()
