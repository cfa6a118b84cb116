"""What one visitor has chosen and computed. Nothing here is shared between visitors."""

import secrets
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

import numpy as np

from dpviz.answers.spatial.place_list import PlaceList, made_up, read
from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import checked_resolution
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData, UnreadableFile
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.core.trees.named_places import NamedPlaces
from dpviz.intake.counted.counted_table import NOBODY, CountedTable, People
from dpviz.intake.samples import ANYBODY, Noun, Sample, Words, load_sample, sample, sample_texts
from dpviz.intake.table import Table
from dpviz.people.data import person_column, person_grid, person_groups, person_points
from dpviz.ui import visitor
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.keys import SECRET_BYTES, draw_key
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.process.limits import FILES, FULL, NoRoom, counting
from dpviz.ui.kit.process.raw_files import let_go, was_refused
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.visit import data, state
from dpviz.ui.visit import declared as declarations
from dpviz.ui.visit.data import PEOPLE, UPLOAD
from dpviz.ui.visit.page import shows_truth

__all__ = ["PEOPLE", "UPLOAD", "shows_truth"]

Handed = TypeVar("Handed", Table, CountedTable, Table | CountedTable)
ROWS = Noun("row", "rows")
DRAWS_ALWAYS = "_draws_always"  # whether every change may draw of the visitor's own data
NUMBERED = (
    "Its columns are numbered, for its first row counts as a record. If that row holds their names, "
    "switch on “The first row holds names” on the Data page."
)
PLACE_LIST = "m_list"  # the field of the page Map, and its other hand on the page Data
LONGEST_LIST = 200_000  # characters
NAMES_ALONE = "This page needs a column of numbers.", "Your file holds names alone."
FEW_NAMES = 5  # columns that a message lists
SIDE = 1 << 10  # cells along a side of the grid that a table is counted on


@confidential("number")
@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """A file that was read or a table that is counted, the column chosen, the secret of its noise.

    people are the column that names each row's person and what of a person counts, where a row is
    not one person.

    The secret is new each time a file is read: with one secret a visit the same file would give
    the same numbers again, and the file without one person others. It is in no link, never shown.
    """

    table: Table | CountedTable
    number: int
    column: str | None = None
    drop_unreadable: bool = False
    people: People = NOBODY
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)


def forget_results() -> None:
    """Drop everything that was computed, and with it every copy of the data; stop what runs."""
    for job in visitor.take("_jobs", {}).values():
        job.stop()
    visitor.forget("_study", "_study_given", "_study_secret")
    # a new uploader: the old one would hand its files in again
    visitor.put("_study_round", visitor.get("_study_round", 0) + 1)
    memory.forget()


def study_secret() -> bytes:
    """A secret of the files given to a study, new with each one that is read."""
    return cast("bytes", visitor.first("_study_secret", lambda: secrets.token_bytes(SECRET_BYTES)))


def renew_study_secret() -> None:
    """Let what is drawn of a study's files from now on be other draws."""
    visitor.forget("_study_secret")


def read_upload(source: Any, read: Callable[[Any, str], Handed]) -> Handed:
    """Read an uploaded file.

    It waits in a queue while others' files are read, and its bytes as they came are let go.

    Raises: UnreadableFile with what was wrong, what was found and what to do; NoRoom if the server
    is full.
    """
    try:
        if was_refused(source):
            raise NoRoom(FULL)
        with turns.aside(), FILES.reading():
            table = read(source, source.name)
        FILES.keep(table, table.nbytes)
    finally:
        let_go(source)
    has_names = isinstance(table, Table) and table.name_columns
    if not (table.numeric_columns or has_names):
        kinds = " and ".join(sorted({info.kind for info in table.columns}))
        raise UnreadableFile(
            f"'{source.name}' has no column with numbers or with names, only {kinds}. Choose a file "
            "that has one."
        )
    return table


def refusal(name: str, message: object) -> str:
    """Why a file is refused; while the truth is off only that it is, for reasons count its rows."""
    if shows_truth():
        return str(message)
    return f"'{name}' cannot be used as it is. Show the truth to see why, or choose another file."


def upload() -> Upload | None:
    """The visitor's file, if there is one."""
    return cast("Upload | None", visitor.get("_upload"))


def keep_upload(one: Upload | None) -> None:
    """Make a file the visitor's own, or forget it; another one is drawn of when it is asked for."""
    before = upload()
    if one is None or before is None or before.secret != one.secret:
        visitor.forget(DRAWS_ALWAYS)
    visitor.put("_upload", one)


def forget_upload() -> None:
    """Let the file go, with everything that was worked out from it; what was paid stays paid."""
    keep_upload(None)
    forget_results()
    for kind in reversed(data.FIRST):  # the column last: pages without a kind go back to it
        data.choose(data.in_use(kind), kind)


def data_title(key: str) -> str:
    """How a choice is shown in a list. An upload is not named: the text may stand in a link."""
    own = {UPLOAD: "Your file", PEOPLE: "Your file, its people with several rows"}
    return own[key] if key in own else sample(key).title


def is_upload() -> bool:
    """Whether the visitor's own file is chosen."""
    return bool(visitor.get("data") == UPLOAD)


def preparation(data: Column | Plane) -> tuple[Hashable, ...]:
    """How the data in use was made of a file: its columns by name, and what became of odd values.

    Two columns may be equal: with noise of one key their releases would tell that they are. So may
    two counts of a table: each has a nonce.
    """
    own = upload()
    if not is_upload() or own is None:
        return ()
    names = (unit(),) if isinstance(data, Column) else point_units()
    return (*names, own.drop_unreadable, own.people, memory.nonce_of(data))


def chosen_sample() -> Sample:
    """The sample set in use."""
    return sample(visitor.held("data"))


def size() -> float | None:
    """About how many records there are, where that is public: of weighted rows as parts."""
    made, rows = declared("size"), person_rows()
    return made * rows.most if made is not None and rows is not None and rows.shared else made


def protected() -> str:
    """Who is protected, for the end of a sentence: "one person"."""
    return (ANYBODY if person_rows() is not None else words()).people.one


def _parts(most: int) -> Noun:
    """What is counted where a person's rows share so many parts."""
    return Noun("part of a person", f"parts ({most:,} a person)")


def words() -> Words:
    """How the data in use is spoken of; at_most and up_to are those of the column in use.

    Where people have several rows, what is counted are rows, or parts of a person.
    """
    rows = person_rows()
    if rows is not None:
        return replace(_of_column(ANYBODY), people=_parts(rows.most) if rows.shared else ROWS)
    if is_upload():
        return _of_column(ANYBODY)
    own, axis = chosen_sample().words, _axis()
    return replace(own, at_most=(own.at_most[axis],), up_to=(own.up_to[axis],))


def _of_column(words: Words) -> Words:
    """Words that name the column in use; its name is untrusted text, and no place for a number."""
    own = upload()
    if own is None or own.column is None:
        return words
    name = own.column.replace("{", "(").replace("}", ")")
    return replace(words, at_most=(f"have at most {{}} in {name}",))


def axis_options() -> tuple[str, ...]:
    """Columns that a sample set offers; one for a line, two for the plane."""
    return () if is_upload() else chosen_sample().columns


def unit() -> str:
    """The name of the column in use, as untrusted text."""
    if is_upload():
        own = upload()
        return (own.column if own else None) or "value"
    names = axis_options()
    return names[_place(names)]


def point_units() -> tuple[str, str]:
    """Names of both coordinates of the points in use, as untrusted text."""
    if not is_upload():
        return axis_options()[0], axis_options()[1]
    return unit(), str(visitor.get("upload_y"))


def _axis() -> int:
    return _place(axis_options())


def _place(names: Sequence[str]) -> int:
    chosen = state.get("axis") if len(names) > 1 else None
    return names.index(chosen) if chosen in names else 0


def default_declarations() -> tuple[float | None, float | None, float]:
    """Bounds and resolution to start from: a sample's own, nothing for a file."""
    if is_upload():
        return None, None, 0.0
    one = chosen_sample()
    bounds = one.bounds[_place(one.columns)]
    return bounds.low, bounds.high, one.resolution


def scope() -> str:
    """A name for the column in use, for the keys of its declarations; it says nothing of a file.

    Each column has widgets of its own, so a change of data never has to overwrite a widget: its
    value would race with the browser's.
    """
    own = upload()
    if is_upload() and own is not None:
        names = [info.name for info in own.table.columns]
        return f"own{own.number}_{names.index(own.column) if own.column in names else 0}"
    one = chosen_sample()
    return f"{one.key}_{_place(one.columns)}" if len(one.columns) > 1 else one.key


def link() -> Literal["query-params"] | None:
    """How widgets about the column's own units are bound: a link restores samples only."""
    return None if is_upload() else "query-params"


def declared(name: str) -> float | None:
    """A declaration of the column in use: its low, high, resolution or public size.

    Where nothing was declared, a sample has bounds, resolution and a public size of its own.
    """
    made = declarations.of(scope(), name)
    if made is not None:
        return made
    if name == "size":
        return None if is_upload() else float(chosen_sample().about)
    return dict(zip(("low", "high", "resolution"), default_declarations(), strict=True)).get(name)


def neighbours() -> Neighbours:
    """The neighbouring relation in use; people with several rows join or leave with all of them."""
    return data.relation()


def person_rows() -> PersonRows | None:
    """What counts of a person with several rows; None where every row is one person."""
    return data.person_rows()


def each(budget: Budget) -> Budget:
    """What a record may spend so that a person spends at most a budget; never rounded up.

    Raises: InvalidBudget for a δ too small to be shared.
    """
    rows = person_rows()
    return budget if rows is None else rows.row_budget(budget)


def check_one_row_a_person() -> None:
    """For views that speak of a row as a person.

    Raises: NotYet where people have several rows.
    """
    if person_rows() is not None:
        raise NotYet(
            "This view speaks of one row as one person. Of people with several rows there are "
            "Quantiles, Trees and the Map; or choose that each row is one person on the Data page."
        )


def raw_values() -> FloatArray:
    """The chosen values before clipping, NaN where missing.

    Raises: DpvizError if no column is chosen or it holds values that are not numbers.
    """
    if not is_upload():
        return _sample_columns(visitor.held("data"))[_axis()]
    own = upload()
    if own is None or own.column is None:
        raise no_column()
    return upload_values(own, own.column)


def has_names_alone() -> bool:
    """Whether no column of the visitor's file in use holds numbers, by their kinds, nor is chosen."""
    own = upload()
    return is_upload() and own is not None and own.column is None


def no_column() -> NotYet:
    """Why a page of numbers has none of a file of names alone, and what can be done with it."""
    own = upload()
    assert own is not None
    listed = ", ".join(info.name for info in own.table.columns[:FEW_NAMES])
    more = ", …" if len(own.table.columns) > FEW_NAMES else ""
    return NotYet(
        f"No column of your file holds numbers ({listed}{more}). Its rows can be counted by place: "
        "on the Data page say which columns are levels. For this page choose a file with a column "
        "of numbers, or a sample."
    )


def other_columns() -> tuple[str, ...]:
    """Columns beside the one in use by which its rows can be told apart; none where rows are not."""
    own = upload()
    if not is_upload() or own is None:
        return tuple(name for name in axis_options() if name != unit())
    if is_counted():
        return ()
    taken = {own.column, own.people.column}
    return tuple(info.name for info in own.table.columns if info.name not in taken)


def other_values(name: str, *, texts: bool) -> FloatArray | tuple[str, ...]:
    """Another column of the data in use, in the order of raw_values: texts, or numbers.

    Raises: DpvizError as upload_values does.
    """
    own = upload()
    if not is_upload() or own is None:
        key = visitor.held("data")
        return (
            sample_texts(key, name) if texts else _sample_columns(key)[axis_options().index(name)]
        )
    assert isinstance(own.table, Table)
    return own.table.texts(name) if texts else upload_values(own, name)


def group_columns(
    name: str, wanted: Hashable, groups: Sequence[BoolArray], bounds: Bounds, resolution: float
) -> list[Column]:
    """The rows in use by groups (n,) of another column of that name; wanted says which they are.

    Of people with several rows what counts is bounded over all groups together.
    """
    values, own = raw_values(), upload()
    if person_rows() is None or own is None or own.people.rows is None or own.column is None:
        return [Column.from_values(values[kept], bounds, resolution) for kept in groups]
    persons, rng = _persons(own, own.column, groups=(name, str(wanted)))
    return person_groups(persons, values, groups, bounds, resolution, own.people.rows, rng)


def places_of(written: str) -> PlaceList:
    """The public list that was pasted, read once a visit; without one the made-up country.

    Raises: InvalidParameter for one that cannot be read.
    """
    if not written.strip():
        return made_up()
    return memory.remembered(("list of places", written), lambda: read(written))


def counts_places() -> str:
    """Where the visit keeps whether the named places of the file in use are counted."""
    return f"m_own_{scope()}"


def check_levels(listed: NamedPlaces) -> Table:
    """The file in use, where its rows can be counted by the levels of a list: a matter of columns.

    Raises: NotYet without a file of rows; InvalidData for a column that it does not have.
    """
    own = upload()
    if not is_upload() or own is None or not isinstance(own.table, Table):
        raise NotYet("Named places are counted in a file of rows. Choose one on the Data page.")
    if own.people.rows is not None and own.people.rows.shared:
        raise NotYet(
            "Rows that share one person are counted in parts, and the list counts people. On the "
            "Data page let at most so many rows of each person count."
        )
    if own.people.column in listed.levels:
        raise InvalidData("The column that names each row's person is no level of places.")
    try:
        for name in listed.levels:
            own.table.info(name)
    except InvalidData as error:
        raise InvalidData(
            f"{error} {NUMBERED}" if own.table.header is False else str(error)
        ) from None
    return own.table


def place_column(listed: NamedPlaces) -> Column:
    """The places of the file's rows by their number, as the public list has them.

    A row elsewhere is as one without a value: it is in no count, and takes nobody's place.
    Raises: as check_levels.
    """
    table, own = check_levels(listed), upload()
    assert own is not None
    people, bounds = own.people, Bounds(0, len(listed.places))

    def made() -> Column:
        at = listed.located(table)
        if people.rows is None:
            return Column.from_values(at, bounds, 1.0)
        persons, rng = _persons(own, groups=("places", str(listed)))
        return person_column(persons, at, bounds, 1.0, people.rows, rng)

    return memory.remembered(("places", own.number, people, listed), made)


def is_counted() -> bool:
    """Whether the data in use are a table that stays where it is: only counts of it come here."""
    own = upload()
    return is_upload() and own is not None and isinstance(own.table, CountedTable)


def has_counts_alone() -> bool:
    """Whether records are in counts, or counted as parts: none can be looked at apart."""
    rows = person_rows()
    return is_counted() or (rows is not None and rows.shared)


def _sample_columns(key: str) -> tuple[FloatArray, ...]:
    """The columns of a sample, read once a process: they are everybody's."""
    return PUBLIC.get(("sample", key), lambda: load_sample(key))


def drops_unreadable(own: Upload) -> bool:
    """Whether values that are not numbers count as missing: by choice, or with the truth off.

    With the truth off an error would say that the file holds such a value, so it never comes.
    """
    return own.drop_unreadable or not shows_truth()


def _dropped(own: Upload, name: str) -> bool:
    """Whether values of a column are dropped; one that is whole is the same with the truth or not."""
    return drops_unreadable(own) and own.table.info(name).not_numeric > 0


def upload_values(own: Upload, name: str) -> FloatArray:
    """One column of a file.

    Raises: InvalidData for values that are not numbers, and for a kind of column that holds none;
    while the truth is off only for its kind, which the list of columns shows.
    """
    drop = drops_unreadable(own)
    assert isinstance(own.table, Table)
    table = own.table
    try:
        return memory.remembered(
            ("upload", own.number, name, _dropped(own, name)),
            lambda: table.numeric_values(name, drop_unreadable=drop).values,
        )
    except InvalidData:
        if shows_truth():
            raise
        if table.info(name).kind != "date":  # no number: as if all were missing
            return np.full(table.rows, np.nan)
        raise InvalidData(
            f"Column '{name}' is of a kind that holds no numbers. Choose another column."
        ) from None


def declared_bounds() -> Bounds:
    """The bounds that were declared.

    Raises: NotYet while one is missing, InvalidBounds if they are out of order.
    """
    low, high = declared("low"), declared("high")
    if low is None or high is None:
        raise NotYet(
            "Declare the bounds on the Data page first: the lowest and the highest value that could "
            "occur, from what is publicly known about the column, not from the data."
        )
    return declarations.drawable(low, high)


def declared_step(bounds: Bounds) -> float:
    """The resolution that was declared, 0 without one. Raises: InvalidData if no bounds have it."""
    return checked_resolution(declared("resolution") or 0.0, bounds)


def column() -> Column:
    """The chosen column inside its declared bounds.

    Raises: DpvizError with what is missing or wrong, and what to do.
    """
    own, resolution = upload(), float(declared("resolution") or 0.0)
    if not is_upload() or own is None:
        values, bounds = raw_values(), declared_bounds()
        key = ("column", visitor.held("data"), unit(), bounds, resolution)
        return PUBLIC.of_sample(key, lambda: _whole(Column.from_values(values, bounds, resolution)))
    if own.column is None:
        raise no_column()
    return own_column(own, own.column, declared_bounds(), resolution)


def own_column(own: Upload, name: str, bounds: Bounds, resolution: float) -> Column:
    """A column of the visitor's file or table inside bounds; found once, by this visit alone.

    Raises: DpvizError as reading or counting it does.
    """
    people = own.people
    if isinstance(own.table, CountedTable):
        table = own.table
        counted = ("counted", own.number, name, bounds, resolution, people)
        return memory.awaited(
            counted, lambda: table.count(name, bounds, resolution, people, counting)
        )
    values = upload_values(own, name)
    source: Hashable = UPLOAD, own.number, name, _dropped(own, name), people

    def made() -> Column:
        if people.rows is None:
            return Column.from_values(values, bounds, resolution)
        persons, kept = _persons(own, name)
        return person_column(persons, values, bounds, resolution, people.rows, kept)

    return memory.remembered(("column", source, bounds, resolution), made)


def _persons(own: Upload, *names: str, groups: Sequence[str] = ()) -> tuple[FloatArray, Randomness]:
    """The person of each row, and what draws the rows that count; the same in every look."""
    assert isinstance(own.table, Table)
    assert own.people.column is not None
    dropped = (_dropped(own, name) for name in names)
    purpose = ("rows that count", names, own.people, *dropped, *groups)
    return own.table.people(own.people.column), SecureBits(draw_key(own.secret, 0, (), purpose))


def sample_column(axis: int, bounds: Bounds, resolution: float) -> Column:
    """A column of the sample in use inside bounds."""
    key, values = visitor.held("data"), _sample_columns(visitor.held("data"))[axis]
    name = ("column", key, chosen_sample().columns[axis], bounds, resolution)
    return PUBLIC.of_sample(name, lambda: _whole(Column.from_values(values, bounds, resolution)))


def _whole(made: Column) -> Column:
    """With what it works out once, so that its size is known before it is kept for all."""
    _ = made.steps, made.digest, made.tied
    return made


def in_plane() -> bool:
    """Whether two columns are chosen, as the map needs them."""
    if is_upload():
        return visitor.get("upload_y") is not None
    return len(axis_options()) > 1


def _axis_bounds(axis: int) -> Bounds:
    """What was declared for a column of a sample in the plane, or the sample's own bounds."""
    if axis == _axis():
        return declared_bounds()
    own, key = chosen_sample().bounds[axis], f"{chosen_sample().key}_{axis}"
    low, high = (declarations.of(key, end) for end in ("low", "high"))
    return Bounds(own.low if low is None else low, own.high if high is None else high)


def points() -> Plane | None:
    """The chosen points in the plane, or None while only one column is chosen.

    Raises: DpvizError with what is missing or wrong, and what to do.
    """
    if not in_plane():
        return None
    if not is_upload():
        key, inside = visitor.held("data"), Box(_axis_bounds(0), _axis_bounds(1))
        across, up = _sample_columns(key)
        return PUBLIC.of_sample(("points", key, inside), lambda: Points.from_xy(across, up, inside))
    own, second = upload(), visitor.get("upload_y")
    if own is None or own.column is None or second is None:
        return None
    low, high = declarations.of("y", "low"), declarations.of("y", "high")
    if low is None or high is None:
        raise NotYet("Declare the bounds of the second column as well.")
    box = Box(declared_bounds(), Bounds(low, high))
    first = own.column
    if isinstance(own.table, CountedTable):
        table = own.table
        counted = ("counted", own.number, first, second, box, own.people)
        return memory.awaited(
            counted, lambda: table.count_points(first, second, box, SIDE, own.people, counting)
        )
    return memory.remembered(
        ("points", own.number, first, second, drops_unreadable(own), box, own.people),
        lambda: _own_points(own, first, second, box),
    )


def _own_points(own: Upload, first: str, second: str, box: Box) -> Plane:
    x, y, rows = upload_values(own, first), upload_values(own, second), own.people.rows
    if rows is None:
        return Points.from_xy(x, y, box)
    persons, kept = _persons(own, first, second)
    if rows.shared:
        return person_grid(persons, x, y, box, SIDE, rows, kept)
    return person_points(persons, x, y, box, rows, kept)
