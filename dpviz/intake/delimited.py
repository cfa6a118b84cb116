"""CSV, TSV and their relatives: a look at the head, then one read by Arrow.

Columns that Arrow takes for numbers, though some of their texts are none as people write them, are
looked at a second time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, types

from dpviz.core.confidential import confidential
from dpviz.core.errors import UnreadableFile
from dpviz.intake.dialect import Dialect, declared_separator, sniff, unquoted
from dpviz.intake.encoding import Text
from dpviz.intake.limits import check_columns, check_rows
from dpviz.intake.names import unique_names
from dpviz.intake.numbers import MISSING
from dpviz.intake.table import Kept, Table, table_of

_BLOCK = 1 << 20
_LARGEST_BLOCK = (1 << 31) - 1
_Blocks = Callable[[pa.Buffer, Dialect, "_Ragged", int], pa.Table]
_HEXADECIMAL = r"^\s*[+-]?0[xX]"  # Arrow reads 0x10 as 16
_INFINITY = r"(?i)inf"
_CHUNK = 1 << 20
Reread = Callable[[Sequence[str]], pa.Table]


@confidential()
@dataclass(slots=True)
class _Ragged:
    """Rows with the wrong number of fields, counted as Arrow meets them."""

    count: int = 0
    found: int = 0
    torn: bool = False

    def __call__(self, row: csv.InvalidRow) -> Literal["skip"]:
        self.count += 1
        self.found = self.found or row.actual_columns
        self.torn = self.torn or "\n" in row.text.rstrip() or "\r" in row.text.rstrip()
        return "skip"


def read_text(text: Text, name: str, separator: str | None, header: bool | None) -> Table:
    """Read a text with any of the separators comma, semicolon, tab or bar.

    separator is the one in use where that is known; otherwise it is told from the text. header
    says whether the first row holds the names, None finds it out.
    Raises: UnreadableFile for a text that has no rows, or whose rows do not agree.
    """
    if separator is None:
        body, separator = declared_separator(text.body, name)
        text = replace(text, body=body)
    dialect = sniff(text.body, name, separator, header)
    check_columns(len(dialect.names), name)
    ragged = _Ragged()
    data = _read(text.body, dialect, ragged, name, _typed)
    if ragged.torn or _is_swallowed(data, text.body):
        dialect, ragged = unquoted(dialect), _Ragged()
        data = _read(text.body, dialect, ragged, name, _typed)
    if data.num_columns == 1 and data.column(0).null_count == data.num_rows:
        _refuse_blank(text.body.slice(dialect.start), name)
    note = _judge(ragged, data.num_rows, len(dialect.names), name)
    check_rows(data.num_rows, name)
    return table_of(
        name,
        data.rename_columns(list(unique_names(dialect.names))),
        notes=(*text.notes, *dialect.notes, *note),
        decimal=dialect.decimal,
        how=text.how or _how(dialect, text.encoding),
        header=dialect.is_named,
        first_row=dialect.first_row,
        kept=Kept(
            partial(_as_written, text.body, dialect, name),
            int(text.body.size),
            partial(read_text, text, name, separator),
        ),
    )


def _as_written(body: pa.Buffer, dialect: Dialect, name: str, place: int) -> pa.ChunkedArray:
    """The cells of a column byte for byte."""
    cells = partial(_read_blocks, texts=[str(place)], missing=())
    return _read(body, dialect, _Ragged(), name, cells).column(0)


def _how(dialect: Dialect, encoding: str) -> str:
    """Separator, decimal mark and encoding in words."""
    separators = {",": "Commas", ";": "Semicolons", "\t": "Tabs", "|": "Bars"}
    if len(dialect.names) == 1:
        parts = ["One value a line"]
    else:
        parts = [separators.get(dialect.delimiter, "A separator of its own")]
    return ", ".join([*parts, *["decimal commas"] * (dialect.decimal == ","), encoding]) + "."


def _refuse_blank(rows: pa.Buffer, name: str) -> None:
    if not rows.to_pybytes().strip():
        check_rows(0, name)


def _is_swallowed(data: pa.Table, body: pa.Buffer) -> bool:
    """Whether a quote opened in the last column took everything after it into one value."""
    last = data.column(data.num_columns - 1)
    if len(last) == 0 or not pa.types.is_string(last.type):
        return False
    value = last[-1].as_py() or ""
    end = body.slice(max(0, body.size - 64)).to_pybytes().rstrip()
    return ("\n" in value or "\r" in value) and not end.endswith(b'"')


def _read(body: pa.Buffer, dialect: Dialect, ragged: _Ragged, name: str, read: _Blocks) -> pa.Table:
    """All rows, by a way of reading them in blocks that are large enough for their longest one."""
    rows = body.slice(dialect.start)
    if rows.size == 0:
        check_rows(0, name)
    width = len(dialect.names)
    block = max(_BLOCK, 4096 * width)  # wide tables would fall into thousands of tiny chunks
    while True:
        try:
            return read(rows, dialect, ragged, block)
        except pa.ArrowException as error:
            if "straddl" in str(error) and block < min(rows.size, _LARGEST_BLOCK):
                block = min(16 * block, _LARGEST_BLOCK)
                ragged.count = 0
                continue
            if "Empty CSV" in str(error):
                check_rows(0, name)
            raise UnreadableFile(
                f"'{name}' cannot be read as a table of {width:,} columns. Check that every row "
                "has the same separators and that quotes are closed."
            ) from None


def _typed(rows: pa.Buffer, dialect: Dialect, ragged: _Ragged, block: int) -> pa.Table:
    """All columns, as what their cells are."""
    data = _read_blocks(rows, dialect, ragged, block)
    return second_look(data, rows, partial(_read_blocks, rows, dialect, _Ragged(), block))


def _read_blocks(
    rows: pa.Buffer,
    dialect: Dialect,
    ragged: _Ragged,
    block: int,
    texts: Sequence[str] | None = None,
    missing: Sequence[str] = MISSING,
) -> pa.Table:
    """All columns, or those called texts, as text; cells that are written as missing are null."""
    # short stand-in names: Arrow keys its options by name, and real names may repeat
    names = [str(position) for position in range(len(dialect.names))]
    return csv.read_csv(
        pa.BufferReader(rows),
        read_options=csv.ReadOptions(
            column_names=names,
            block_size=block,
            # of one block threads gain nothing, and now and then they abort a process that ends
            # right after reading
            use_threads=rows.size > block,
        ),
        parse_options=csv.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char='"' if dialect.quotes else False,
            newlines_in_values=dialect.quotes,
            ignore_empty_lines=len(names) > 1,  # in a single column a blank line is a missing value
            invalid_row_handler=ragged,
        ),
        convert_options=csv.ConvertOptions(
            check_utf8=False,  # to_utf8 has done it
            null_values=list(missing),
            strings_can_be_null=True,
            decimal_point=dialect.decimal,
            include_columns=texts,
            column_types=dict.fromkeys(texts or (), pa.string()),
        ),
    )


def _judge(ragged: _Ragged, kept: int, width: int, name: str) -> tuple[str, ...]:
    """A few ragged rows are skipped and told; many mean that the file was misread."""
    if ragged.count == 0:
        return ()
    total = ragged.count + kept
    what = (
        f"{ragged.count:,} of {total:,} rows do not have {width:,} fields as the others do "
        f"(first: {ragged.found:,})"
    )
    if 10 * ragged.count > total:
        raise UnreadableFile(
            f"'{name}': {what}. Check the separator and the quotes, or drop those rows."
        )
    return (f"{what}; they were skipped.",)


def second_look(data: pa.Table, rows: pa.Buffer, reread: Reread) -> pa.Table:
    """The table, with columns as text that hold a hexadecimal number or one beyond all doubles.

    reread reads the named columns of the same rows as text; it is called only on suspicion.
    """
    integers = [key for key in data.column_names if types.is_integer(data.column(key).type)]
    if integers and not _mentions_hexadecimal(rows):
        integers = []
    infinite = [key for key in data.column_names if _has_infinity(data.column(key))]
    if not integers and not infinite:
        return data
    texts = reread(integers + infinite)
    for key in integers:
        if pc.any(pc.match_substring_regex(texts.column(key), _HEXADECIMAL)).as_py():
            data = _with(data, key, texts)
    for key in infinite:
        spelt = pc.filter(texts.column(key), pc.is_inf(data.column(key)))
        if not pc.all(pc.match_substring_regex(spelt, _INFINITY)).as_py():
            data = _with(data, key, texts)
    return data


def _with(data: pa.Table, key: str, texts: pa.Table) -> pa.Table:
    return data.set_column(data.schema.get_field_index(key), key, texts.column(key))


def _has_infinity(column: pa.ChunkedArray) -> bool:
    return types.is_floating(column.type) and bool(pc.any(pc.is_inf(column)).as_py())


def _mentions_hexadecimal(rows: pa.Buffer) -> bool:
    """Whether 0x stands anywhere; in pieces that fit a cache, as the text may have 500 MB."""
    text = np.frombuffer(rows, dtype=np.uint8)
    for start in range(0, text.size, _CHUNK):
        piece = text[start : start + _CHUNK + 1]
        marks = (piece[1:] | 0x20) == ord("x")
        if marks.any() and np.any(marks & (piece[:-1] == ord("0"))):
            return True
    return False
