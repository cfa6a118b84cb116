"""What is odd about the column in use, said while the truth is shown: every number is confidential."""

from __future__ import annotations

from dpviz.answers.number_text import amount, counted
from dpviz.core.data.column import Column
from dpviz.metrics.column import infinite_values
from dpviz.ui.bench.cards import note
from dpviz.ui.bench.ties import ties_note
from dpviz.ui.kit import memory, session

MANY_CLIPPED = 0.05  # a share worth a warning


def column_notes(column: Column) -> None:
    """Cards about the values outside the bounds, infinite values, and ties."""
    for title, text in (_clipped_note(column), _infinite_note(column)):
        if text:
            note(title.split()[0].lower(), title, text)
    ties_note(column)


def counts_of(column: Column) -> str:
    """How many values there are, how many were moved to a bound, how many are missing."""
    people = session.words().people.counted(column.n)
    moved = amount(column.clipped, 0) if column.clipped else "none"
    missing = amount(column.dropped, 0) if column.dropped else "none"
    return f"{people}, {moved} outside the bounds, {missing} missing."


def _clipped_note(column: Column) -> tuple[str, str]:
    if column.n == 0 or column.clipped <= MANY_CLIPPED * column.n:
        return "", ""
    return (
        "Many values lie outside",
        f"{column.clipped / column.n:.0%} of the values lie outside the declared bounds and were "
        "moved to the nearest one. Check the unit, and the bounds.",
    )


def _infinite_note(column: Column) -> tuple[str, str]:
    if not column.clipped or session.is_counted() or session.person_rows() is not None:
        return "", ""
    count = memory.remembered(
        ("infinite", column.fingerprint), lambda: infinite_values(session.raw_values())
    )
    text = f"{counted(count, 'infinite value')}: each counts as a person at a bound."
    return "Infinite values", text if count else ""
