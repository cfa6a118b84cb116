"""Lists of named places with public numbers of people: a made-up country, or a pasted list."""

from __future__ import annotations

import csv
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
    listed = NamedPlaces(tuple(levels), tuple(sizes))
    people = np.array([float(sizes[path]) for path in listed.places])
    tree = RaggedTree(listed.children)
    return PlaceList((WHOLE, *levels), listed.names, tree, people, listed)
