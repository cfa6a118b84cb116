"""One method's cells on the map: released once, read, coloured, drawn."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Points
from dpviz.core.spatial.boxes import areas
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import answering_nodes
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.figures.spatial.map import OUTLINED, MapView
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import Draw, purpose_of
from dpviz.ui.spatial.methods import MapChoice, method_of

Readable = SpatialRelease | SpatialEstimate | Cells
COLOURS = {
    "density": "density, records per square unit",
    "count": "count, records in a cell",
    "standard error": "standard error of a cell, records",
}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One method on the page: what was released, and how it is read; key names both in full."""

    name: str
    mechanism: SpatialMechanism
    release: SpatialRelease | Cells
    reading: Readable
    key: Hashable

    @property
    def height(self) -> int:
        """Levels below the root; 0 for cells that are no tree."""
        return self.release.shape.height if isinstance(self.release, SpatialRelease) else 0

    @property
    def noisy_counts(self) -> int:
        """How many numbers were released."""
        if isinstance(self.release, Cells):
            return int(self.release.counts.size)
        return sum(int(np.isfinite(level).sum()) for level in self.release.counts)


def drawn_method(name: str, choice: MapChoice, points: Points, draw: Draw) -> Drawn:
    """The release of a method, and its reading; each is worked out once."""
    mechanism = choice.mechanism(name, points.box)
    mechanism.check(choice.budget)
    purpose = purpose_of(mechanism, points, choice.budget)
    key = ("map", *purpose, draw)
    release = memory.remembered(
        key, lambda: mechanism.release(points, choice.budget, draw.rng(purpose))
    )
    reading: Readable = release
    if isinstance(release, SpatialRelease) and (
        method_of(name).estimated or choice.prune is not None
    ):
        estimated = memory.remembered(("estimate", *key), lambda: estimate(release))
        threshold = choice.prune
        reading = estimated
        if threshold is not None:
            reading = memory.remembered(
                ("pruned", threshold, *key), lambda: prune(estimated, threshold)
            )
    return Drawn(name, mechanism, release, reading, (method_of(name).estimated, choice.prune, *key))


def cells_at(one: Drawn, depth: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Boxes (k, 4), counts (k,) and variances (k,) of a level, or of all cells of a grid."""
    if isinstance(one.reading, Cells):
        return one.reading.boxes, one.reading.counts, one.reading.variances
    level = min(depth, one.height)
    counts = one.reading.levels.counts[level]
    variances = np.broadcast_to(one.reading.levels.variances[level], counts.shape)
    return one.reading.level_boxes(level), counts, variances


def map_view(one: Drawn, depth: int, colour: str, names: tuple[str, str]) -> MapView:
    """What may be drawn of a level without the data: its cells in a colour, and their borders."""
    boxes, counts, variances = cells_at(one, depth)
    values = counts
    if colour == "density":
        size = areas(boxes)
        values = np.divide(counts, size, out=np.full_like(size, np.nan), where=size > 0)
    elif colour == "standard error":
        values = np.sqrt(variances)
    borders = outlines(one, depth)
    return MapView(one.release.box, boxes, values, COLOURS[colour], borders, names=names)


def outlines(one: Drawn, depth: int) -> FloatArray:
    """Borders that can be seen: of the level, or of the deepest one above it with few nodes."""
    if isinstance(one.reading, Cells):
        few = one.reading.counts.size <= OUTLINED
        return one.reading.boxes if few else one.reading.boxes[:0]
    level = min(depth, one.height)
    while 4**level > OUTLINED:  # deeper borders would only veil the colours
        level -= 1
    return one.reading.level_boxes(level)


def answering(one: Drawn, rectangle: FloatArray | None) -> FloatArray | None:
    """Rectangles of the nodes that an answer is put together from."""
    if rectangle is None or isinstance(one.reading, Cells):
        return None
    reading = one.reading
    parts = [
        reading.level_boxes(level)[numbers]
        for level, (numbers, _) in enumerate(answering_nodes(reading, rectangle))
        if numbers.size
    ]
    return np.concatenate(parts) if parts else None


def index_of(points: Points) -> PointIndex:
    """The points sorted for counting, once."""
    return memory.remembered(("index", points.fingerprint), lambda: PointIndex.of(points))
