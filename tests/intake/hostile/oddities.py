"""Hostile texts of which only so much is asked: a table or words, soon, and no cell in words."""

from __future__ import annotations

import base64
import io
import itertools
import json
import pickle
import struct
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

SECRET = "zqxw7351"  # stands in cells alone
ROWS = "".join(f"{at % 50},{at * 7 % 99}\n" for at in range(60))
LINES = ROWS.splitlines()


@dataclass(frozen=True)
class Oddity:
    """Bytes, or what makes them, under the name of a file."""

    name: str
    data: bytes | Callable[[], bytes]
    file: str = "rows.csv"

    @property
    def bytes(self) -> bytes:
        return self.data if isinstance(self.data, bytes) else self.data()


def text(name: str, *parts: str) -> Oddity:
    return Oddity(name, "".join(parts).encode("utf-8", "surrogatepass"))


def nuls() -> Iterator[Oddity]:
    """Signs that end texts in other languages, early and far behind the head."""
    far = "a,b\n" + "1,2\n" * 40_000
    for sign in ("\0", "\x1a", "\x04", "\x07", "\x1b[2J", "\x7f", "\x85", "\u2028", "\x0c", "\x0b"):
        yield text(f"{sign!r} in a late cell", far, f"5{sign}{SECRET},2\n", "3,4\n")
        yield text(f"{sign!r} in a quoted cell", far, f'"{SECRET}{sign}",2\n', "3,4\n")
        yield text(f"{sign!r} in a name", f"a{sign}b,c\n", ROWS)
        yield text(f"{sign!r} at the end", "a,b\n", ROWS, sign)
        yield text(f"{sign!r} between lines", "a,b\n", ROWS.replace("\n", f"\n{sign}"))


def line_ends() -> Iterator[Oddity]:
    """Several line ends in one file, in and out of quotes."""
    ends = ("\n", "\r\n", "\r", "\n\r", "\r\r\n", "\n\n", "\x0b", "\u2029")
    for first, second in itertools.permutations(ends, 2):
        mixed = "".join(f"{line}{(first, second)[at % 2]}" for at, line in enumerate(LINES))
        yield text(f"{first!r} and {second!r}", f"a,b{first}", mixed)
    for end in ends:
        yield text(f"{end!r} in quotes", "a,b\n", ROWS, f'"{SECRET}{end}",2\n' * 3, ROWS)
        yield text(f"{end!r} alone", end * 1_000)
        yield text(f"a million {end!r}", "a,b", end * 1_000_000, "1,2\n")


def quotes() -> Iterator[Oddity]:
    """Quotes without an end, without a beginning, in odd numbers and in heaps."""
    for count in (1, 2, 3, 4, 5, 999):
        for place in ("", "a", "a,", "a,b\n", "a,b\n1,2\n"):
            rest = f"{SECRET if place.count(',') > 1 else 'c'}\n"
            yield text(f"{count} quotes after {place!r}", place, '"' * count, rest, ROWS)
    for end in ('"', '""', '" ', ' "', '"x', "'", '\\"', '",', '"\n"'):
        yield text(f"cells that end in {end!r}", "a,b\n", *(f'"{line}{end}\n' for line in LINES))
        yield text(f"one that ends in {end!r}", "a,b\n", ROWS, f'"{SECRET}{end}\n', ROWS)
    yield text("a megabyte of quotes", "a,b\n", '"' * 1_000_000, "\n", ROWS)
    yield text("a cell of doubled quotes", "a,b\n", '"' + '""' * 500_000 + '",1\n', ROWS)
    yield text("opened every other line", "a,b\n", '1,2\n3,"4\n' * 5_000)


def shapes() -> Iterator[Oddity]:
    """Rows and columns of all sizes."""
    for count in (2, 5_000, 5_001, 100_000, 1_000_000):
        yield Oddity(f"{count} columns", lambda n=count: (b"a" + b",a" * (n - 1) + b"\n") * 3)
        yield Oddity(
            f"{count} numbers in a row", lambda n=count: (b"1" + b",1" * (n - 1) + b"\n") * 3
        )
        yield Oddity(f"{count} empty cells in a row", lambda n=count: (b"," * (n - 1) + b"\n") * 3)
    for name in ("a", "", "column 1", "x" * 200):
        head = ",".join([name] * 5_000)
        row = ",".join(str(at % 9) for at in range(5_000))
        yield text(f"5,000 columns called {name[:9]!r}", f"{head}\n{row}\n{row}\n")
    widths = ["1" + ",1" * at for at in range(300)]
    yield text("every row wider", "\n".join(widths))
    yield text("every row narrower", "\n".join(widths[::-1]))
    yield text("two widths by turns", "a,b\n", "1,2\n1,2,3\n" * 200)
    yield Oddity("a cell of 20 MB", lambda: b"a,b\n1,2\n" + b"x" * 20_000_000 + b",2\n3,4\n")
    yield Oddity("a number of 20 MB", lambda: b"a,b\n1,2\n" + b"7" * 20_000_000 + b",2\n3,4\n")
    yield Oddity(
        "a late cell of 20 MB",
        lambda: b"a,b\n" + b"1,2\n" * 30_000 + b'"' + b"y\n" * 10_000_000 + b'",2\n3,4\n',
    )
    for separator in ",;\t| ":
        yield text(f"nothing but {separator!r}", separator * 1_000)
        yield text(f"lines of {separator!r}", f"{separator * 9}\n" * 1_000)


NUMBERS = [
    "1" * 400,
    "9" * 131_000,
    "1" * 131_000 + "x",
    "0" * 400 + "1",
    "-" * 400,
    "." * 400,
    "1." * 400,
    "1," * 400,
    "1e" + "9" * 400,
    "0." + "3" * 400,
    "1'" * 400,
    "1 " * 400,
    "0x" + "f" * 400,
    "1" + ",000" * 200,
    "1" + ".000" * 200,
    "inf" * 99,
    "nan" * 99,
    "+" * 99 + "1",
    "−" * 99 + "1",
    "jan" + "1" * 400,
    "1" * 400 + "jan",
    "2020-" * 99,
    "10:30:" * 99,
    "(" * 400 + "5" + ")" * 400,
    "٣" * 99,
    "½" * 99,
    "５" * 99,
    "1\u0301",
    "1\u200d2",
    "\u202e12",
    "1\u00ad2",
    "Ⅷ",
    "一",
    "1_000",
]


def numbers() -> Iterator[Oddity]:
    """What is nearly a number, as a name, as a cell, and as all cells of a column."""
    for odd in NUMBERS:
        short = f"{odd[:7]!r} of {len(odd)}"
        yield text(f"name {short}", f'"{odd}";b\n', "1;2\n" * 30)
        yield text(f"cell {short}", "a;b\n", "1;2\n" * 30, f'"{odd}";2\n')
        yield text(f"column {short}", "a;b\n", f'"{odd}";2\n' * 30)
        yield text(f"all {short}", f"{odd}\n" * 30)


SIGNS = {
    "right to left": "\u202eabc\u202c",
    "isolates": "\u2067x\u2069",
    "marks": "\u200f\u200e\u061c",
    "combining": "a" + "\u0301" * 500,
    "lone combining": "\u0301\u0302",
    "joiners": "👩\u200d🔬" * 50,
    "tags": "🏴\U000e0067\U000e0062",
    "selectors": "a\ufe0f\ufe0e",
    "private": "\ue000\U000f0000",
    "no characters": "\ufffe\uffff",
    "replacement": "\ufffd" * 9,
    "soft hyphen": "a\u00adb",
    "wide": "ａｂｃ",
    "hangul": "\u1100\u1161\u11a8",
    "tall": "꧅" * 99,
    "zalgo": "z\u0489\u0334" * 99,
    "last": "\U0010ffff",
    "a BOM": "\ufeff",
    "BOMs": "\ufeff" * 99,
    "nbsp": "\u00a0" * 9,
    "invisible": "\u2063\u2064\u180e\u3164",
    "Turkish": "İıI",
    "sharp": "ßẞ",
    "dz": "ǅ",
}


def signs() -> Iterator[Oddity]:
    """Signs that change how others are shown, counted or compared."""
    for name, sign in SIGNS.items():
        yield text(f"name: {name}", f"{sign},b\n", ROWS)
        yield text(f"both names: {name}", f"{sign},{sign}\n", ROWS)
        yield text(f"cell: {name}", "a,b\n", ROWS, f"{sign}{SECRET},1\n")
        yield text(f"around numbers: {name}", "a,b\n", *(f"{sign}{line}{sign}\n" for line in LINES))
        yield text(f"separator: {name}", "a,b\n".replace(",", sign), ROWS.replace(",", sign))
        yield text(
            f"declared: {name}",
            f"sep={sign}\n",
            "a,b\n".replace(",", sign),
            ROWS.replace(",", sign),
        )
        yield text(f"before all: {name}", sign, "a,b\n", ROWS)


def encodings() -> Iterator[Oddity]:
    """Bytes that are no text in the encoding that they say, or none of those that are known."""
    rows = f"größe,b\n{ROWS}{SECRET},1\n"
    for encoding in (
        "utf-7",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "cp037",
        "cp437",
        "shift_jis",
        "gb18030",
        "koi8-r",
        "iso2022_jp",
        "hz",
        "mac-roman",
        "cp1251",
    ):
        yield Oddity(f"as {encoding}", rows.encode(encoding, "replace"))
        for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"+/v8"):
            yield Oddity(f"{mark!r} before {encoding}", mark + rows.encode(encoding, "replace"))
    for name, bad in {
        "overlong": b"\xc0\xaf",
        "surrogate": b"\xed\xa0\x80",
        "beyond": b"\xf4\x90\x80\x80",
        "cut": b"\xe2\x82",
        "continuation": b"\x80" * 9,
        "ff": b"\xff" * 9,
        "five": b"\xf8\x88\x80\x80\x80",
    }.items():
        yield Oddity(f"{name} in a name", b"a" + bad + b",b\n" + ROWS.encode())
        yield Oddity(f"{name} in a cell", b"a,b\n" + ROWS.encode() + bad + b",1\n")
        yield Oddity(f"{name} at the end", b"a,b\n" + b"1,2\n" * 50_000 + bad)
    odd = "a,b\n1,2\n".encode("utf-16") + b"\x00"
    yield Oddity("an odd byte", odd)
    yield Oddity("two files of two encodings", rows.encode() + rows.encode("utf-16"))


def dates() -> Iterator[Oddity]:
    """Dates as names and as cells; all of them as records."""
    stamps = [
        "2020-01-31",
        "31.01.2020",
        "01/31/20",
        "Jan 2020",
        "2020",
        "2020Q1",
        "20200131",
        "2020-01-31T10:30:00.123456789+02:00",
        "99999-01-01",
        "0000-00-00",
        "-4713-11-24",
        "2020-02-30",
        "1e9",
        "24:00",
        "23:59:60",
        "Mon",
        "now",
    ]
    for stamp in stamps:
        yield text(f"name {stamp}", f"{stamp},{stamp}\n", ROWS)
        yield text(f"cell {stamp}", "a,b\n", ROWS, f"{stamp},1\n")
        yield text(f"column {stamp}", "a,b\n", f"{stamp},1\n" * 30)
        yield text(f"all {stamp}", f"{stamp},{stamp}\n" * 30)


def others() -> Iterator[Oddity]:
    """Content of other kinds, under the name of a CSV file and under its own."""
    numbers, sink, frame = np.arange(9.0), io.BytesIO(), pd.DataFrame({"a": [1, 2]})
    np.save(sink, numbers)
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("rows.csv"), io.BytesIO())
    records = [{"a": at, "b": SECRET} for at in range(20)]
    kinds = {
        "json": json.dumps(records).encode(),
        "jsonl": "\n".join(map(json.dumps, records)).encode(),
        "npy": sink.getvalue(),
        "pickle": pickle.dumps(frame),
        "tar": tar.getvalue(),
        "xml": f"<?xml version='1.0'?>\n<r>{SECRET}</r>\n".encode() * 9,
        "svg": f"<svg xmlns='x'><text>{SECRET}</text></svg>".encode(),
        "yaml": f"a: 1\nb: {SECRET}\n".encode() * 9,
        "markdown": b"| a | b |\n|---|---|\n| 1 | 2 |\n",
        "fixed": b"a    b    \n1    2    \n3    4    \n",
        "latex": b"a & b \\\\\n1 & 2 \\\\\n",
        "python": f"x = [1, 2]\nprint('{SECRET}')\n".encode(),
        "sql": b"INSERT INTO t VALUES (1, 2);\n",
        "log": b"[2020-01-01 10:30] INFO a=1 b=2\n" * 9,
        "vcf": b"BEGIN:VCARD\nFN:Zebra\nEND:VCARD\n",
        "rtf": b"{\\rtf1 a}",
        "elf": b"\x7fELF\x02\x01\x01" + bytes(99),
        "exe": b"MZ" + bytes(99),
        "gif": b"GIF89a" + struct.pack("<HH", 9, 9),
        "mp3": b"ID3\x04" + bytes(9),
        "orc": b"ORC\x11",
        "avro": b"Obj\x01" + bytes(9),
        "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(9),
        "7z": b"7z\xbc\xaf'\x1c",
        "feather": b"FEA1" + bytes(9),
        "stata": b"<stata_dta><header>",
        "mat": b"MATLAB 5.0" + bytes(9),
        "base64": base64.b64encode(ROWS.encode()),
        "pem": b"-----BEGIN KEY-----\nzqxw\n-----END KEY-----\n",
        "email": f"From: {SECRET}\nTo: b\n\nhello, world\n".encode(),
        "diff": b"--- a\n+++ b\n@@ -1,2 +1,2 @@\n",
        "urls": b"https://a.b/c?d=1,2\n" * 9,
        "zeros": bytes(9_999),
        "spaces": b" " * 99_999,
        "html": b"<table><tr><td>1</td></tr></table>",
        "shebang": b"#!/bin/sh\necho 1,2\n",
        "comments": b"# a\n# b\n" + b"x,y\n1,2\n3,4\n" * 9,
        "swapped": ROWS.encode()[::-1],
    }
    for kind, data in kinds.items():
        yield Oddity(f"{kind} as csv", data)
        yield Oddity(f"{kind} as itself", data, f"rows.{kind}")
        yield Oddity(f"rows, then {kind}", b"a,b\n" + ROWS.encode() * 30 + data)


def cut() -> Iterator[Oddity]:
    """A sound file cut off at each of its bytes, and with some of its bytes changed."""
    sound = 'name,"größe",b\n"a, b",1.5,2\nc,2.5,"3"\nd,,4\n'.encode()
    for at in range(len(sound)):
        yield Oddity(f"cut at {at}", sound[:at])
    for at, sign in itertools.product(range(0, len(sound), 3), b'\0",\n\xff'):
        yield Oddity(f"byte {at} is {sign}", sound[:at] + bytes([sign]) + sound[at + 1 :])


ODDITIES = [
    one
    for family in (nuls, line_ends, quotes, numbers, signs, encodings, dates, others, cut)
    for one in family()
]
HUGE = list(shapes())
