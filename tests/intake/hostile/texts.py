"""Hostile CSV files, each with what must come of it."""

from __future__ import annotations

import gzip
import io
import itertools
import zipfile
from collections.abc import Iterator

import numpy as np

from tests.intake.hostile.cases import DATES, EMPTY, NAN, TEXT, Case, NoNumbers, Numbers

ENCODINGS = {
    "utf-8": "", "utf-8-sig": "", "utf-16": "UTF-16", "utf-32": "UTF-32", "cp1252": "Windows-1252",
}  # fmt: skip
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
MISSING = ("", "NA", "null", "NaN", "?", "-")


def table(seed: int) -> tuple[list[list[str]], dict[str, Numbers]]:
    """Names and rows of cells, and what must be read; the names have signs outside ASCII."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(2, 40))
    cells, expected = [], {}
    for name in ("größe", "y"):
        values = rng.normal(0, 10.0 ** rng.integers(-3, 12), rows).round(3)
        absent = rng.random(rows) < 0.2
        absent[0] = False
        cells.append(
            [
                name,
                *(
                    str(rng.choice(MISSING)) if gone else repr(float(value))
                    for value, gone in zip(values, absent, strict=True)
                ),
            ]
        )
        expected[name] = Numbers([NAN if g else v for v, g in zip(values, absent, strict=True)])
    return [list(row) for row in zip(*cells, strict=True)], expected


def dialects() -> Iterator[Case]:
    """Every encoding with every separator and line end."""
    every = itertools.product(ENCODINGS, ",;\t|§", ENDS)
    for seed, (encoding, separator, end) in enumerate(every):
        rows, expected = table(seed)
        first = ["sep=§"] if separator == "§" else []
        text = ENDS[end].join([*first, *map(separator.join, rows), ""])
        name = f"{encoding} {separator!r} {end}"
        yield Case(name, text.encode(encoding), expected, noted=ENCODINGS[encoding])


def quoted() -> Iterator[Case]:
    """Every cell in quotes, with separators, quotes and line ends in a column of text."""
    for seed in range(30):
        rng = np.random.default_rng(1_000 + seed)
        rows, expected = table(1_000 + seed)
        words = ["a", ",", ";", '""', "\n", "\r\n", "é", " ", "|", "\t", "'", "0x1"]
        notes = [
            "note", *("w" + "".join(rng.choice(words, rng.integers(0, 9))) for _ in rows[1:])
        ]  # fmt: skip
        cells = [
            ",".join(f'"{cell}"' for cell in [*row, note])
            for row, note in zip(rows, notes, strict=True)
        ]
        yield Case(f"quoted {seed}", "\n".join(cells).encode(), {**expected, "note": TEXT})


def marks() -> Iterator[Case]:
    """Byte order marks, any number of them; without a header each could cost the first record."""
    encodings = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
    for encoding, count in itertools.product(encodings, (1, 2, 3)):
        for head, names in (("", ("column 1", "column 2")), ("a,b\n", ("a", "b"))):
            text = "\ufeff" * count + head + "1,2\n3,4\n5,6\n"
            columns = {names[0]: Numbers([1, 3, 5]), names[1]: Numbers([2, 4, 6])}
            name = f"{count} marks {encoding} {'header' if head else 'bare'}"
            yield Case(name, text.encode(encoding), columns)
    appended = "a,b\n1,2\n\ufeff3,4\n".encode()
    yield Case("a mark inside", appended, {"a": Numbers([1, 3]), "b": Numbers([2, 4])})


def separators() -> Iterator[Case]:
    """The line with which spreadsheets declare a separator."""
    expected = {"a": Numbers([1, 3]), "b": Numbers([2, 4])}
    signs = [",", ";", "\t", "|", " ", "~", "^", "§", "¦", "😀", "⚠️", "👩‍🔬", "·", ";;", "||", "→"]
    for sign, end in itertools.product(signs, ("\n", "\r\n")):
        rows = end.join([f"a{sign}b", f"1{sign}2", f"3{sign}4", ""])
        for line in (f"sep={sign}", f"SEP={sign}"):
            yield Case(f"{line!r} {end!r}", f"{line}{end}{rows}".encode(), expected)
    yield Case("sep in quotes", b'"sep=;"\na;b\n1;2\n3;4\n', expected)
    yield Case("sep without a sign", b"sep=\na;b\n1;2\n3;4\n", expected)
    yield Case("sep that is not used", "sep=§\na;b\n1;2\n3;4\n".encode(), expected)
    yield Case("sep alone", "sep=§".encode(), refused=("no rows",))
    yield Case("sep=\x01", b"sep=\x01\na\x01b\n1\x012\n", refused=("control characters",))
    for sign in ("a", "1", '"', "-", ".", "é", "1;"):
        text = f"sep={sign}\na{sign}b\n1{sign}2\n"
        yield Case(f"sep={sign}", text.encode(), refused=("declares", "as its separator"))


# a cell beside 7, 8 and 9: its value, NaN where it is missing, None where it cannot be read
CELLS: dict[str, float | None] = {
    "0x10": None, "0X1F": None, "-0x10": None, "0x": None, "0b11": None, "0o17": None, "010": 10,
    "1e400": None, "-1e400": None, "9" * 400: None, "1e309": None, "1.8e308": None,
    "1e+99999": None,
    "1.7976931348623157e308": 1.7976931348623157e308, "5e-324": 5e-324, "1e-400": 0, "-0": 0,
    "inf": np.inf, "-inf": -np.inf, "Infinity": np.inf, "INF": np.inf, "nan": NAN, "NaN": NAN,
    "1E5": 1e5, "1e+5": 1e5, "1.": 1, ".5": 0.5, "+5": 5, "−5": -5, "--5": None, "+-5": None,
    "1e": None, "e5": None, ".": None, "1..2": None, "1.2.3": None, "1 2": None, "1e5.5": None,
    "1_000": None, "1'000": 1000, "1 000 000": 1_000_000, "1\u00a0000": 1000, "1\u202f000": 1000,
    "$5": None, "€5": None, "5%": None, "(5)": None, "5 kg": None, "~5": None, "<5": None,
    ">5": None,
    "5;": None, "5*": None, "1/2": None, "½": None, "²": None, "٣": None, "५": None, "５": None,
    "Ⅷ": None, "five": None, "true": None, "yes": None, "#DIV/0!": None, "#REF!": None, "#N/A": NAN,
    "NULL": NAN, "None": NAN, "?": NAN, "-": NAN, " ": NAN, " 5 ": 5, "\t5": 5, "5\x0b": 5,
    "=1+1": None, "@SUM(1)": None, "<b>5</b>": None, "5\u200b": None, "2020-01-01": None,
    "10:30": None,
    "1j": None, "1L": None, "1f": None, "1d5": None, "9007199254740993": 9007199254740992.0,
    "123456789012345678901234567890": 123456789012345678901234567890.0,
    "18446744073709551616": 2.0**64,
    "0.1": 0.1, "1" + "0" * 300: 1e300, "0." + "0" * 400 + "1": 0.0, "5" * 40_000: None,
}  # fmt: skip


def cells() -> Iterator[Case]:
    """One odd cell in a column of numbers."""
    for cell, value in CELLS.items():
        values = [NAN if value is None else value, 7, 8, 9]
        expected = {"v": Numbers(values, int(value is None)), "w": Numbers([1, 2, 3, 4])}
        text = f'v;w\n"{cell}";1\n7;2\n8;3\n9;4\n'
        yield Case(f"cell {cell[:24]!r}", text.encode(), expected)
    only = NoNumbers("text", "out of range")
    yield Case(
        "only beyond doubles", b"v,w\n1e400,1\n-1e999,2\n", {"v": only, "w": Numbers([1, 2])}
    )
    yield Case("only hexadecimals", b"v,w\n0x10,1\n0x20,2\n", {"v": TEXT, "w": Numbers([1, 2])})


def styles() -> Iterator[Case]:
    """Decimal commas and thousands, in seeded columns whose style is settled by two groups."""
    for seed in range(24):
        rng = np.random.default_rng(2_000 + seed)
        numbers = [1_234_567.5, *rng.integers(1_000, 10**9, 9).astype(float).tolist()]
        group, decimal = ((",", "."), (".", ","), (" ", ","), ("'", "."))[seed % 4]
        swap = str.maketrans({",": group, ".": decimal})
        rows = "".join(f'"{f"{x:,.1f}".translate(swap)}";1\n' for x in numbers)
        expected = {"v": Numbers(numbers), "w": Numbers([1] * 10)}
        yield Case(f"style {seed} {group!r}{decimal!r}", f"v;w\n{rows}".encode(), expected)
    two = NoNumbers("text", "two ways")
    yield Case("two ways", b'v,w\n"1,234",1\n"5,678",2\n', {"v": two, "w": Numbers([1, 2])})


def dates() -> Iterator[Case]:
    """Dates are never numbers, whichever way they are written."""
    stamps = {
        "2020-01-01": DATES, "2020-01-01 10:30": DATES, "2020-01-01T10:30:00": DATES,
        "2020-01-01T10:30:00Z": DATES, "10:30": DATES, "10:30:00.5": TEXT, "01/02/2020": TEXT,
        "1 Jan 2020": TEXT, "2020W01": TEXT, "31.12.2020": TEXT, "2020-13-45": TEXT,
    }  # fmt: skip
    for stamp, expected in stamps.items():
        text = f"d,w\n{stamp},1\n{stamp},2\n"
        yield Case(f"date {stamp}", text.encode(), {"d": expected, "w": Numbers([1, 2])})


def names() -> Iterator[Case]:
    """Names of columns come from strangers, too."""
    long = "n" * 100_000
    shown = {
        "<script>alert(1)</script>": "<script>alert(1)</script>", "**bold**": "**bold**",
        "$x^2$": "$x^2$", "[a](javascript:1)": "[a](javascript:1)", ":red[x]": ":red[x]",
        "=cmd|' /C calc'!A0": "=cmd|' /C calc'!A0", "a\u202eb": "a b", "\x1b[31mred": "[31mred",
        "🧪": "🧪", "  spaced  out ": "spaced out", "": "column 1", "\u200b": "column 1",
        long: "n" * 119 + "…", "Nones": "Nones", "../../etc": "../../etc", "{x}": "{x}", "%s": "%s",
        "two\nlines": "two lines", "a\x7fb": "a b", "é" * 200: "é" * 119 + "…",
    }  # fmt: skip
    for raw, clean in shown.items():
        text = f'"{raw}";w\n' + "1;2\n3;4\n5;6\n" * 9
        expected = {clean: Numbers([1, 3, 5] * 9), "w": Numbers([2, 4, 6] * 9)}
        yield Case(f"name {raw[:20]!r}", text.encode(), expected)
    same = {"a": 1, "a (2)": 2, "a (3)": 3, "A": 4}
    columns = {name: Numbers([value] * 2) for name, value in same.items()}
    yield Case("names repeated", b"a,a,a,A\n1,2,3,4\n1,2,3,4\n", columns)
    yield Case(
        "name one short",
        b"x\nr1,1\nr2,2\n",
        {"row": TEXT, "x": Numbers([1, 2])},
        noted="one name fewer",
    )


def empties() -> Iterator[Case]:
    """Nothing, or next to nothing."""
    yield Case("0 bytes", b"", refused=("empty", "0 bytes"))
    for name, data in {
        "line ends": b"\n\n\r\n \n", "one mark": b"\xef\xbb\xbf", "many marks": b"\xef\xbb\xbf" * 5,
        "utf-16 mark": b"\xff\xfe", "utf-32 mark": b"\xff\xfe\0\0", "a header": b"a,b\n",
        "a header without an end": b"a,b", "a header and blanks": b"a,b\n\n\n\n",
        "blanks": b"     ",
        "a header in utf-16": "a,b\n".encode("utf-16"), "one name": b"v\n",
        "one blank column": b"v\n\n\n",
    }.items():  # fmt: skip
        yield Case(name, data, refused=("no rows", "Choose a file with data in it"))
    yield Case("a column without values", b"a,b\n1,\n2,NA\n", {"a": Numbers([1, 2]), "b": EMPTY})
    yield Case("one column without values", b"v\nNA\nNA\n", {"v": EMPTY})
    yield Case("one cell", b"7", {"column 1": Numbers([7])})


def ragged() -> Iterator[Case]:
    """Rows of many widths: few are skipped and told, many are refused."""
    for seed in range(12):
        rng = np.random.default_rng(3_000 + seed)
        bad = int(rng.integers(1, 4))
        rows = ["1,2"] * 60
        for place in rng.integers(5, 55, bad):
            rows.insert(int(place), ",".join("9" * int(rng.integers(3, 30))))
        expected = {"a": Numbers([1] * 60), "b": Numbers([2] * 60)}
        text = "\n".join(["a,b", *rows])
        yield Case(f"ragged {seed}", text.encode(), expected, noted=f"{bad} of {60 + bad} rows")
    many = "a,b\n" + "1,2\n" * 40 + "1,2,3\n" * 20
    yield Case("many ragged", many.encode(), refused=("20 of 60 rows", "2 fields"))
    yield Case("a longer header", b"a,b,c\n1,2\n3,4\n", refused=("3 fields", "rows have 2"))


def bytes_of_others() -> Iterator[Case]:
    """Content of other kinds under the name of a CSV file."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("notes.txt", "a,b")
    junk = np.random.default_rng(4_000).integers(0, 256, 3_000, dtype=np.uint8).tobytes()
    known = {
        "zip": (archive.getvalue(), "ZIP"), "gzip": (gzip.compress(b"a,b\n1,2\n"), "gzip"),
        "png": (b"\x89PNG\r\n" + junk, "picture"),
        "jpeg": (b"\xff\xd8\xff\xe0" + junk, "picture"), "pdf": (b"%PDF-1.7\n" + junk, "PDF"),
        "bzip2": (b"BZh9" + junk, "bzip2"), "xz": (b"\xfd7zXZ\0" + junk, "xz"),
        "zstd": (b"\x28\xb5\x2f\xfd" + junk, "zstd"), "arrow": (b"ARROW1\0\0" + junk, "Arrow"),
        "sqlite": (b"SQLite format 3\0" + junk, "SQLite"), "html": (b"<html><body>", "web page"),
        "doctype": (b"<!DOCTYPE html>", "web page"),
    }  # fmt: skip
    for name, (data, what) in known.items():
        yield Case(name, data, refused=(what, "not a table"))
    yield Case("old excel", b"\xd0\xcf\x11\xe0" + junk, refused=("no workbook that can be read",))
    for seed in range(8):
        rng = np.random.default_rng(4_100 + seed)
        noise = b"\0" + rng.integers(0, 256, int(rng.integers(10, 3_000)), dtype=np.uint8).tobytes()
        yield Case(
            f"noise {seed}", noise, refused=("does not look like text", "control characters")
        )
    for name, data in {
        "NUL in a cell": b"a,b\n1,\x002\n", "NUL first": b"\0a,b\n1,2\n", "only NULs": b"\0" * 50,
        "utf-16 without a mark": "a,b\n1,2\n".encode("utf-16-le"), "bells": b"a,b\n1\x07,2\x07\n",
        "NULs in utf-16": "a,b\n1,\0\n".encode("utf-16"),
    }.items():  # fmt: skip
        yield Case(name, data, refused=("does not look like text",))
    yield Case("half a sign", "a,b\n".encode("utf-16") + b"1", refused=("UTF-16", "Save the file"))
    yield Case("a lone surrogate", b"\xff\xfea\0\n\0\x00\xd8a\0", refused=("UTF-16", "byte 6"))
    yield Case("beyond unicode", b"\xff\xfe\0\0\xff\xff\xff\xff", refused=("UTF-32",))
    yield Case("called parquet", b"a,b\n1,2\n", refused=("called Parquet",), file="rows.parquet")


def quotes() -> Iterator[Case]:
    """Quotes that are opened and not closed."""
    for name, head in {
        "first name": '"a,b\n', "last name": 'a,"b\n', "name in the middle": 'a,"b,c\n',
        "only name": '"v\n', "semicolons": '"a;b\n', "tabs": 'a\t"b\n',
    }.items():  # fmt: skip
        row = head.replace('"', "").translate(str.maketrans("abcv", "1234"))
        for rows in (3, 50_000):
            data = (head + row * rows).encode()
            yield Case(f"open quote, {name}, {rows}", data, refused=("column names", "quote"))
    closed = 'a,"b\n1,2\n3,"x"\n5,6\n' + "7,8\n" * 9
    yield Case("closed by the data", closed.encode(), refused=("column names", "quote"))
    long = '"v\n' + "123456789\n" * 100_000
    yield Case("open over 1 MB", long.encode(), refused=("column names", "quote"))
    lines = '"v\n' + ("1" * 100_000 + "\n") * 4
    yield Case("open over long lines", lines.encode(), refused=("column names", "never closed"))
    plain = {"a": Numbers([1, 3, 5], 0), "b": Numbers([2, NAN, 6], 1)}
    yield Case("open in the data", b'a,b\n1,2\n3,"4\n5,6\n', plain, noted="never closed")
    kept = {"two lines": Numbers([1, 3]), "b": Numbers([2, 4])}
    yield Case("names on two lines", b'"two\nlines",b\n1,2\n3,4\n', kept)
    inch = {'5" pipe': Numbers([1, 3]), "b": Numbers([2, 4])}
    yield Case("inches", b'5" pipe,b\n1,2\n3,4\n', inch)
    above = {"a": Numbers([1, 3, 5]), "b": Numbers([2, 4, 6])}
    report = b'"Report" of 2020\n\na,b\n1,2\n3,4\n5,6\n'
    yield Case("sloppy quotes above", report, above, noted="above the table")


def large() -> Iterator[Case]:
    """Lines that are far too long."""
    name, line = "has a field of more than 131,072 characters", "more than 1,048,576 characters"
    tail = b"\n1,2\n3,4\n"
    yield Case("1 MB name", lambda: b"a" * 1_000_000 + b",b" + tail, refused=(name,))
    yield Case("2 MB name", lambda: b"a" * 2_000_000 + b",b" + tail, refused=(line,))
    yield Case("9 MB name", lambda: b"a" * 9_000_000 + b",b" + tail, refused=(line,))
    yield Case("20 MB line", lambda: b"x" * 20_000_000, refused=(line,))
    yield Case("20 MB of digits", lambda: b"1" * 20_000_000 + b"\n3\n", refused=(line,))
    yield Case("20 MB of fields", lambda: b"1," * 10_000_000 + b"\n3\n", refused=(line,))
    wide = b",".join(b"c%d" % k for k in range(100_000))
    yield Case("100,000 names", wide + b"\n" + wide + b"\n", refused=("100,000 columns", "5,000"))
    many = ",".join(f"{k:04}" + "n" * 996 for k in range(1_000))
    row = ",".join(str(k) for k in range(1_000))
    columns = {(f"{k:04}" + "n" * 115 + "…"): Numbers([k, k]) for k in range(1_000)}
    # the names begin with digits and end in letters, so the first row is a header of 1 MB
    yield Case("1,000 names in 1 MB", f"{many}\n{row}\n{row}\n".encode(), columns)
    second = b"a,b\n1," + b"x" * 3_000_000 + b"\n3,4\n"
    expected = {"a": Numbers([1, 3]), "b": Numbers([NAN, 4], 1)}
    yield Case("3 MB cell", second, expected)


CASES = [
    case
    for family in (
        dialects, quoted, marks, separators, cells, styles, dates, names, empties, ragged,
        bytes_of_others, quotes, large,
    )
    for case in family()
]  # fmt: skip
