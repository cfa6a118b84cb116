"""Hostile workbooks, each with what must come of it: its columns, or words."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator

from tests.intake.hostile.cases import EMPTY, NAN, TEXT, Case, Numbers
from tests.intake.workbooks import LINKS, MAIN, PACKAGE, excel, parts_of, rows_of, zipped

SHEET = "xl/worksheets/1.xml"
BOOK = "xl/workbook.xml"
ROWS = (("age", "wage"), (34, 1.5), (61, 2.5))
FOUND = {"age": Numbers([34, 61]), "wage": Numbers([1.5, 2.5])}
SECRET = "zqxw7351"


def sheet_of(inside: str, **parts: str) -> bytes:
    """A workbook whose only sheet has these rows; parts replace others by their last names."""
    made = parts_of({"Sheet1": inside})
    for name, text in parts.items():
        made[next(key for key in made if key.endswith(f"{name}.xml"))] = text
    return zipped(made)


def without(part: str) -> bytes:
    return zipped(
        {key: text for key, text in parts_of({"S": rows_of(ROWS)}).items() if key != part}
    )


def with_parts(**parts: str | bytes) -> bytes:
    made = parts_of({"S": rows_of(ROWS)})
    return zipped(made | {name.replace("__", "/"): text for name, text in parts.items()})


def formulas() -> Iterator[Case]:
    """Formulas count as what they were saved with; without it the cell is empty."""

    def saved(formula: str, value: str, kind: str = "") -> bytes:
        odd = f"<c{kind}><f>{formula}</f>{value}</c>"
        return sheet_of(rows_of(ROWS[:2]) + f"<row>{odd}<c><v>2.5</v></c></row>")

    yield Case("a sum", saved("SUM(A1:A2)", "<v>61</v>"), FOUND)
    gone = {"age": Numbers([34, NAN]), "wage": Numbers([1.5, 2.5])}
    yield Case("no saved value", saved("SUM(A1:A2)", ""), gone)
    yield Case("an error", saved("1/0", "<v>#DIV/0!</v>", ' t="e"'), gone)
    text = {"age": Numbers([34, NAN], 1), "wage": Numbers([1.5, 2.5])}
    yield Case("a text", saved("A1", f"<v>{SECRET}</v>", ' t="str"'), text)
    yield Case("a command", saved("cmd|' /C calc'!A0", "<v>61</v>"), FOUND)
    yield Case("a link", saved("HYPERLINK(&quot;http://a.b&quot;)", "<v>61</v>"), FOUND)
    yield Case("a long one", saved("1+" * 100_000 + "1", "<v>61</v>"), FOUND)
    typed = (("a", "b"), ("=1+1", 1), ("=cmd|' /C calc'!A0", 2), ("@SUM(1)", 3))
    yield Case("formulas typed as text", excel(*typed), {"a": TEXT, "b": Numbers([1, 2, 3])})


def names() -> Iterator[Case]:
    """Merged, empty, repeated and odd cells where names stand."""
    merged = '<row><c r="A1" t="inlineStr"><is><t>pay</t></is></c><c r="B1"/><c r="C1"/></row>'
    rows = rows_of(((1, 2, 3), (4, 5, 6)))
    columns = {"pay": Numbers([1, 4]), "column 2": Numbers([2, 5]), "column 3": Numbers([3, 6])}
    cells = f'{merged}{rows}</sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>'
    merged_once = sheet_of(rows_of((("pay", "x", "y"),)) + rows)
    yield Case(
        "three names", merged_once, dict(zip(("pay", "x", "y"), columns.values(), strict=True))
    )
    # of one name over three columns the row below is taken, and that is a record
    numbered = {f"column {at}": Numbers([at, at + 3]) for at in (1, 2, 3)}
    yield Case("a name over three columns", sheet_of(cells + "<sheetData>"), numbered)
    for odd in ("\u202eage", "a&#x1b;b", "&lt;script&gt;", "a" * 32_767):
        data = excel((odd, "b"), (1, 2), (3, 4))
        name = {"\u202eage": "age", "&lt;script&gt;": "<script>", "a" * 32_767: "a" * 119 + "…"}
        if odd in name:
            yield Case(f"name {odd[:9]}", data, {name[odd]: Numbers([1, 3]), "b": Numbers([2, 4])})
    dated = excel((45000j, "b"), (1, 2), (3, 4))
    found = {"column 1": Numbers([NAN, 1, 3], 1), "column 2": Numbers([NAN, 2, 4], 1)}
    yield Case("a date as a name", dated, found)
    yield Case("true as a name", excel((True, 7), (False, 2)), {
        "column 1": Numbers([1, 0]), "column 2": Numbers([7, 2]),
    })  # fmt: skip


def cells() -> Iterator[Case]:
    """Cells that say other things than they hold."""

    def second(odd: str) -> bytes:
        return sheet_of(rows_of(ROWS[:2]) + f"<row>{odd}<c><v>2.5</v></c></row>")

    gone = {"age": Numbers([34, NAN]), "wage": Numbers([1.5, 2.5])}
    odd = {"age": Numbers([34, NAN], 1), "wage": Numbers([1.5, 2.5])}
    yield Case("an empty cell", second("<c/>"), gone)
    yield Case("a huge number", second(f"<c><v>{'9' * 300}</v></c>"), {
        "age": Numbers([34, float("9" * 300)]), "wage": Numbers([1.5, 2.5]),
    })  # fmt: skip
    yield Case("a text that is long", second(f'<c t="str"><v>{"z" * 32_767}</v></c>'), odd)
    yield Case("signs from right to left", second('<c t="str"><v>\u202e61</v></c>'), odd)
    yield Case("combining signs", second(f'<c t="str"><v>6\u0301{SECRET}</v></c>'), odd)
    yield Case("an id of 400 digits", second(f'<c t="str"><v>{"7" * 400}</v></c>'), odd)
    yield Case("a column of nothing", excel(("a", "b"), (None, 1), (None, 2)), {
        "a": EMPTY, "b": Numbers([1, 2]),
    })  # fmt: skip


def damaged() -> Iterator[Case]:
    """Parts that are missing, cut, or of another kind."""
    words = ("odd.xlsx",)
    cases: dict[str, bytes | Callable[[], bytes]] = {
        "no sheet part": without(SHEET),
        "no book": without(BOOK),
        "no links": without("xl/_rels/workbook.xml.rels"),
        "shared texts that are missing": sheet_of('<row><c t="s"><v>7</v></c></row>' * 3),
        "a text out of its table": with_parts(
            xl__sharedStrings_xml="", **{SHEET.replace("/", "__"): "<x/>"}
        ),
        "an entity that grows": sheet_of("", **{"worksheets/1": grows()}),
        "a foreign entity": sheet_of("", **{"worksheets/1": foreign()}),
        "a sheet that is cut": sheet_of(
            "", **{"worksheets/1": "<worksheet><sheetData><row><c><v>1"}
        ),
        "another kind of text": sheet_of("", **{"worksheets/1": "\x00\xff" * 99}),
        "only a hidden sheet": zipped(parts_of({"S": rows_of(ROWS)}, hidden=["S"])),
        "no sheet at all": zipped(parts_of({})),
        "half of a zip": excel(*ROWS)[: len(excel(*ROWS)) // 2],
        "another zip inside": zipped({"xl/workbook.xml": excel(*ROWS)}),
        "a password": bytes.fromhex("d0cf11e0a1b11ae1") + b"EncryptedPackage" * 99,
        "ten thousand parts": lambda: zipped(
            parts_of({"S": rows_of(ROWS)}) | {f"xl/media/{at}.png": b"" for at in range(10_001)}
        ),
    }
    for name, data in cases.items():
        yield Case(name, data, refused=words, file="odd.xlsx")


def grows() -> str:
    """A billion laughs."""
    levels = "".join(f'<!ENTITY e{at + 1} "{f"&e{at};" * 10}">' for at in range(9))
    return (
        f'<!DOCTYPE x [<!ENTITY e0 "ha">{levels}]><worksheet xmlns="{MAIN}"><sheetData><row>'
        '<c t="str"><v>&e9;</v></c></row></sheetData></worksheet>'
    )


def foreign() -> str:
    """A file of this machine as the value of a cell."""
    return (
        f'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><worksheet xmlns="{MAIN}">'
        '<sheetData><row><c t="str"><v>&f;</v></c></row></sheetData></worksheet>'
    )


def strange() -> Iterator[Case]:
    """What is odd beside a sound sheet."""
    yield Case("a path that leaves", with_parts(**{"..__..__etc__passwd": "x"}), FOUND)
    yield Case("macros", with_parts(xl__vbaProject_bin=b"\xd0\xcf" * 99), FOUND)
    links = f'<Relationships xmlns="{PACKAGE}"><Relationship Id="x" Type="{LINKS}/externalLink" Target="http://a.b/"/></Relationships>'
    yield Case("links to elsewhere", with_parts(xl__externalLinks___rels__x=links), FOUND)
    yield Case("many sheets", zipped(parts_of({
        f"S{at}": rows_of(ROWS if not at else ((1,),)) for at in range(200)
    })), FOUND)  # fmt: skip
    yield Case("a sheet with a bad name", excel(*ROWS, name="&lt;b&gt;\u202e" + "x" * 31), FOUND)


def bomb() -> bytes:
    """A gigabyte of spaces in a sheet, as its directory truly says."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in parts_of({"S": rows_of(ROWS)}).items():
            archive.writestr(name, text)
        with archive.open("xl/worksheets/2.xml", "w", force_zip64=True) as part:
            for _ in range(1_100):
                part.write(b" " * 1_000_000)
    return sink.getvalue()


CASES = [one for family in (formulas, names, cells, damaged, strange) for one in family()]
BOMB = Case("a bomb", bomb, refused=("unpacks to 1,100 MB",), file="odd.xlsx")
