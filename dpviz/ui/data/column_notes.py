"""What is odd about the column in use, said while the truth is shown: every number is confidential."""

from __future__ import annotations

from dpviz.core.data import Column
from dpviz.metrics.column import infinite_values, tied_share
from dpviz.ui.data.cards import note
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.number_text import amount, counted

MANY_CLIPPED, MANY_TIED = 0.05, 0.1  # shares worth a warning


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


def ties_note(column: Column) -> None:
    """Many equal values at resolution 0: the exponential mechanism would avoid them."""
    if column.resolution > 0:
        return
    share = memory.remembered(("tied", column.fingerprint), lambda: tied_share(column))
    if share > MANY_TIED:
        note(
            "ties",
            "Many values tie",
            f"{share:.0%} of the values are shared by several people, and the resolution is 0. "
            "An exponential mechanism draws between the values, so it drifts away from tied ones. "
            "Declare their spacing as Resolution: 1 for whole numbers.",
        )


def _clipped_note(column: Column) -> tuple[str, str]:
    if column.n == 0 or column.clipped <= MANY_CLIPPED * column.n:
        return "", ""
    return (
        "Many values lie outside",
        f"{column.clipped / column.n:.0%} of the values lie outside the declared bounds and were "
        "moved to the nearest one. Check the unit, and the bounds.",
    )


def _infinite_note(column: Column) -> tuple[str, str]:
    if not column.clipped:
        return "", ""
    count = memory.remembered(
        ("infinite", column.fingerprint), lambda: infinite_values(session.raw_values())
    )
    text = f"{counted(count, 'infinite value')}: each counts as a person at a bound."
    return "Infinite values", text if count else ""
