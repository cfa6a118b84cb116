"""How the cells of a private map are coloured: by density, by count, or by their noise."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from dpviz.answers.spatial.cells import is_sure
from dpviz.answers.spatial.question import MapQuestion
from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.confidential import confidential
from dpviz.core.spatial.boxes import areas
from dpviz.core.spatial.cells import Cells
from dpviz.estimators.spatial.boxes import answering_nodes

ALIKE = 1e-6  # how much areas or errors of cells may differ and still be said to be one
OUTLINED = 1_500  # cells whose borders are still lines and not a grey veil


class Colour(StrEnum):
    """What a cell's colour says: people on equal areas, people in the cell, or its noise."""

    DENSITY = "density"
    COUNT = "count"
    ERROR = "standard error"


@confidential("rows", "columns")
@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells that are the equal ones of a grid: row (k,) and column (k,) of each, low ends first."""

    rows: int
    columns: int
    row: IntArray
    column: IntArray

    @classmethod
    def of(cls, boxes: FloatArray) -> "Grid | None":
        """The grid of rectangles (k, 4); None where they are none."""
        sides = boxes[:, [1, 3]] - boxes[:, [0, 2]]
        if not boxes.shape[0] or not np.allclose(sides, sides[0], rtol=1e-6, atol=0):
            return None
        low, size = boxes[:, [0, 2]].min(axis=0), sides[0]
        column, row = np.rint((boxes[:, [0, 2]] - low) / size).astype(np.int64).T
        rows, columns = int(row.max()) + 1, int(column.max()) + 1
        if rows * columns != boxes.shape[0]:
            return None
        return cls(rows, columns, row, column)

    def filled(self, values: FloatArray) -> FloatArray:
        """Values (k,) of the cells as a matrix (rows, columns), low y first."""
        grid = np.full((self.rows, self.columns), np.nan)
        grid[self.row, self.column] = values
        return grid


@confidential("box", "colour")
@dataclass(frozen=True, slots=True, eq=False)
class ColoursNumbers:
    """Cells (k, 4) with the values (k,) that colour them, and borders (o, 4) that can be seen.

    colour is what the values are: of equal areas a density is the count. sure (k,) marks the cells
    that are coloured, None for all; error is the standard error of every count, None where they
    differ. grid is None where the cells are no grid.
    """

    box: Box
    boxes: FloatArray
    values: FloatArray
    colour: Colour
    sure: BoolArray | None
    error: float | None
    borders: FloatArray
    grid: Grid | None


def answer(asked: MapQuestion, colour: Colour, *, sure: bool) -> ColoursNumbers:
    """The cells of the question's level; sure leaves those without colour that may be empty."""
    boxes, counts, variances = asked.cells()
    errors, size = np.sqrt(variances), areas(boxes)
    if colour is Colour.DENSITY and _alike(size):
        colour = Colour.COUNT
    values = {Colour.COUNT: counts, Colour.ERROR: errors}.get(colour)
    if values is None:
        values = np.divide(counts, size, out=np.full_like(size, np.nan), where=size > 0)
    return ColoursNumbers(
        box=asked.release.box,
        boxes=boxes,
        values=values,
        colour=colour,
        sure=is_sure(counts, variances) if sure and colour is not Colour.ERROR else None,
        error=float(errors[0]) if _alike(errors) else None,
        borders=_borders(asked),
        grid=Grid.of(boxes),
    )


def answering(asked: MapQuestion) -> FloatArray | None:
    """Rectangles (a, 4) of the nodes that the answer to the rectangle is put together from."""
    reading = asked.reading
    if asked.rectangle is None or isinstance(reading, Cells):
        return None
    nodes = enumerate(answering_nodes(reading, asked.rectangle))
    return np.concatenate([reading.node_boxes(level, found) for level, (found, _) in nodes])


def _alike(values: FloatArray) -> bool:
    low, high = float(values.min()), float(values.max())
    return bool(np.isfinite(high) and high - low <= ALIKE * abs(high))


def _borders(asked: MapQuestion) -> FloatArray:
    """Of the level, or of the deepest one above it with few nodes: deeper ones veil the colours."""
    if isinstance(asked.reading, Cells):
        boxes = asked.reading.boxes
        return boxes if boxes.shape[0] <= OUTLINED else boxes[:0]
    level = asked.level
    while 4**level > OUTLINED:
        level -= 1
    return asked.reading.level_boxes(level)
