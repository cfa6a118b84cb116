"""A column and a neighbour of it, as a mechanism sees them. Confidential."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, is_randomised, untied_values


@confidential()
@dataclass(frozen=True, slots=True)
class Change:
    """What makes a neighbour: the record of a rank (0 is the least) goes, a value comes.

    One of the two is a neighbour under add/remove, both together under replace-one.
    """

    removed: int | None = None
    added: float | None = None


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two neighbouring columns, and the values in which they differ; None where one has no such.

    removed is only in one, added only in other.
    """

    one: Column
    other: Column
    removed: float | None
    added: float | None


def exact_pair(column: Column, change: Change) -> Pair:
    """The column and its neighbour, ties and all; what is added is clipped like any record.

    Raises: InvalidParameter for a rank that the column does not have, or no change at all.
    """
    shared, removed, added = _parts(column, change)
    other = _with(shared, added, column.bounds, column.resolution)
    return Pair(column, other, removed, added)


def spread_pair(column: Column, change: Change, rng: np.random.Generator) -> Pair:
    """Both columns after the treatment of ties, the records that they share moved alike.

    Given the shared records' moves both outputs have exact densities within e^±ε of each other;
    so have the mechanism's own, which average over the moves.
    Raises: InvalidParameter as exact_pair does.
    """
    if not is_randomised(column, Ties.SPREAD):
        return exact_pair(column, change)
    shared, removed, added = _parts(column, change)
    gone, come = (_moved(column, value, rng) for value in (removed, added))
    rest = _with(shared, None, column.bounds, column.resolution)
    moved, bounds = untied_values(rest, Ties.SPREAD, rng), exponential_bounds(column, Ties.SPREAD)
    return Pair(_with(moved, gone, bounds), _with(moved, come, bounds), gone, come)


def _parts(column: Column, change: Change) -> tuple[FloatArray, float | None, float | None]:
    """The records that both share, the one that goes and the one that comes."""
    if change.removed is None and change.added is None:
        raise InvalidParameter("A neighbour differs in one record: name one to remove or to add.")
    shared, removed, added = column.values, None, None
    if change.removed is not None:
        if not 0 <= change.removed < column.n:
            raise InvalidParameter(
                "The column has no record of that rank to take away. Add a record instead."
            )
        removed = float(shared[change.removed])
        shared = np.delete(shared, change.removed)
    if change.added is not None:
        added = float(np.clip(change.added, column.bounds.low, column.bounds.high))
        if np.isnan(added):
            raise InvalidParameter("The added record needs a value.")
    return shared, removed, added


def _moved(column: Column, value: float | None, rng: np.random.Generator) -> float | None:
    if value is None:
        return None
    alone = _with(np.array([value]), None, column.bounds, column.resolution)
    return float(untied_values(alone, Ties.SPREAD, rng)[0])


def _with(
    shared: FloatArray, value: float | None, bounds: Bounds, resolution: float = 0.0
) -> Column:
    values = shared if value is None else np.insert(shared, np.searchsorted(shared, value), value)
    return Column(frozen(values), bounds, resolution, clipped=0, dropped=0)
