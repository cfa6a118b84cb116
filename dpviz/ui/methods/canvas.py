"""What the pictures of methods are drawn with: one box, hills of many draws, dots, maps."""

from collections.abc import Sequence

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Shape, Still

WIDE, HIGH = 400.0, 150.0
LEFT, RIGHT, TOP, FLOOR = 10.0, 390.0, 10.0, 140.0
PLACES = 64  # of a hill


def drawn(parts: Sequence[Shape]) -> Still:
    """A picture of the page's size."""
    return shapes.still(WIDE, HIGH, parts)


def across(values: FloatArray | float, ends: tuple[float, float] = (0, 100)) -> FloatArray:
    """Values of an axis as places in the box."""
    return shapes.scaled(values, ends, (LEFT, RIGHT))


def hill(values: FloatArray, base: float, high: float, ends: tuple[float, float]) -> list[Shape]:
    """The law of many draws as a pale hill on a base line; its area is the same for all hills.

    high is the height of a hill that has 15 % of its draws in one of PLACES places.
    """
    step = (ends[1] - ends[0]) / PLACES
    counts, edges = np.histogram(values, np.linspace(ends[0], ends[1], PLACES + 1))
    kernel = np.exp(-0.5 * (np.arange(-4, 5) / 1.2) ** 2)
    smooth = np.convolve(counts / values.size, kernel / kernel.sum(), mode="same")
    kept = np.flatnonzero(smooth > 5e-4)
    if not kept.size:
        return []
    part = slice(kept[0], kept[-1] + 1)
    middle = across(edges[:-1][part] + step / 2, ends)
    return [shapes.area(middle, base - high * smooth[part] / 0.15, base, "blue", 0.25)]


def base_line(at: float) -> Shape:
    """An axis without ticks."""
    return shapes.stroke([LEFT, RIGHT], [at, at], "grain", 1)


def true_tick(at: float, base: float, half: float = 9) -> Shape:
    """A true value on a base line."""
    return shapes.stroke([at, at], [base - half, base + half], "truth", 3)


def dot(at: float, base: float, size: float = 10) -> Shape:
    """A published value on a base line."""
    return shapes.dots([(float(at), base)], "blue", size)


def bars(values: FloatArray, floor: float, high: float, ink: str, opacity: float = 1.0) -> Shape:
    """Bars side by side over the whole width; high is the height of the largest."""
    width = (RIGHT - LEFT) / values.size
    largest = max(float(np.max(values)), 1e-9)
    boxes = [
        (LEFT + width * at + 0.75, floor - h, width - 1.5, h)
        for at, h in enumerate(high * np.maximum(values, 0) / largest)
    ]
    return shapes.bars(boxes, ink, opacity)


def map_cells(boxes: FloatArray, counts: FloatArray, box: Box, side: float = HIGH) -> list[Shape]:
    """Cells of a map with their counts by area, in five shades, and their borders; centred.

    Shapes: boxes (k, 4) with columns x_low, x_high, y_low, y_high; counts (k,).
    """
    left = (WIDE - side * box.x.width / box.y.width) / 2
    x = left + shapes.scaled(boxes[:, :2], (box.x.low, box.x.high), (0, WIDE - 2 * left))
    y = shapes.scaled(boxes[:, 2:], (box.y.low, box.y.high), (side - 2, 2))
    area = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(area > 0, np.maximum(counts, 0) / area, 0)
    top = np.quantile(density, 0.97) or 1.0
    shade = np.ceil(5 * np.sqrt(np.clip(density / top, 0, 1))).astype(int)
    sides = np.stack((x[:, 0], y[:, 1], x[:, 1] - x[:, 0], y[:, 0] - y[:, 1]), axis=1)
    found = [
        shapes.bars(sides[shade == level], "blue", 0.16 * level)
        for level in range(1, 6)
        if (shade == level).any()
    ]
    edges = "".join(f"M{a:.1f} {b:.1f}h{w:.1f}v{h:.1f}h-{w:.1f}Z" for a, b, w, h in sides.tolist())
    return [*found, {"d": edges, "ink": "grain", "width": 0.6, "opacity": 0.7}]


def thinned(values: FloatArray, most: int) -> FloatArray:
    """At most so many of the values, evenly spaced."""
    kept = np.linspace(0, values.size - 1, min(most, values.size)).astype(int)
    few: FloatArray = values[kept]
    return few
