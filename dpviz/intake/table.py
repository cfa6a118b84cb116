"""A table as it was read: what its columns are, and their values when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from pyarrow import compute

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import checked_flag, found, wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData, UnreadableColumn, UnreadableValues
from dpviz.core.person_rows import tells_apart
from dpviz.intake.kinds import Kind, kind_of, missing_count, to_floats
from dpviz.intake.names import shown
from dpviz.intake.numbers import ParsedText, parse_each, parse_numbers


def give_back() -> None:
    """Hand memory that Arrow has freed but kept back to the system."""
    pa.default_memory_pool().release_unused()


@confidential()
@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """One column: missing counts absent values, not_numeric the present ones that are no numbers.

    Both are confidential. A column of text is numeric when more than half of its values are.
    """

    name: str
    kind: Kind
    missing: int
    not_numeric: int


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class NumericColumn:
    """float64 values (n,), read-only, NaN where missing or unreadable, and how many of each."""

    values: FloatArray
    missing: int
    unreadable: int = 0


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The file behind a table, for what its typed columns no longer tell. Confidential.

    as_written gives a column by its place, different where it is written differently; nbytes is
    what the file takes in memory. again reads it with the first row as names or as a record.
    """

    as_written: Callable[[int], pa.ChunkedArray]
    nbytes: int
    again: Callable[[bool], Table] | None = None


@confidential("name")
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Table:
    r"""A table that was read. Its values are confidential and never part of its repr.

    column, points and people hand over what is declared of it, and table["state"] the cells of a
    column, as PlaceCounts takes them. To column and points a cell that is no number is missing,
    whatever it holds, and is never quoted. How numbers are written (with a
    decimal comma, with thousands) is found from all cells of a column.
    how says how the file was read, and nothing of its values; notes may count rows. header says
    whether the first row holds the names, and first_row the same in fixed words; it is None, and
    these are empty, where a file declares its names.

    >>> table = dp.read_table(b'age,pay\n31,4\n45,5\n', 'pay.csv')
    >>> table.column('age', dp.Bounds(0, 100), resolution=1)
    <Column of confidential data: bounds=Bounds(low=0.0, high=100.0), resolution=1.0>
    """

    name: str
    rows: int
    columns: tuple[ColumnInfo, ...]
    notes: tuple[str, ...]
    _data: pa.Table = field(repr=False)
    _decimal: str = field(repr=False, default=".")
    how: str = ""
    header: bool | None = None
    first_row: str = ""
    _kept: Kept | None = field(repr=False, default=None)

    def __post_init__(self) -> None:
        if not isinstance(self._data, pa.Table):
            raise InvalidData(
                f"A Table is read from a file, and its data are {found(self._data)}. Write "
                "read_table(path)."
            )

    def __del__(self) -> None:
        """Arrow keeps freed memory for later; a forgotten upload's goes back to the system."""
        for part in ("_data", "_kept"):
            object.__setattr__(self, part, None)
        give_back()

    @property
    def nbytes(self) -> int:
        """Bytes that its cells take in memory, and the file that is kept beside them."""
        return int(self._data.nbytes) + (0 if self._kept is None else self._kept.nbytes)

    @property
    def numeric_columns(self) -> tuple[ColumnInfo, ...]:
        """The columns worth offering: numbers, and booleans as 0 and 1."""
        return tuple(info for info in self.columns if info.kind in {"numeric", "boolean"})

    @property
    def name_columns(self) -> tuple[ColumnInfo, ...]:
        """The columns of words, by their kind alone: their rows can be counted by place."""
        return tuple(info for info in self.columns if info.kind == "text")

    def column(self, name: str, bounds: Bounds, resolution: float = 0.0) -> Column:
        """A column's values inside declared bounds; cells that are no numbers count as missing.

        Booleans become 0 and 1. A column without any number has no records.
        Raises: as Column.from_values; InvalidData when there is no such column; UnreadableColumn
        for a column of dates or times, which a text file has where all of its cells are some.
        """
        return Column.from_values(self._numbers(name), bounds, resolution)

    def points(self, x: str, y: str, box: Box) -> Points:
        """The points of two columns inside a declared box, where both cells are numbers.

        Raises: as Points.from_xy and column.
        """
        return Points.from_xy(self._numbers(x), self._numbers(y), box)

    def _numbers(self, name: str) -> FloatArray:
        """Values (n,), NaN where a cell is missing or no number; refused for its kind alone."""
        info = self.info(name)
        data = self._data.column(info.name)
        if pa.types.is_temporal(data.type):
            raise _of_dates(info)
        if pa.types.is_null(data.type):
            return np.full(self.rows, np.nan)
        if not _is_text(data):
            return to_floats(data)
        values = parse_numbers(data, self._decimal).values
        give_back()
        return values

    def info(self, name: str) -> ColumnInfo:
        """What is known of a column; confidential.

        Raises: InvalidData when there is no such column.
        """
        wanted(str, name, "name", InvalidData)
        for info in self.columns:
            if info.name == name:
                return info
        listed = ", ".join(shown(info.name) for info in self.columns[:8])
        more = ", …" if len(self.columns) > 8 else ""
        raise InvalidData(f"There is no column {shown(name)}. Choose one of {listed}{more}.")

    def again(self, header: bool) -> Table:
        """The same file with its first row as the names of the columns, or as a record.

        Raises: UnreadableFile as reading does; InvalidData for a file that declares its names;
        InvalidParameter for a header that is neither True nor False.
        """
        checked_flag(header, "header")
        if self._kept is None or self._kept.again is None:
            raise InvalidData(f"'{self.name}' declares its names. Take it as it is.")
        return self._kept.again(header)

    def people(self, name: str) -> FloatArray:
        """A number for each row's person (n,): equal for equal names, NaN where none is written.

        These are the persons that person_column, person_points and person_grid take.
        Names are taken as they are written, byte for byte: 0012, 12 and 12.0 are three people.
        An empty cell and null are no name, nor are floats that tell nobody apart: NaN, and those
        from 2^53 up (of 32 bits from 2^24); all other texts are names. Those of 16 bits, which a
        file may hold, are taken for the doubles that they are.
        Raises: InvalidData when there is no such column.
        """
        names = self._written(name)
        if pa.types.is_decimal(names.type) and names.type.bit_width < 128:  # Arrow encodes none
            names = names.cast(pa.decimal128(names.type.precision, names.type.scale))
        if pa.types.is_floating(names.type):
            largest = tells_apart(names.type.to_pandas_dtype())
            apart = compute.less(compute.abs(names), largest)  # false for NaN
            names = compute.add(compute.if_else(apart, names, None), 0.0)  # no -0
        if _is_text(names):
            names = compute.if_else(compute.equal(names, ""), None, names)
        encoded = names.dictionary_encode().unify_dictionaries()
        codes = [part.indices.to_numpy(zero_copy_only=False) for part in encoded.chunks]
        return frozen(np.concatenate([np.zeros(0), *codes]).astype(np.float64))

    def numeric_values(self, name: str, *, drop_unreadable: bool = False) -> NumericColumn:
        """The values of a column as float64, in row order, NaN where missing.

        drop_unreadable counts values that are not numbers as missing. It can be chosen before
        anything is known about the values, and then no message says anything about them.
        Booleans become 0 and 1. Dates are never turned into numbers.
        Raises: UnreadableColumn for a column of dates or without any number, UnreadableValues for
        one that holds other values, too; without drop_unreadable their messages may quote one
        value and so belong on screen, never in a log.
        """
        checked_flag(drop_unreadable, "drop_unreadable")
        info = self.info(name)
        if info.kind == "date":
            raise _of_dates(info)
        present = self.rows - info.missing
        if drop_unreadable and info.not_numeric == present:
            raise UnreadableColumn(
                f"Column '{info.name}' has no numbers that can be read. Choose another column."
            )
        if present == 0:
            raise UnreadableColumn(
                f"Column '{info.name}' has no values: all {self.rows:,} are missing. "
                "Choose another column."
            )
        data = self._data.column(name)
        if not _is_text(data):
            return NumericColumn(frozen(to_floats(data).copy()), info.missing)
        parsed = parse_numbers(data, self._decimal)
        give_back()
        if info.not_numeric and not drop_unreadable:
            raise _refusal(info, data, parsed, present)
        return NumericColumn(frozen(parsed.values), info.missing, info.not_numeric)

    def texts(self, name: str) -> tuple[str, ...]:
        """The values of a column as texts (n,), empty where missing; as untrusted as the file.

        Raises: InvalidData when there is no such column.
        """
        return _texts(self._data.column(self.info(name).name))

    def __contains__(self, name: object) -> bool:
        return any(info.name == name for info in self.columns)

    def __getitem__(self, name: str) -> tuple[str, ...]:
        """The cells of a column as they are written (n,): 01001 and NA are names, too."""
        return _texts(self._written(name))

    def _written(self, name: str) -> pa.ChunkedArray:
        """A column before its cells were taken for numbers or for missing."""
        place = self.columns.index(self.info(name))
        return self._data.column(place) if self._kept is None else self._kept.as_written(place)


def table_of(
    name: str,
    data: pa.Table,
    notes: tuple[str, ...] = (),
    decimal: str = ".",
    how: str = "",
    header: bool | None = None,
    first_row: str = "",
    kept: Kept | None = None,
) -> Table:
    """Describe a table of plain columns with unique names; decimal is its decimal mark."""
    parsed = parse_each([column for column in data.columns if _is_text(column)], decimal)
    infos = tuple(
        _describe_text(column_name, next(parsed))
        if _is_text(column)
        else _describe(column_name, column)
        for column_name, column in zip(data.column_names, data.columns, strict=True)
    )
    rest = how, header, first_row, kept
    return Table(name, data.num_rows, infos, notes, data, decimal, *rest)


def _texts(column: pa.ChunkedArray) -> tuple[str, ...]:
    return tuple("" if one is None else str(one) for one in column.to_pylist())


def _is_text(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def _describe(name: str, column: pa.ChunkedArray) -> ColumnInfo:
    kind = kind_of(column)
    unreadable = len(column) - column.null_count if kind == "date" else 0
    return ColumnInfo(name, kind, missing_count(column), unreadable)


def _describe_text(name: str, parsed: ParsedText) -> ColumnInfo:
    missing, unreadable = int(parsed.missing.sum()), int(parsed.unreadable.sum())
    present = parsed.missing.size - missing
    if present == 0:
        return ColumnInfo(name, "empty", missing, 0)
    return ColumnInfo(name, "numeric" if 2 * unreadable < present else "text", missing, unreadable)


def _of_dates(info: ColumnInfo) -> UnreadableColumn:
    return UnreadableColumn(
        f"Column '{info.name}' holds dates or times, not numbers. Choose another column, or store "
        "it as a number of days, hours or years."
    )


def _refusal(
    info: ColumnInfo, data: pa.ChunkedArray, parsed: ParsedText, present: int
) -> InvalidData:
    row = int(np.argmax(parsed.unreadable))
    first = f"(first: {shown(data[row].as_py())}, row {row + 1:,})"
    column, some = f"Column '{info.name}'", f"{info.not_numeric:,} of {present:,} values"
    error = UnreadableColumn if info.not_numeric == present else UnreadableValues
    if parsed.ambiguous:
        return error(
            f"{column} has {some} that can be read in two ways {first}: as thousands or as "
            "decimals. Write them without thousands separators and with a decimal point."
        )
    if parsed.beyond == info.not_numeric:
        return error(
            f"{column} has {some} that are out of range {first}: no number beyond ±1.8e308 can be "
            "held. Choose another column, or correct or drop those rows."
        )
    if info.not_numeric == present:
        return error(
            f"{column} has no numbers in its {present:,} values {first}. Choose another column."
        )
    what = "not numbers or out of range" if parsed.beyond else "not numbers"
    return error(
        f"{column} has {some} that are {what} {first}. Choose another column or drop those rows."
    )
