"""A table whose columns are counted where they lie: what stands for a file that is never read."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.bounds import Bounds, Box
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.errors import UnreadableColumn
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counting import Counting, Engine, Turn
from dpviz.intake.engine.column import count_column
from dpviz.intake.engine.points import count_points
from dpviz.intake.names import shown
from dpviz.intake.table import ColumnInfo


@dataclass(frozen=True, slots=True)
class People:
    """The column that names each row's person and what of a person counts; both or neither."""

    column: str | None = None
    rows: PersonRows | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """What of the table is needed besides."""
        return () if self.column is None else (self.column,)


NOBODY = People()  # every row is one person


@confidential("name", "declared")
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class CountedTable:
    """Names and kinds of columns, and a way to the engine that holds them.

    connect opens the table for a count of some columns; it may leave out the others.
    may_change says that others may write into it, so that a count of tomorrow is of other rows.
    """

    name: str
    columns: tuple[ColumnInfo, ...]
    how: str
    connect: Callable[[tuple[str, ...]], Engine] = field(repr=False)
    notes: tuple[str, ...] = ()
    nbytes: int = 0  # that it takes in memory here
    declared: tuple[Bounds, float] | None = None  # bounds and resolution that come with it
    may_change: bool = False

    @property
    def numeric_columns(self) -> tuple[ColumnInfo, ...]:
        """The columns that can be counted: numbers, and booleans as 0 and 1, as of a file."""
        return tuple(one for one in self.columns if one.kind in {"numeric", "boolean"})

    def info(self, name: str) -> ColumnInfo:
        """What is known of a column.

        Raises: UnreadableColumn for a name that is none.
        """
        for one in self.columns:
            if one.name == name:
                return one
        raise UnreadableColumn(f"'{self.name}' has no column {shown(name)}.")

    @property
    def has_rows(self) -> bool:
        """Whether there are rows to be counted; a file of counts has none left."""
        return self.declared is None

    def count(
        self,
        name: str,
        bounds: Bounds,
        resolution: float,
        people: People = NOBODY,
        turn: Turn = nullcontext,
    ) -> Counting[Column]:
        """Start to count a column inside declared bounds; of people with several rows what counts.

        turn is entered while it counts, so that many visitors' counts can wait for each other.
        """
        return Counting(
            lambda: self.connect((name, *people.columns)),
            lambda table: _counted(table, name, bounds, resolution, people),
            turn,
        )

    def count_points(
        self, x: str, y: str, box: Box, side: int, people: People = NOBODY, turn: Turn = nullcontext
    ) -> Counting[GridCounts]:
        """Start to count two columns on a grid over a declared box."""
        return Counting(
            lambda: self.connect((x, y, *people.columns)),
            lambda table: count_points(
                table, x, y, box, side, person=people.column, rows=people.rows
            ),
            turn,
        )


def _counted(table: Any, name: str, bounds: Bounds, resolution: float, people: People) -> Column:
    """A column of a table, or counts that are there already, inside bounds that hold now."""
    if not isinstance(table, Column):
        return count_column(table, name, bounds, resolution, person=people.column, rows=people.rows)
    values, up_to = table.steps
    counts = np.diff(up_to, prepend=0)
    step = resolution or table.resolution
    return Column.from_counts(values, counts, bounds, step, missing=table.dropped)
