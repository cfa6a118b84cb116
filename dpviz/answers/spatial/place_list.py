"""Lists of named places with public numbers of people: a made-up country, or a pasted list."""

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.answers.number_text import counted
from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.named_places import WHOLE, NamedPlaces
from dpviz.estimators.trees.ragged_tree import RaggedTree

SEED = 2020  # of the made-up country: a public constant
STATES = (  # counties, and people in a typical block
    ("Northmark", 9, 60), ("Lakeland", 7, 35), ("Port Sand", 4, 160), ("Highmoor", 12, 9),
    ("Riverside", 8, 80), ("Eastfield", 10, 20),
)  # fmt: skip
TREES = ("Ash", "Elm", "Oak", "Birch", "Alder", "Hazel", "Rowan", "Maple", "Cedar", "Lind")
ENDS = ("ford", "ton", "wick", "dale", "bury")
BLOCKS, WIDE = (6, 40), 1.1  # of a county, least and most; the spread of their log sizes
MOST_PLACES, MOST_LEVELS, MOST_PEOPLE = 5_000, 5, 10**10
PEOPLE = "people"  # what the last cell of the first line says, in lists that are begun here
HOW = "Write a line of names such as state,county,people and below it a line for each place."


@dataclass(frozen=True, slots=True, eq=False)
class PlaceList:
    """Levels and places by name, root first, and how many people live in each of the last level."""

    levels: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    tree: RaggedTree
    people: FloatArray
    listed: NamedPlaces | None = None  # of a list that was pasted


@lru_cache(maxsize=1)
def made_up() -> PlaceList:
    """A country of 6 states and 50 counties, whose blocks have from 0 to some thousand people."""
    rng = np.random.default_rng(SEED)
    counties = np.array([one for _, one, _ in STATES])
    blocks = rng.integers(*BLOCKS, int(counties.sum()))
    typical = np.repeat(np.repeat([float(one) for _, _, one in STATES], counties), blocks)
    people = np.floor(typical * np.exp(rng.normal(0.0, WIDE, typical.size)))
    named = [f"{tree}{end}" for end in ENDS for tree in TREES]
    listed = [f"{name}, block {at + 1}" for name, count in zip(named, blocks, strict=True)
              for at in range(count)]  # fmt: skip
    states = tuple(name for name, _, _ in STATES)
    return PlaceList(
        ("country", "state", "county", "block"),
        (("the country",), states, tuple(named), tuple(listed)),
        RaggedTree((np.array([counties.size]), counties, blocks)),
        people,
    )


def read(written: str) -> PlaceList:
    """A list as it is pasted: names of the levels and then of the people; a line for each place.

    Cells are parted by commas, semicolons or tabs; lines of the same place are added up.
    Raises: InvalidParameter for anything else.
    """
    head, *rows = _cells(written) or [[]]
    if head and not (2 <= len(head) <= MOST_LEVELS and all(head)):
        raise InvalidParameter(
            f"The first line of the list holds {counted(len(head), 'cell')}. It takes 1 to "
            f"{MOST_LEVELS - 1} names of levels and a word for people, none of them empty. {HOW}"
        )
    if not rows:
        raise InvalidParameter(f"The list of places holds no place. {HOW}")
    if len(rows) > MOST_PLACES:
        raise InvalidParameter(
            f"The list has {len(rows):,} places, and at most {MOST_PLACES:,} are taken. Leave out "
            "its last level: what names each person or each street is no level of places."
        )
    sizes: dict[tuple[str, ...], int] = {}
    for at, row in enumerate(rows, 2):
        number = row[-1]
        is_whole = number.isascii() and number.isdigit() and len(number) <= 11
        if len(row) != len(head) or not is_whole or int(number) > MOST_PEOPLE:
            raise InvalidParameter(
                f"Line {at} of the list needs {counted(len(head) - 1, 'name')} and a "
                f"whole number of people. {HOW}"
            )
        key = tuple(row[:-1])
        sizes[key] = sizes.get(key, 0) + int(number)
    return _tree_of(head[:-1], sizes)


def levels_of(written: str, columns: Collection[str]) -> tuple[str, ...]:
    """The levels in the first line of a list, where these columns have them all; else none."""
    try:
        head = (_cells(written) or [[]])[0][:-1]
    except InvalidParameter:
        return ()
    return tuple(head) if all(name in columns for name in head) else ()


def with_levels(written: str, levels: Sequence[str], columns: Collection[str]) -> str:
    """A list whose first line names these levels; a first line that is a place stays as it is."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n", delimiter=_parted(written)).writerow((*levels, PEOPLE))
    first, _, places = written.lstrip("\r\n ").partition("\n")
    ends_in_number = first.rpartition(_parted(written))[2].strip().isdigit()
    if ends_in_number and not levels_of(first, columns):
        places = written
    return (line.getvalue() if levels else "") + places


def _parted(written: str) -> str:
    """What parts the cells: what the first line has most of."""
    return max(",;\t", key=written.lstrip().partition("\n")[0].count)


def _cells(written: str) -> list[list[str]]:
    """Lines that are not blank, cell by cell without spaces around them."""
    lines = [line for line in written.splitlines() if line.strip()]
    try:
        rows = list(csv.reader(lines, delimiter=_parted(written)))
    except csv.Error:  # a cell of more than 131,072 characters
        raise InvalidParameter(f"A cell of the list is too long to be a name. {HOW}") from None
    return [[cell.strip() for cell in row] for row in rows]


def _tree_of(levels: list[str], sizes: dict[tuple[str, ...], int]) -> PlaceList:
    """Places with the same names above them stand side by side."""
    listed = NamedPlaces(tuple(levels), tuple(sizes))
    people = np.array([float(sizes[path]) for path in listed.places])
    tree = RaggedTree(listed.children)
    return PlaceList((WHOLE, *levels), listed.names, tree, people, listed)
