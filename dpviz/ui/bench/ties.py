"""A word about ties, wherever a mechanism draws between the values of a column."""

from __future__ import annotations

from dpviz.core.data.column import Column
from dpviz.metrics.column import tied_share
from dpviz.ui.bench.cards import note
from dpviz.ui.kit import memory

MANY_TIED = 0.1  # a share worth a warning


def ties_note(column: Column) -> None:
    """Many equal values at resolution 0: the exponential mechanism would avoid them."""
    if column.resolution > 0:
        return
    share = memory.public(column, ("tied", column.fingerprint), lambda: tied_share(column))
    if share > MANY_TIED:
        note(
            "ties",
            "Many values tie",
            f"{share:.0%} of the values are shared by several people, and the resolution is 0. "
            "An exponential mechanism draws between the values, so it drifts away from tied ones. "
            "Declare their spacing as Resolution: 1 for whole numbers.",
        )
