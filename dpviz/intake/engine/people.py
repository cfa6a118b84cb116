"""People with several rows in an engine: what counts of each, found in the same query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpviz.core.arrays import IntArray
from dpviz.core.checks import wanted
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows, tells_apart
from dpviz.intake.engine.tables import group_sizes, named_column

if TYPE_CHECKING:
    import ibis.expr.types as ir

PERSON = "person"  # the staged column


def person_named(
    table: ir.Table, person: str | None, rows: PersonRows | None
) -> dict[str, ir.Value]:
    """The column that names each row's person, to be staged as `person`; none without one.

    Raises: InvalidData for a person column without rows or rows without one, and for a column that
    the table has not.
    """
    if person is None and rows is None:
        return {}
    if person is None or rows is None:
        raise InvalidData(
            "person, the column that names each row's person, and rows go together. Write "
            "person='name of the column', rows=PersonRows.at_most(k), or leave both out."
        )
    wanted(PersonRows, rows, "rows", InvalidData)
    return {PERSON: _named(table, person)}


def person_sizes(
    table: ir.Table, key: ir.IntegerValue, missing: int, rows: PersonRows | None
) -> tuple[IntArray, IntArray]:
    """The distinct keys (k,) and as how many records their rows count (k,): one query.

    Without rows every row is a record. With them, table has a column `person`, and rows that count
    are those whose key is not `missing` and whose person is neither NULL, NaN nor the empty text;
    all others are counted under `missing`, a record each. At most k rows a person: the k lowest of
    random numbers that the engine draws, uniformly and without a seed; the price takes them as
    independent from row to row. Weighted: a row of r counts as ⌊parts / r⌋ records.
    Raises: InvalidData as group_sizes.
    """
    return group_sizes(table, key) if rows is None else _of_people(table, key, missing, rows)


def _of_people(
    table: ir.Table, key: ir.IntegerValue, missing: int, rows: PersonRows
) -> tuple[IntArray, IntArray]:
    import ibis  # noqa: PLC0415  an extra, and slow to import

    nowhere = ibis.literal(missing, "int64")
    named = table.select(person=table[PERSON], key=key.cast("int64"))
    keyed = named.mutate(key=ibis.ifelse(named.person.isnull(), nowhere, named.key))
    placed = keyed.mutate(placed=keyed.key != nowhere)
    of_person = (placed.person, placed.placed)
    if not rows.shared:
        shuffled = ibis.window(group_by=of_person, order_by=ibis.random())
        ranked = placed.mutate(rank=ibis.row_number().over(shuffled))
        kept = ranked.filter(~ranked.placed | (ranked.rank < rows.most))
        return group_sizes(kept, kept.key)
    sized = placed.mutate(rows=placed.count().over(ibis.window(group_by=of_person)))
    parts = (ibis.literal(rows.most, "int64") // sized.rows).cast("int64")
    return group_sizes(sized, sized.key, ibis.ifelse(sized.placed, parts, 1))


def _named(table: ir.Table, name: str) -> ir.Value:
    """The column that names each row's person, null for what Table.persons takes for no name."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    column = named_column(table, name, "person")
    if column.type().is_string():
        return column.nullif("")
    if column.type().is_binary():
        return column.nullif(b"")
    if not column.type().is_floating():
        return column
    apart = column.abs() < tells_apart(column.type().to_numpy())
    return ibis.ifelse(apart & ~column.isnan(), column, ibis.null())
