"""Places of a public list by name, level by level, and where each row of a table lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.checks import found
from dpviz.core.codec import READERS
from dpviz.core.errors import InvalidData, InvalidParameter

if TYPE_CHECKING:
    import pandas as pd

MOST_LEVELS, MOST_PLACES = 8, 1 << 17
WHOLE = "whole"  # the level above all others, of one place


class Rows(Protocol):
    """Columns of one length by name: a dict of lists, or a frame of pandas."""

    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Any: ...


@dataclass(frozen=True)
class NamedPlaces:
    """A public list: the names of its levels, and those of each place of the last one, in order.

    levels are (d,), the widest first, without the whole; places are (n, d), sorted, each once.
    Raises: InvalidParameter for anything else, and for more than 8 levels or 2^17 places.
    """

    levels: tuple[str, ...]
    places: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", _texts(self.levels, "levels"))
        rows = self.places
        if isinstance(rows, str) or not isinstance(rows, Sequence):
            raise InvalidParameter(f"places must be a list of rows of names, got {found(rows)}.")
        # at 2^17 places 0.4 s; by pandas' numbers of names it takes 0.36 s, to the same order
        kept = tuple(sorted({_texts(row, "places") for row in rows}))
        if not 1 <= len(self.levels) <= MOST_LEVELS or len(set(self.levels)) < len(self.levels):
            raise InvalidParameter(f"levels must be 1 to {MOST_LEVELS} names, each another one.")
        if not 1 <= len(kept) <= MOST_PLACES or {len(row) for row in kept} != {len(self.levels)}:
            raise InvalidParameter(
                f"places must be 1 to 2^17 rows, each with a name for {', '.join(self.levels)}."
            )
        object.__setattr__(self, "places", kept)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Of the places of each level, the whole first; a name holds those above it."""
        below = enumerate(self.starts[1:], start=1)
        named = (tuple(", ".join(self.places[at][:depth]) for at in one) for depth, one in below)
        return (("the whole",), *named)

    @cached_property
    def starts(self) -> tuple[tuple[int, ...], ...]:
        """Of each level the number of the first last place in each of its places."""
        table = np.array(self.places, dtype=object)
        is_new = np.logical_or.accumulate(table[1:] != table[:-1], axis=1)
        return ((0,), *((0, *(np.flatnonzero(one) + 1).tolist()) for one in is_new.T))

    @cached_property
    def children(self) -> tuple[IntArray, ...]:
        """How many places of the next level lie in each one, an array a level but the last."""
        return tuple(
            np.diff(np.searchsorted(below, [*above, len(self.places)]))
            for above, below in pairwise(self.starts)
        )

    def located(self, rows: Rows) -> FloatArray:
        """The number of each row's last place, (n,), NaN where it lies in none.

        rows are columns of one length by the names of the levels, a frame of pandas for example.
        Each row is found by itself, by its cells as texts without spaces around them.
        Raises: InvalidData for a level without a column, or columns of several lengths.
        """
        import pandas as pd  # noqa: PLC0415  for tables alone

        missing = [name for name in self.levels if name not in rows]
        if missing:
            raise InvalidData(f"There is no column '{missing[0]}' for a level of the places.")
        columns = [pd.Series(list(rows[name]), dtype="object") for name in self.levels]
        if len({one.size for one in columns}) > 1:
            raise InvalidData("The columns of the levels differ in length: give one cell a row.")
        wanted, code = np.zeros(len(self.places), np.int64), np.zeros(columns[0].size, np.int64)
        known = np.ones(code.size, np.bool_)
        for depth, column in enumerate(columns):
            names = pd.Index(sorted({path[depth] for path in self.places}))
            at = _found(names, column)
            known &= at >= 0
            listed = names.get_indexer(pd.Index([path[depth] for path in self.places]))
            # numbered anew level by level, so that no product of many levels overflows
            above, wanted = np.unique(wanted * len(names) + listed, return_inverse=True)
            code = code * len(names) + at
            place = np.minimum(np.searchsorted(above, code), above.size - 1)
            known &= above[place] == code
            code = np.where(known, place, 0)
        return np.where(known, code, np.nan)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for the text of a release."""
        return {"levels": list(self.levels), "places": [list(row) for row in self.places]}


def _found(names: pd.Index[str], column: pd.Series[Any]) -> IntArray:
    """The number of each cell's name, (n,), −1 where it is none; equal texts are looked up once.

    Cells of several kinds are looked up one by one: 1 and True are equal, and no one name.
    """
    import pandas as pd  # noqa: PLC0415

    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        texts = column.map(lambda cell: str(cell).strip(), na_action="ignore")
        return names.get_indexer(pd.Index(texts))
    kinds, different = pd.factorize(column)  # −1 for a missing cell
    at = names.get_indexer(pd.Index([text.strip() for text in different]))
    return np.append(at, -1)[kinds]


READERS[NamedPlaces] = lambda stored: NamedPlaces(stored["levels"], stored["places"])


def _texts(value: Any, name: str) -> tuple[str, ...]:
    """The rule that a value is a row of texts, kept without spaces around them."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidParameter(f"{name} must be names in a row, got {found(value)}.")
    for one in value:
        if not isinstance(one, str):
            raise InvalidParameter(f"{name} must be texts, got {found(one)}.")
    return tuple(one.strip() for one in value)
