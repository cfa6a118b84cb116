"""The sample sets that come with the app: public, synthetic, each with its declarations."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file
from importlib.resources.abc import Traversable

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.checks import found, wanted
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from dpviz.core.places import top_level
from dpviz.intake.read import read_table
from dpviz.intake.table import Table

FOLDER = top_level("sample_data")


@dataclass(frozen=True, slots=True)
class Noun:
    """What things are called, for one and for many; both empty where a number needs no word."""

    one: str
    many: str

    def after(self, number: str) -> str:
        """A number as it was written, with the word behind it: "1.2 marks", "1 mark"."""
        return f"{number} {self.one if number in ('1', '−1') else self.many}".rstrip()

    def counted(self, number: int) -> str:
        """So many of them: "6,000 students"."""
        return self.after(f"{number:,}")


@dataclass(frozen=True, slots=True)
class Words:
    """How a set is spoken of: its people, the unit of its values, and the ends of two sentences.

    at_most and up_to have one entry a column. They go on after "half of the students", with {} for
    a value and its unit, and after "share of the students".
    """

    people: Noun
    unit: Noun
    at_most: tuple[str, ...]
    up_to: tuple[str, ...]


ANYBODY = Words(  # for a file of which nothing is known
    Noun("person", "people"),
    Noun("", ""),
    ("have a value of at most {}",),
    ("with at most this value",),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One set: one column, or two for the map. bounds has one entry a column, all declared."""

    key: str
    title: str
    file: str
    columns: tuple[str, ...]
    bounds: tuple[Bounds, ...]
    resolution: float
    description: str
    teaches: str
    n: int
    words: Words
    about: int  # people, declared from public knowledge and never counted
    known: str
    names: str | None = None  # the column that names each person, in the file of an invented set

    @property
    def resource(self) -> Traversable:
        """The set's CSV file."""
        return FOLDER / self.file

    @property
    def box(self) -> Box:
        """The declared rectangle of a set in the plane.

        Raises: InvalidData for a set with one column.
        """
        if len(self.bounds) != 2:
            raise InvalidData(f"Sample '{self.key}' has one column. Choose one with two.")
        return Box(*self.bounds)


@cache
def samples() -> tuple[Sample, ...]:
    """All sets, in the catalogue's order.

    >>> [sample.key for sample in dp.samples()][:3]
    ['exam', 'ages', 'uniform']

    Raises: InvalidData if the folder sample_data is missing.
    """
    try:
        stored = tomllib.loads((FOLDER / "catalogue.toml").read_text(encoding="utf-8"))
    except OSError:
        raise InvalidData(
            "The sample sets were not found: the folder 'sample_data' is missing from this copy of "
            "dpviz. Install dpviz again, or upload a file."
        ) from None
    return tuple(
        Sample(
            key=key,
            title=entry["title"],
            file=entry["file"],
            columns=tuple(entry["columns"]),
            bounds=tuple(Bounds(low, high) for low, high in entry["bounds"]),
            resolution=float(entry["resolution"]),
            description=entry["description"],
            teaches=entry["teaches"],
            n=entry["n"],
            words=Words(
                Noun(*entry["people"]),
                Noun(*entry["unit"]),
                tuple(entry["at_most"]),
                tuple(entry["up_to"]),
            ),
            about=entry["about"],
            known=entry["known"],
            names=entry.get("names"),
        )
        for key, entry in stored.items()
    )


def sample(key: str) -> Sample:
    """One set by its key.

    Raises: InvalidData that lists the keys there are.
    """
    wanted(str, key, "key", InvalidData)
    for one in samples():
        if one.key == key:
            return one
    listed = ", ".join(one.key for one in samples())
    raise InvalidData(f"There is no sample {found(key)}. Choose one of {listed}.")


def load_sample(key: str) -> tuple[FloatArray, ...]:
    """The values of each column of a set, float64 (n,), for Column.from_values or Points.from_xy.

    >>> [values.shape for values in dp.load_sample('towns')]
    [(30000,), (30000,)]

    Raises: InvalidData for an unknown key or a missing file.
    """
    chosen = sample(key)
    table = _table(chosen)
    return tuple(table.numeric_values(name).values.copy() for name in chosen.columns)


def sample_names(key: str) -> tuple[str, ...]:
    """The name of each person of an invented set (n,), for pictures that point at one.

    Raises: InvalidData for an unknown key, or a set that names nobody.
    """
    chosen = sample(key)
    if chosen.names is None:
        raise InvalidData(f"Sample '{key}' names nobody. Choose one with a column of names.")
    return sample_texts(key, chosen.names)


def sample_texts(key: str, name: str) -> tuple[str, ...]:
    """A column of a set's file as texts (n,), whether or not it is a number.

    Raises: InvalidData for an unknown key or column.
    """
    return _table(sample(key)).texts(name)


@cache
def _table(chosen: Sample) -> Table:
    """What a set's file holds, read once: the stories ask for some a dozen times a scene."""
    with as_file(chosen.resource) as path:
        return read_table(path, chosen.file)


def sample_column(key: str) -> Column:
    """A one-dimensional set as a column with its declared bounds and resolution.

    >>> dp.sample_column('exam').bounds
    Bounds(low=0.0, high=100.0)

    Raises: InvalidData for an unknown key, or a set in the plane.
    """
    chosen = sample(key)
    if len(chosen.columns) != 1:
        raise InvalidData(f"Sample '{key}' has two columns. Load it with sample_points.")
    (values,) = load_sample(key)
    return Column.from_values(values, chosen.bounds[0], chosen.resolution)


def sample_points(key: str) -> Points:
    """A set in the plane as points in its declared box.

    >>> dp.sample_points('towns').box.x
    Bounds(low=0.0, high=100.0)

    Raises: InvalidData for an unknown key, or a set with one column.
    """
    box = sample(key).box
    x, y = load_sample(key)
    return Points.from_xy(x, y, box)
