"""Workbooks made on the spot: zipped ones by their parts, old Excel by its records."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DAY = 1  # the style of a date


def cell(value: object) -> str:
    """One cell of a row; None is an empty one, '#N/A' an error, '=…' stays text."""
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str) and value.startswith("#"):
        return f'<c t="e"><v>{value}</v></c>'
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'
    if isinstance(value, complex):  # a day number, written as the imaginary part
        return f'<c s="{DAY}"><v>{value.imag:g}</v></c>'
    return f"<c><v>{value!r}</v></c>"


def rows_of(rows: Sequence[Sequence[object]]) -> str:
    return "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return sink.getvalue()


def parts_of(sheets: Mapping[str, str], hidden: Sequence[str] = ()) -> dict[str, str | bytes]:
    """The parts of an Excel workbook; sheets are the texts of their rows by name."""
    state = ("visible", "hidden")
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}" '
        f'state="{state[name in hidden]}"/>'
        for number, name in enumerate(sheets, start=1)
    )
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{LINKS}/worksheet" '
        f'Target="worksheets/{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    styles = f'<Relationship Id="styles" Type="{LINKS}/styles" Target="styles.xml"/>'
    cells = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    return {
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="book" '
        f'Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{listed}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{links}{styles}'
        "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{cells}</styleSheet>',
    } | {
        f"xl/worksheets/{number}.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>'
        "</worksheet>"
        for number, rows in enumerate(sheets.values(), start=1)
    }


def excel(*rows: Sequence[object], name: str = "Sheet1") -> bytes:
    return zipped(parts_of({name: rows_of(rows)}))


def open_document(rows: Sequence[Sequence[float | str]], repeated: int = 1) -> bytes:
    """An OpenDocument sheet whose last cell stands repeated times."""
    words = {
        name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("table", "text")
    }

    def one(value: float | str, times: int = 1) -> str:
        again = f' table:number-columns-repeated="{times}"' if times > 1 else ""
        kind = "string" if isinstance(value, str) else "float"
        stored = "" if isinstance(value, str) else f' office:value="{value!r}"'
        return (
            f'<table:table-cell office:value-type="{kind}"{stored}{again}><text:p>{value}</text:p>'
            "</table:table-cell>"
        )

    last = len(rows) - 1
    body = "".join(
        "<table:table-row>"
        + "".join(
            one(value, repeated if (at, place) == (last, len(row) - 1) else 1)
            for place, value in enumerate(row)
        )
        + "</table:table-row>"
        for at, row in enumerate(rows)
    )
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    spaces = "".join(f' xmlns:{name}="{where}"' for name, where in words.items())
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f'<office:document-content xmlns:office="{office}"{spaces}><office:body>'
            f'<office:spreadsheet><table:table table:name="Blatt 1">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
            "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:'
            'opendocument:xmlns:manifest:1.0"/>',
        }
    )


def old_excel(rows: Sequence[Sequence[float | str]]) -> bytes:
    """An .xls file: records of BIFF8 in the one stream of a compound file."""
    sheet = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for at, row in enumerate(rows):
        for place, value in enumerate(row):
            where = struct.pack("<HHH", at, place, 0)
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 0) + value.encode("latin-1")
                sheet += _record(0x204, where + text)
            else:
                sheet += _record(0x203, where + struct.pack("<d", value))
    sheet += _record(0x0A, b"")
    start = _record(0x809, struct.pack("<HHHHII", 0x600, 0x05, 0, 0, 0, 0))
    named = b"\x03\x00Old"  # characters, one byte each
    place = len(start) + 4 + 6 + len(named) + 4
    start += _record(0x85, struct.pack("<IH", place, 0) + named) + _record(0x0A, b"")
    return _compound(start + sheet)


def _record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _compound(stream: bytes) -> bytes:
    """A compound file whose sectors are: allocation table, directory, the stream."""
    sectors = max(
        8, -(-len(stream) // 512)
    )  # shorter streams would lie in a small one of their own
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, 2 + sectors), 0xFFFFFFFE]
    table = struct.pack("<128I", *chain, *[0xFFFFFFFF] * (128 - len(chain)))
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    head += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    head += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    directory = _entry("Root Entry", 5, child=1, start=0xFFFFFFFE, size=0)
    directory += _entry("Workbook", 2, child=0xFFFFFFFF, start=2, size=512 * sectors)
    return head + table + directory.ljust(512, b"\0") + stream.ljust(512 * sectors, b"\0")


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    none = 0xFFFFFFFF
    links = struct.pack("<HBBIII", len(text), kind, 1, none, none, child)
    return text.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", start, size)
