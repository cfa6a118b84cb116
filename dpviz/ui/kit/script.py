"""The Python that makes the numbers on screen again, in the words of the public face."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.intake.table import Table
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw

FACE = "dp."  # what the public names begin with
SECURE, TEACHING = "dp.SecureBits.fresh()", "np.random.default_rng()"  # of an upload's releases


@dataclass(frozen=True, slots=True)
class Script:
    """What every script says: how the data is read and declared, the budget, the randomness.

    data holds those lines about the data, as column_text and points_text write them; imports are
    lines for what is not on the public face.
    """

    data: str
    budget: Budget
    draw: Draw
    imports: tuple[str, ...] = ()

    def text(self, body: str) -> str:
        """The script: everything that scripts share, then the body."""
        counted = session.is_counted()
        standard = ["from pathlib import Path\n"] if session.is_upload() and not counted else []
        outside = ["import ibis"] if counted else []
        imports = [*standard, *outside, "import numpy as np\n", "import dpviz as dp", *self.imports]
        return (
            "# where dpviz is installed, or in the folder of its repository\n"
            + "\n".join(imports)
            + f"\n\n{self.data}\nbudget = {written(self.budget)}{self._of_a_row()}\n{body}"
        )

    def _of_a_row(self) -> str:
        if self.draw.rows is None:
            return ""
        return f"  # of a record; a person spends {self.draw.spent(self.budget)}"

    def rng(self, release: object, purpose: object) -> str:
        """What the release on screen is drawn with, as Python.

        The seed of a sample's draw gives the same numbers again. The key of an upload's never
        leaves: the lines take bits of their own and make another release.
        """
        if not self.draw.secret:
            return f"np.random.default_rng({self.draw.entropy(purpose)})"
        return TEACHING if self.draw.is_teaching(release) else SECURE

    def mechanisms(self, rows: Mapping[str, tuple[str, object, object]]) -> str:
        """Mechanisms and their randomness by name.

        A row is a mechanism as Python, its release on screen, and its purpose.
        """
        built = mapping({name: text for name, (text, _, _) in rows.items()})
        rngs = {name: self.rng(release, purpose) for name, (_, release, purpose) in rows.items()}
        return f"mechanisms = {built}\nrngs = {mapping(rngs, self.remark(rngs.values()))}"

    def remark(self, rngs: Iterable[str]) -> str:
        """What the reader of the lines must know about the randomness in them."""
        if not self.draw.secret:
            return ""
        said = "another release than the one on screen: its key is kept from everybody"
        if TEACHING in rngs:
            said += "; what has a generator is for teaching, and holds up to rounding only"
        return f"  # {said}"


def mapping(values: Mapping[str, str], remark: str = "") -> str:
    """A dictionary of Python expressions by name, a line each."""
    inside = "".join(f"    {name!r}: {text},\n" for name, text in values.items())
    return f"{{{remark}\n{inside}}}"


def column_text(column: Column) -> str:
    """The lines that read and declare the column in use."""
    if session.is_counted():
        column_of = f"table, {session.unit()!r}, bounds, resolution={column.resolution!r}{_named()}"
        return (
            f"{_table()}{_rows()}\n"
            f"bounds = {written(column.bounds)}  # declared, public\n"
            f"column = dp.count_column({column_of})"
        )
    axis = 0 if session.is_upload() else session.axis_options().index(session.unit())
    made = f"dp.Column.from_values(values, bounds, resolution={column.resolution!r})"
    if session.person_rows() is not None:
        made = f"dp.person_column(persons, values, bounds, {column.resolution!r}, rows, {SECURE})"
    return (
        f"{_read({'values': (session.unit(), axis)})}\n"
        f"bounds = {written(column.bounds)}  # declared, public\n"
        f"column = {made}"
    )


def points_text(points: Plane) -> str:
    """The lines that read and declare the points in use."""
    x, y = session.point_units()
    box = f"box = {written(points.box)}  # declared, public\n"
    if session.is_counted() and isinstance(points, GridCounts):
        found = f"dp.count_points(table, {x!r}, {y!r}, box, side={points.side}{_named()})"
        return f"{_table()}{_rows()}\n{box}points = {found}"
    made = "dp.Points.from_xy(x, y, box)"
    if isinstance(points, GridCounts):
        made = f"dp.person_grid(persons, x, y, box, {points.side}, rows, {SECURE})"
    elif session.person_rows() is not None:
        made = f"dp.person_points(persons, x, y, box, rows, {SECURE})"
    return f"{_read({'x': (x, 0), 'y': (y, 1)})}\n{box}points = {made}"


def _rows() -> str:
    """The line that says what of a person counts; nothing where each row is one person."""
    rows = session.person_rows()
    if rows is None:
        return ""
    how = "weighted" if rows.shared else "at_most"
    return f"\nrows = dp.PersonRows.{how}({rows.most})  # release with what each of them may spend"


def _named() -> str:
    """The arguments of a count for people with several rows."""
    own = session.upload()
    if own is None or own.people.column is None:
        return ""
    return f", person={own.people.column!r}, rows=rows"


def _table() -> str:
    """The line that opens a table; its address is for whoever runs the server to know."""
    own = session.upload()
    assert own is not None
    return f"table = ibis.read_parquet({own.table.name!r})  # or as your engine opens this table"


def _read(columns: Mapping[str, tuple[str, int]]) -> str:
    """The lines that read columns into variables; each has a name and a number in its set."""
    if not session.is_upload():
        loaded = f"dp.load_sample({session.chosen_sample().key!r})"
        if len(columns) == len(session.axis_options()) > 1:
            return f"{', '.join(columns)} = {loaded}"
        return "\n".join(f"{into} = {loaded}[{axis}]" for into, (_, axis) in columns.items())
    own = session.upload()
    assert own is not None
    assert isinstance(own.table, Table)
    header = "" if own.table.header is None else f", header={own.table.header}"
    drop = ", drop_unreadable=True" if session.drops_unreadable(own) else ""
    people = [f"persons = table.people({own.people.column!r}){_rows()}"] * (
        own.people.column is not None
    )
    return "\n".join(
        [
            f"path = Path({own.table.name!r})  # your file",
            f"table = dp.read_table(path, path.name{header})",
            *(
                f"{into} = table.numeric_values({name!r}{drop}).values"
                for into, (name, _) in columns.items()
            ),
            *people,
        ]
    )


def written(value: object, face: str = FACE) -> str:
    """Python that builds an equal value; face is what the name of its class begins with.

    Fields without a default stand by their places, the others by their names where they differ
    from the default; members of enumerations are written as their texts.
    """
    if isinstance(value, Enum):
        return repr(value.value)
    if is_dataclass(value):
        parts = [
            ("" if _default(one) is MISSING else f"{one.name}=") + written(getattr(value, one.name))
            for one in fields(value)
            if one.init and getattr(value, one.name) != _default(one)
        ]
        return f"{face}{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple):
        inside = ", ".join(written(part) for part in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(float(value)) if isinstance(value, float) else repr(value)


def _default(one: Field[Any]) -> object:
    return one.default_factory() if one.default_factory is not MISSING else one.default
