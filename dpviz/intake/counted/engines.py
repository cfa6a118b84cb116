"""Ways to a table: Parquet files on this machine or in memory, and any address that Ibis takes."""

import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import dataset, types

from dpviz.core.errors import DpvizError, UnreadableFile
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.counting import Engine
from dpviz.intake.engine.parquet_files import parquet_table
from dpviz.intake.engine.tables import alike, check_apart
from dpviz.intake.names import shown
from dpviz.intake.table import ColumnInfo

DUCKDB = "duckdb://"
FILES = (".parquet", ".pq")


class DuckDB:
    """A table in DuckDB, in memory or a file that is only read."""

    def __init__(self, connection: Any, table: Any) -> None:
        self._connection, self.table = connection, table
        raw = connection.con
        raw.execute("SET enable_progress_bar = true")
        raw.execute("SET enable_progress_bar_print = false")

    def progress(self) -> float | None:
        """The share that is done."""
        percent = self._connection.con.query_progress()
        return None if percent < 0 else min(percent / 100, 1.0)

    def stop(self) -> None:
        """Interrupt the query."""
        self._connection.con.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.disconnect()


class Other:
    """A table of any other engine: it says nothing of its progress, and ends when it ends."""

    def __init__(self, connection: Any, table: Any) -> None:
        self._connection, self.table = connection, table

    def progress(self) -> None:
        """Nothing is known."""
        return

    def stop(self) -> None:
        """What runs there goes on; its result is not taken."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.disconnect()


def declared_table(
    title: str, url: str, table: str | None = None, *, hive: bool = False
) -> CountedTable:
    """A table that whoever runs the server declared: Parquet files, or an address of Ibis.

    hive: folders called year=2025 among the files' paths are a column year.
    Raises: UnreadableFile if it cannot be opened; the reason goes to standard error, of an
    engine without its words, which may hold a password, or a row that a view stumbled over.
    """
    is_files = url.lower().endswith(FILES)

    def connect(columns: tuple[str, ...] = ()) -> Engine:
        return _files(url, columns, hive) if is_files else _address(url, table)

    try:
        engine = connect()
        try:
            columns = _columns(engine.table)
        finally:
            engine.close()
    except Exception as error:
        other = f"{type(error).__name__}. Open it with its own engine to see why."
        reason = error if isinstance(error, DpvizError) else other
        where = f" at {url}" if is_files else ""  # an address may hold a password
        said = f"dpviz: table '{title}'{where} cannot be opened: {reason}"
        print(said, file=sys.stderr, flush=True)
        raise UnreadableFile(
            f"The table '{title}' cannot be opened. Whoever runs this server finds the reason in "
            "its log."
        ) from None
    how = "Counted where it lies, column by column; its rows never come here."
    return CountedTable(title, columns, how, connect, may_change=True)


def parquet_in_memory(name: str, data: pa.Buffer) -> CountedTable:
    """A Parquet file whose bytes are in memory; its columns are read when they are counted.

    Raises: UnreadableFile for bytes that are no Parquet file, or if no column has its own name.
    """
    try:
        schema = pq.ParquetFile(pa.BufferReader(data)).schema_arrow
        twins = alike(schema.names)
        kept = [one for one in schema if one.name.casefold() not in twins and _is_taken(one)]
        engine = _bytes(data, tuple(one.name for one in kept))
        columns = _columns(engine.table)
        engine.close()
    except DpvizError:
        raise
    except Exception as error:  # of Arrow, of Ibis or of the engine
        raise UnreadableFile(
            f"'{name}' looks like a Parquet file and cannot be read as one "
            f"({type(error).__name__}). Write it again, or hand in a CSV file."
        ) from None
    how = "Parquet; its columns are counted, and its rows are not kept apart."
    left_out = [shown(one.name) for one in schema if one not in kept]
    listed = ", ".join(left_out[:8]) + (", …" if len(left_out) > 8 else "")
    note = f"Left out, as the engine does not take their types or names: {listed}."
    return CountedTable(
        name,
        columns,
        how,
        lambda names: _bytes(data, names),
        notes=(note,) if left_out else (),
        nbytes=data.size,
    )


def _is_taken(field: pa.Field) -> bool:
    """Whether DuckDB takes a column from Arrow, as the numbers that a file of it is read as.

    Its durations and zoned times are whole microseconds: it stops at those that are too large, and
    takes two people who are a nanosecond apart for one.
    """
    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    zoned = types.is_timestamp(kind) and kind.tz is not None
    rounded = zoned or types.is_duration(kind) or kind == pa.time64("ns")
    primitive = types.is_primitive(kind) and not rounded
    plain = primitive or types.is_null(kind) or types.is_decimal128(kind)
    text = types.is_string(kind) or types.is_large_string(kind)
    named = field.name != "" and "\0" not in field.name
    return named and ((plain and not types.is_float16(kind)) or text)


def _files(pattern: str, columns: tuple[str, ...], hive: bool) -> DuckDB:
    connection = _ibis().duckdb.connect()
    return DuckDB(connection, parquet_table(connection, pattern, columns, hive=hive))


def _address(url: str, table: str | None) -> Engine:
    if url.startswith(DUCKDB):
        place = url.removeprefix(DUCKDB).split("?")[0]
        connection = _ibis().duckdb.connect(place, read_only=True)
        listed = connection.con.execute("SELECT table_name FROM information_schema.tables")
        names = [name for (name,) in listed.fetchall()]
        return DuckDB(connection, connection.table(table or _only(names)))
    connection = _ibis().connect(url)
    return Other(connection, connection.table(table or _only(connection.list_tables())))


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise UnreadableFile(
            f'This address has {len(names)} tables: declare which one, as table = "name".'
        )
    return names[0]


def _bytes(data: pa.Buffer, names: tuple[str, ...]) -> DuckDB:
    # a source that can be read again: an engine may look at a column twice in one query
    form = dataset.ParquetFileFormat()
    fragment = form.make_fragment(pa.BufferReader(data))
    schema = fragment.physical_schema
    if not names:
        raise UnreadableFile(
            "The file has no column of numbers, dates or text with a name of its own. Write a "
            "table with one number a cell, and each column under another name."
        )
    check_apart(names, alike(schema.names))
    schema = pa.schema([schema.field(name) for name in names])
    source = dataset.FileSystemDataset([fragment], schema, form)
    connection = _ibis().duckdb.connect()
    connection.con.register("handed_in", source)
    return DuckDB(connection, connection.table("handed_in"))


def _columns(table: Any) -> tuple[ColumnInfo, ...]:
    return tuple(ColumnInfo(name, _kind(kind), 0, 0) for name, kind in table.schema().items())


def _kind(kind: Any) -> Any:
    if kind.is_numeric() and not kind.is_boolean():
        return "numeric"
    if kind.is_boolean():
        return "boolean"
    return "date" if kind.is_temporal() else "text"


def _ibis() -> Any:
    """The library, imported when it is first needed: it takes a second.

    Raises: UnreadableFile where it is not installed.
    """
    try:
        import ibis  # noqa: PLC0415
    except ImportError:
        raise UnreadableFile(
            "Tables are counted by Ibis, which is not installed here. Install dpviz[engine]."
        ) from None
    return ibis
