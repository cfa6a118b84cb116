"""Points in any number of dimensions: the declared box of each axis, and the points in it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.checks import wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import as_array, one_dimensional, unwrapped
from dpviz.core.data.kinds import may_be_numbers
from dpviz.core.errors import InvalidBounds, InvalidData, InvalidParameter

MOST_AXES = 6


@dataclass(frozen=True, slots=True)
class Space:
    """The public box that points are declared to lie in: the bounds of every axis."""

    axes: tuple[Bounds, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", tuple(self.axes))
        if not 1 <= len(self.axes) <= MOST_AXES:
            raise InvalidBounds(
                f"A space has 1 to {MOST_AXES} axes, got {len(self.axes)}. A tree has 2^d children "
                "at every node, so more axes leave nothing but noise."
            )
        for number, axis in enumerate(self.axes):
            wanted(Bounds, axis, f"axis {number}", InvalidBounds)

    @property
    def dimensions(self) -> int:
        """The number of axes."""
        return len(self.axes)

    @property
    def row(self) -> FloatArray:
        """The whole box as a row (2d,): low and high of each axis in turn."""
        return np.array([end for axis in self.axes for end in (axis.low, axis.high)])


@confidential("space")
@dataclass(frozen=True, eq=False)
class SpacePoints:
    """n points in a space, clipped to its box. Everything in it is confidential.

    Shapes: at (n, d), read-only. clipped counts the points that were moved, dropped those without
    a number on some axis.
    """

    at: FloatArray
    space: Space
    clipped: int = 0
    dropped: int = 0

    @classmethod
    def from_values(cls, values: ArrayLike, space: Space) -> "SpacePoints":
        """Drop points with NaN, clip to the box (infinite values are clipped like any other).

        Raises: InvalidData unless values is (n, d) with the d of the space.
        """
        wanted(Space, space, "space", InvalidData)
        if getattr(values, "ndim", 1) == 2 and not may_be_numbers(values):
            one_dimensional(values)  # which says so, with rows and without
        given = values if isinstance(values, np.ma.MaskedArray) else as_array(_in_rows(values))
        if isinstance(values, list | tuple) and not values:
            given = given.reshape(0, space.dimensions)
        if given.ndim != 2 or given.shape[1] != space.dimensions:
            raise InvalidData(
                f"Points of {space.dimensions} axes have {space.dimensions} numbers a row, one row "
                "for each."
            )
        rows = np.stack([one_dimensional(axis) for axis in given.T], axis=1)
        kept = rows[~np.isnan(rows).any(axis=1)]
        inside = np.clip(kept, space.row[::2], space.row[1::2])
        clipped = int((inside != kept).any(axis=1).sum())
        return cls(frozen(inside), space, clipped, len(rows) - len(kept))

    @property
    def n(self) -> int:
        """Number of records."""
        return int(self.at.shape[0])

    def inside(self, boxes: ArrayLike) -> FloatArray:
        """True counts of boxes (q, 2d), (q,); the upper end of an axis belongs to its last box."""
        rows = checked_space_boxes(boxes, self.space.dimensions)
        tops = self.space.row[1::2]
        counts = np.empty(len(rows))
        for number, row in enumerate(rows):
            low, high = row[::2], row[1::2]
            top = (self.at < high) | ((high >= tops) & (self.at == tops))
            counts[number] = ((self.at >= low) & top).all(axis=1).sum()
        return counts


def _in_rows(values: Any) -> Any:
    """What NumPy reads in rows: a table of Arrow chunk by chunk, as a column is; NaN for masked."""
    if hasattr(values, "column_names"):
        columns = [one_dimensional(one) for one in values.columns]
        return np.stack(columns, axis=1) if columns else np.empty((0, 0))
    if hasattr(values, "iloc") and getattr(values, "ndim", 0) == 2:  # a frame of pandas
        columns = [one_dimensional(values.iloc[:, at]) for at in range(values.shape[1])]
        return np.stack(columns, axis=1) if columns else values
    if not isinstance(values, list | tuple):
        return values
    return [_row(one) for one in values]


def _row(cells: Any) -> Any:
    """A row of a list, NaN where it is masked."""
    masked: Any = np.ma.MaskedArray
    if isinstance(cells, masked):
        return cells.astype(object).filled(np.nan)
    return [unwrapped(one) for one in cells] if isinstance(cells, list | tuple) else cells


def checked_space_boxes(boxes: ArrayLike, dimensions: int) -> FloatArray:
    """Boxes as rows (q, 2d), low and high of each axis in turn.

    Raises: InvalidParameter for another shape, NaN or infinite sides, or low > high.
    """
    try:
        rows = np.atleast_2d(np.asarray(boxes, dtype=np.float64))
    except (TypeError, ValueError):
        raise InvalidParameter("Boxes must be numbers in rows, one row a box.") from None
    if rows.ndim != 2 or rows.shape[1] != 2 * dimensions:
        raise InvalidParameter(
            f"A box of {dimensions} axes has {2 * dimensions} numbers, low and high of each axis, "
            f"got shape {rows.shape}."
        )
    if not np.isfinite(rows).all() or not (rows[:, ::2] <= rows[:, 1::2]).all():
        raise InvalidParameter("Every side of a box must be finite, and low ≤ high on every axis.")
    return rows


def halved(boxes: FloatArray, axis: int, at: FloatArray) -> FloatArray:
    """Twice as many boxes: box i becomes 2i (below at[i] on this axis) and 2i + 1 (from there)."""
    halves = np.repeat(boxes, 2, axis=0)
    halves[::2, 2 * axis + 1] = at
    halves[1::2, 2 * axis] = at
    return halves


def middle_boxes(space: Space, height: int) -> FloatArray:
    """The leaves of a tree that cuts every axis in the middle on every level, (2^(d·h), 2d)."""
    boxes = space.row[None, :]
    for _ in range(height):
        for axis in range(space.dimensions):
            low, high = boxes[:, 2 * axis], boxes[:, 2 * axis + 1]
            boxes = halved(boxes, axis, low + (high - low) / 2)
    return boxes


def covered(cells: FloatArray, boxes: FloatArray) -> FloatArray:
    """Fraction of the volume of every cell (c, 2d) in every box (q, 2d): (q, c).

    A cell without width on an axis counts as inside where the box reaches it.
    """
    part = np.ones((len(boxes), len(cells)))
    for axis in range(cells.shape[1] // 2):
        low, high = cells[:, 2 * axis], cells[:, 2 * axis + 1]
        start, end = boxes[:, None, 2 * axis], boxes[:, None, 2 * axis + 1]
        width, cut = high - low, np.minimum(high, end) - np.maximum(low, start)
        fraction = np.divide(cut, width, out=(cut >= 0).astype(np.float64), where=width > 0)
        part *= np.clip(fraction, 0.0, 1.0)
    return part
