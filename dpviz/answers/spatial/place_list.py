"""Lists of named places with public numbers of people: a made-up country, or a pasted list."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from dpviz.answers.number_text import counted
from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
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
HOW = "Write a line of names such as state,county,people and below it a line for each place."


@dataclass(frozen=True, slots=True, eq=False)
class PlaceList:
    """Levels and places by name, root first, and how many people live in each of the last level."""

    levels: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    tree: RaggedTree
    people: FloatArray
    paths: tuple[tuple[str, ...], ...] = ()  # names of each last place, level by level

    @property
    def starts(self) -> tuple[tuple[int, ...], ...]:
        """Of each level the number of the first last place in each of its places."""
        size, found = np.ones(self.people.size), list[tuple[int, ...]]()
        for leaves in self.tree.totals(size):
            ends = np.cumsum(leaves).astype(np.int64)
            found.append((0, *ends[:-1].tolist()))
        return tuple(found)


def located(places: PlaceList, columns: Sequence[Sequence[str]]) -> FloatArray:
    """The number of each row's last place, (n,), NaN elsewhere; columns are of the levels' names.

    Each row is found by itself: its cells without spaces around them, as a list is read.
    """
    import pandas as pd  # noqa: PLC0415  for an own file alone

    wanted, found = np.zeros(len(places.paths), np.int64), np.zeros(len(columns[0]), np.int64)
    known = np.ones(found.size, np.bool_)
    for depth, column in enumerate(columns):
        names = pd.Index(sorted({path[depth] for path in places.paths}))
        cells = pd.Series(column, dtype="object").str.strip()
        code = names.get_indexer(pd.Index(cells))
        known &= code >= 0
        found = found * len(names) + code.astype(np.int64)
        listed = names.get_indexer(pd.Index([path[depth] for path in places.paths]))
        wanted = wanted * len(names) + listed.astype(np.int64)
    at = np.minimum(np.searchsorted(wanted, found), wanted.size - 1)  # paths are sorted
    return np.where(known & (wanted[at] == found), at, np.nan)


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
    lines = [line for line in written.splitlines() if line.strip()]
    if len(lines) < 2:
        raise InvalidParameter(f"The list of places holds no place. {HOW}")
    parted = max(",;\t", key=lines[0].count)
    (head, *rows) = ([cell.strip() for cell in row] for row in csv.reader(lines, delimiter=parted))
    if not 2 <= len(head) <= MOST_LEVELS or not all(head) or len(rows) > MOST_PLACES:
        raise InvalidParameter(
            f"A list has 1 to {MOST_LEVELS - 1} levels, each with a name, "
            f"and at most {MOST_PLACES:,} lines. {HOW}"
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


def _tree_of(levels: list[str], sizes: dict[tuple[str, ...], int]) -> PlaceList:
    """Places with the same names above them stand side by side."""
    paths = sorted(sizes)
    people = np.array([float(sizes[path]) for path in paths])
    every = [sorted({path[:depth] for path in paths}) for depth in range(len(levels) + 1)]
    children = []
    for above, below in pairwise(every):
        place = {path: at for at, path in enumerate(above)}
        children.append(np.bincount([place[path[:-1]] for path in below], minlength=len(above)))
    return PlaceList(
        ("whole", *levels),
        (("the whole",), *(tuple(", ".join(path) for path in level) for level in every[1:])),
        RaggedTree(tuple(children)),
        people,
        tuple(paths),
    )
