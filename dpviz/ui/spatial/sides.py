"""From a release to one side of a picture: its colours, its title, its answer."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.spatial.boxes import areas
from dpviz.figures.kit.layout import plain
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial import dots
from dpviz.figures.spatial.answer import Answer, give_or_take
from dpviz.figures.spatial.field import Field
from dpviz.figures.spatial.pictures import Side, TruePoints
from dpviz.figures.spatial.sentences import upper
from dpviz.ui.kit import memory
from dpviz.ui.kit.number_text import counted
from dpviz.ui.spatial import words
from dpviz.ui.spatial.answers import is_sure
from dpviz.ui.spatial.cells import Drawn, answering, cells_at, outlines
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import Reading

ALIKE = 1e-6  # how much areas or errors of cells may differ and still be said to be one


def field_of(one: Drawn, depth: int, reading: Reading) -> Field:
    """The cells of a level, coloured as they are read."""
    boxes, counts, variances = cells_at(one, depth)
    errors, size, many = np.sqrt(variances), areas(boxes), plain(words.people().many)
    sure = is_sure(counts, variances) if reading.sure else None
    borders = outlines(one, depth)
    note = f" ± {give_or_take(float(errors[0]))}" if _alike(errors) else ""
    box = one.release.box
    if reading.colour == "standard error":
        return Field(box, boxes, errors, f"± {{}} {many}", ",.3~r", borders=borders)
    if reading.colour == "count" or _alike(size):
        return Field(box, boxes, counts, f"{{}} {many}", ",.0f", note, sure, borders)
    density = np.divide(counts, size, out=np.full_like(size, np.nan), where=size > 0)
    what = f"{{}} {many} {plain(words.square())}"
    return Field(box, boxes, density, what, ",.3~r", "", sure, borders)


def _alike(values: FloatArray) -> bool:
    low, high = float(values.min()), float(values.max())
    return bool(np.isfinite(high) and high - low <= ALIKE * abs(high))


def cells_text(field: Field) -> str:
    """How many cells there are: "64 × 64 cells", "256 cells"."""
    if field.is_grid and field.values.size > 1:
        rows, columns = field.painted.shape
        return f"{columns} × {rows} cells"
    return counted(field.values.size, "cell")


def side_of(
    page: MapPage, one: Drawn, answer: Answer, depth: int, reading: Reading, look: Look
) -> Side:
    """The private side of a picture; its title says what is not protected, if anything is."""
    field = field_of(one, depth, reading)
    title = _title(page, one, cells_text(field), look)
    behind = answering(one, answer.rectangle) if reading.answering else None
    over = dots_of(page, look.ink.truth) if reading.points else ""
    return Side(title, field, answer, behind, over, margin=page.truth is None)


def _title(page: MapPage, one: Drawn, cells: str, look: Look) -> str:
    """What stands above a map; beside another method it has its name."""
    if one.release.non_private:
        return f"Not private, {plain(one.name.removesuffix(' (not private)'))}: {cells}"
    if len(page.shown) > 1:
        return f"{upper(plain(one.name))}: {cells}"
    fits = look.phone or (look.screen == "wide" and not look.presenting)  # beside the key
    if page.truth is not None:
        return f"Private: {cells.replace(' cell', ' noisy cell') if fits else cells}"
    return f"{cells}; only what is sure is coloured" if fits else cells


def dots_of(page: MapPage, colour: str) -> str:
    """The true points as an image; drawn once for each theme. Confidential."""
    points = page.points
    key = ("dots", points.fingerprint, colour)
    return memory.public(points, key, lambda: dots.image(_dots(points), colour))


def _dots(points: Plane) -> IntArray:
    if isinstance(points, GridCounts):
        return dots.of_grid(points.counts, points.box)
    return dots.counted((points.x, points.y), points.box)


def truth_of(page: MapPage, colour: str) -> TruePoints:
    """The true side of a picture. Confidential."""
    number = words.people().after(f"{page.points.n:,}")
    return TruePoints(dots_of(page, colour), f"True: {plain(number)}")
