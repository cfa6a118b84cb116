"""The Python that makes the numbers on screen again, in the words of the public face."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Protocol

from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.intake.table import Table
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw

FACE = "dp."  # what the public names begin with
SECURE, TEACHING = "dp.SecureBits()", "np.random.default_rng()"  # of an upload's releases
OTHERS = "another release than the one on screen: its key is kept from everybody"
TO_ROUNDING = "what has a generator is for teaching, and holds up to rounding only"


class Promising(Protocol):
    """A mechanism on screen."""

    @property
    def neighbours(self) -> Neighbours:
        """The relation that it promises under."""


@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism, its release on screen, and what that draw is for; face is that of its class."""

    mechanism: Promising
    release: object
    purpose: object
    face: str = FACE


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
        person = "" if self.draw.rows is None else "  # of a person, with all their rows"
        lines = f"{self.data}\nbudget = {written(self.draw.spent(self.budget))}{person}\n{body}"
        outside = ["import ibis"] if session.is_counted() else []
        outside += ["import numpy as np"] if "np." in lines else []
        imports = [*outside, *[""] * bool(outside), "import dpviz as dp", *self.imports]
        return (
            "# where dpviz is installed, or in the folder of its repository\n"
            + "\n".join(imports)
            + f"\n\n{lines}"
        )

    def rng(self, row: Row) -> str:
        """What the release on screen is drawn with, as Python.

        The seed of a sample's draw gives the same numbers again. The key of an upload's never
        leaves: the lines take bits of their own and make another release.
        """
        if not self.draw.secret:
            return f"np.random.default_rng({self.draw.entropy(row.purpose)})"
        return TEACHING if self.draw.is_teaching(row.release) else SECURE

    def release(self, name: str, row: Row, data: str, made: str = "") -> str:
        """The lines that release one mechanism of that name under an account; made writes it shorter."""
        rng = self.rng(row)
        passed = "" if rng == SECURE else f", rng={rng}"
        return (
            f"{name} = {made or written(row.mechanism, row.face)}\n"
            f"{self._account([row])}\n"
            f"release = account.release({name}, {data}, budget=budget{self._rows()}{passed})"
            f"{self.remark([rng])}"
        )

    def releases(self, rows: Mapping[str, Row], data: str) -> str:
        """The lines that release several mechanisms by name under one account.

        What protects nobody spends nothing and has no account, nor have different promises one.
        """
        rngs = {name: self.rng(row) for name, row in rows.items()}
        own = set(rngs.values()) != {SECURE}
        mechanisms = {name: written(row.mechanism, row.face) for name, row in rows.items()}
        remark = self.remark(rngs.values())
        lines = [f"mechanisms = {mapping(mechanisms, '' if own else remark)}"]
        lines += [f"rngs = {mapping(rngs, remark)}"] if own else []
        relations = {row.mechanism.neighbours for row in rows.values()}
        if len(relations) == 1 and all(row.face for row in rows.values()):
            each = f"budget=budget{self._rows()}{', rng=rngs[name]' if own else ''}"
            lines.append(self._account([*rows.values()]))
            call = f"account.release(mechanism, {data}, {each})"
        else:
            call = f"mechanism.release({data}, budget{', rngs[name]' if own else ''})"
        return "\n".join(
            [
                *lines,
                f"releases = {{\n    name: {call}\n    for name, mechanism in mechanisms.items()\n}}",
            ]
        )

    def _account(self, rows: Sequence[Row]) -> str:
        """The line of an account with room for all of them, under their relation."""
        whole = "budget" if len(rows) == 1 else f"sum([budget] * {len(rows)})"
        relation = rows[0].mechanism.neighbours
        under = "" if relation is Neighbours.ADD_REMOVE else f", {relation.value!r}"
        return f"account = dp.Account({whole}{under})  # all releases about these people add up"

    def _rows(self) -> str:
        return "" if self.draw.rows is None else ", rows=rows"

    def remark(self, rngs: Iterable[str]) -> str:
        """What the reader of the lines must know about the randomness in them."""
        if not self.draw.secret:
            return ""
        return f"  # {OTHERS}" + (f"; {TO_ROUNDING}" if TEACHING in rngs else "")


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
    bounds = f"bounds = {written(column.bounds)}  # declared, public"
    declared = f"bounds, resolution={column.resolution!r}"
    if session.is_upload() and session.person_rows() is None:
        return f"{_file()}\n{bounds}\ncolumn = table.column({session.unit()!r}, {declared})"
    axis = 0 if session.is_upload() else session.axis_options().index(session.unit())
    made = f"dp.Column.from_values(values, {declared})"
    if session.person_rows() is not None:
        made = f"dp.person_column(persons, values, {declared}, rows=rows)"
    return f"{_read({'values': (session.unit(), axis)})}\n{bounds}\ncolumn = {made}"


def points_text(points: Plane) -> str:
    """The lines that read and declare the points in use."""
    x, y = session.point_units()
    box = f"box = {written(points.box)}  # declared, public\n"
    if session.is_counted() and isinstance(points, GridCounts):
        found = f"dp.count_points(table, {x!r}, {y!r}, box, side={points.side}{_named()})"
        return f"{_table()}{_rows()}\n{box}points = {found}"
    if session.is_upload() and session.person_rows() is None:
        return f"{_file()}\n{box}points = table.points({x!r}, {y!r}, box)"
    made = "dp.Points.from_xy(x, y, box)"
    if isinstance(points, GridCounts):
        made = f"dp.person_grid(persons, x, y, box, {points.side}, rows)"
    elif session.person_rows() is not None:
        made = "dp.person_points(persons, x, y, box, rows)"
    return f"{_read({'x': (x, 0), 'y': (y, 1)})}\n{box}points = {made}"


def file_text() -> str:
    """The lines that read the file in use, and of people with several rows what counts."""
    own = session.upload()
    assert own is not None
    name = own.people.column
    return _file() + ("" if name is None else f"\npersons = table.people({name!r}){_rows()}")


def _rows() -> str:
    """The line that says what of a person counts; nothing where each row is one person."""
    rows = session.person_rows()
    if rows is None:
        return ""
    how = "weighted" if rows.shared else "at_most"
    return f"\nrows = dp.PersonRows.{how}({rows.most})  # what counts of each person"


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
    drop = ", drop_unreadable=True" if session.drops_unreadable(own) else ""
    return "\n".join(
        [
            file_text(),
            *(
                f"{into} = table.numeric_values({name!r}{drop}).values"
                for into, (name, _) in columns.items()
            ),
        ]
    )


def _file() -> str:
    """The line that reads the file in use."""
    own = session.upload()
    assert own is not None
    assert isinstance(own.table, Table)
    header = "" if own.table.header is None else f", header={own.table.header}"
    return f"table = dp.read_table({own.table.name!r}{header})  # your file"


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
