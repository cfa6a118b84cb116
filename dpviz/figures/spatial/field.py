"""The cells of one decomposition as they are coloured: a matrix where they form a grid."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dpviz.answers.spatial.colours import Grid
from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.bounds import Box
from dpviz.core.confidential import confidential
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import line, trace
from dpviz.figures.spatial.ramp import colour_scale, top_of
from dpviz.figures.spatial.raster import outline, rasterised

ACROSS = 320  # columns of the raster where cells form no grid: its steps hide under the borders
APART = 64  # cells across that still have a gap between them


@confidential("box")
@dataclass(frozen=True, eq=False)
class Field:
    """Cells (k, 4), columns x_low, x_high, y_low, y_high, coloured by values (k,).

    sure (k,) marks the cells that are coloured at all; without it all are, and those below 0 are
    flat. borders (o, 4) are drawn as lines where cells form no grid. what says in words what a
    value counts, with {} for the number, written as form says (d3's), and note what else holds.
    grid is looked for where it is not given.
    """

    box: Box
    boxes: FloatArray
    values: FloatArray
    what: str = "{} people"
    form: str = ",.0f"
    note: str = ""
    sure: BoolArray | None = None
    borders: FloatArray | None = None
    grid: Grid | None = None

    @cached_property
    def _grid(self) -> Grid | None:
        return self.grid or Grid.of(self.boxes)

    @property
    def is_grid(self) -> bool:
        """Whether the cells are the equal ones of a grid."""
        return self._grid is not None

    @cached_property
    def painted(self) -> FloatArray:
        """Values of equal parts of the map, a row for each y, low y first."""
        return self.spread(self.values)

    @cached_property
    def top(self) -> float:
        """The value of the strongest colour."""
        return top_of(self.painted)

    def spread(self, values: FloatArray) -> FloatArray:
        """Other values (k,) of the cells as a matrix like the painted one."""
        if self._grid is not None:
            return self._grid.filled(values)
        return rasterised(self.box, self.boxes, values, ACROSS)


def cell_traces(field: Field, look: Look, axes: tuple[str, str], name: str) -> list[dict[str, Any]]:
    """The colours of a field, and its borders where it is no grid."""
    values = shown = field.painted
    if field.sure is not None:
        shown = np.where(field.spread(field.sure.astype(np.float64)) > 0.5, values, -1.0)
    heat = _heatmap(field, shown, look, axes) | {"name": name}
    if shown is not values:  # pointing at a flat cell still gives its number
        heat |= {"customdata": values.astype(np.float32)}
        heat["hovertemplate"] = heat["hovertemplate"].replace("%{z:", "%{customdata:")
    bordered = not field.is_grid and field.borders is not None
    return [heat, _border(field, look, axes)] if bordered else [heat]


def _heatmap(field: Field, values: FloatArray, look: Look, axes: tuple[str, str]) -> dict[str, Any]:
    rows, columns = values.shape
    with np.errstate(over="ignore", under="ignore"):  # beyond, a colour is that of the end
        coloured = values.astype(np.float32)
    gap = 1 if columns <= APART else 0
    x, y = field.box.x, field.box.y
    low = look.ink.below if field.sure is None else look.ink.unsure
    number = field.what.format(f"%{{z:{field.form}}}")
    place = "at %{x:.4~g}, %{y:.4~g}"
    return {
        "type": "heatmap",
        "z": coloured,
        "x0": x.low + x.width / columns / 2,
        "dx": x.width / columns,
        "y0": y.low + y.width / rows / 2,
        "dy": y.width / rows,
        "xaxis": axes[0],
        "yaxis": axes[1],
        "xgap": gap,
        "ygap": gap,
        "colorscale": colour_scale(look.ink, low),
        "zmin": -field.top,
        "zmax": field.top,
        "showscale": False,
        "hovertemplate": f"<b>{number}</b>{field.note}<br>{place}<extra></extra>",
    }


def _border(field: Field, look: Look, axes: tuple[str, str]) -> dict[str, Any]:
    assert field.borders is not None
    x, y = outline(field.borders)
    thin = line(look.ink.faint, 1)
    return trace("borders", x, y, mode="lines", line=thin, xaxis=axes[0], yaxis=axes[1])
