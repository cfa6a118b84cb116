"""The public picture of a release as SVG text: for reports, that are read without a program."""

import html
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.number_text import in_digits
from dpviz.answers.quantiles.answers import ticks_of
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.least_squares import efficient
from dpviz.figures.kit.look import FONT
from dpviz.figures.kit.palette import LIGHT, Ink
from dpviz.figures.spatial.ramp import shade, top_of
from dpviz.reports.words import Release, interval, what

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 30, 40  # margins
NAMED = 12  # quantiles whose values are written beside their dots
BARS = 64  # parts of a tree that are drawn, of many levels
LEVEL = 5  # of a map that is drawn at most: 1,024 rectangles
TELLING = 2.0  # standard errors that a part of a tree holds on average, to be drawn
SURE = 2.0  # standard errors from which on a rectangle is coloured
BAND = 2.0  # standard errors on either side of running counts
EDGES = 512  # at which running counts are drawn, about
LOW = 150  # px, of the paper of one number


@dataclass(frozen=True, slots=True)
class Frame:
    """An area of numbers: where they lie on the paper, in px, and the colours of what is around."""

    x: tuple[float, float]
    y: tuple[float, float]
    ink: Ink
    width: float = WIDTH
    height: float = HEIGHT

    def across(self, value: float) -> float:
        """From a number to px from the left."""
        low, high = self.x
        return LEFT + (value - low) / (high - low) * (self.width - LEFT - RIGHT)

    def down(self, value: float) -> float:
        """From a number to px from the top."""
        low, high = self.y
        return self.height - BOTTOM - (value - low) / (high - low) * (self.height - TOP - BOTTOM)

    def axes(self, title: str, *, percent: bool = False) -> Iterator[str]:
        """Lines across at the upright axis, ticks, and the title above it."""
        for at in ticks_of(*self.y, most=5).tolist():
            yield _line(LEFT, self.down(at), self.width - RIGHT, self.down(at), self.ink.hairline)
        yield from self.ticks(" %" if percent else "")
        yield _text(2, 16, title)

    def ticks(self, unit: str = "") -> Iterator[str]:
        """Round numbers at both axes; unit stands behind those of the upright one."""
        yield from self.ticks_below()
        for at in ticks_of(*self.y, most=5).tolist():
            yield _text(LEFT - 8, self.down(at) + 5, in_digits(at) + unit, "end")

    def ticks_below(self) -> Iterator[str]:
        """Round numbers at the lower axis."""
        for at in ticks_of(*self.x, most=6 if self.width >= WIDTH else 3).tolist():
            yield _text(self.across(at), self.height - BOTTOM + 22, in_digits(at), "middle")


def picture(release: Release, ink: Ink = LIGHT, width: int = WIDTH) -> str:
    """A release as SVG text, from the release alone; it loads nothing and holds no script.

    width is that of the paper, in px of 14 px words; a phone has half of the usual one.
    """
    return _DRAWN.get(type(release), _map)(release, ink, width)


def _quantiles(release: QuantileRelease, ink: Ink, width: int) -> str:
    """Dots at the published values, joined by steps."""
    order = np.argsort(release.quantiles, kind="stable")
    shares, values = 100 * release.quantiles[order], release.values[order]
    frame = Frame(_view(release.bounds, values), (0, 100), ink, width)
    place = [
        (frame.across(value), frame.down(share))
        for value, share in zip(values.tolist(), shares.tolist(), strict=True)
    ]
    way = f"M{frame.across(frame.x[0]):.1f} {frame.down(0):.1f}"
    way += "".join(f"H{x:.1f}V{y:.1f}" for x, y in place) + f"H{frame.across(frame.x[1]):.1f}"
    parts = [
        *frame.axes("At most this value, of 100 people", percent=True),
        f'<path d="{way}" fill="none" stroke="{ink.private}" stroke-width="2" '
        'stroke-dasharray="1 4" stroke-linecap="round"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{ink.private}"/>' for x, y in place),
    ]
    if len(place) <= NAMED:
        for (x, y), value in zip(place, values.tolist(), strict=True):
            inside = x < frame.width / 6
            parts.append(
                _text(x + (10 if inside else -10), y - 6, in_digits(value),
                      "start" if inside else "end", ink.private)
            )  # fmt: skip
    return _sheet(frame, parts, what(release, "the column"))


def _view(bounds: Bounds, values: FloatArray) -> tuple[float, float]:
    """The bounds, or what the published values take up of them where that is little."""
    low, high = float(values.min()), float(values.max())
    if high - low > 0.3 * bounds.width or high == low:
        return bounds.low, bounds.high
    room = 0.5 * (high - low)
    return max(bounds.low, low - room), min(bounds.high, high + room)


def _tree(release: TreeRelease, ink: Ink, width: int) -> str:
    """Counts of equal parts, the levels combined, each with its standard error."""
    levels = efficient(release).levels
    known = [one for one, counts in enumerate(levels.counts) if np.isfinite(counts).all()]
    people = float(levels.counts[0][0])
    # the deepest level whose parts tell something; many children of the root are still parts
    level = max(
        one
        for one in known
        if one == min(1, known[-1])
        or (
            levels.counts[one].size <= BARS
            and people / levels.counts[one].size > TELLING * _largest_error(levels, one)
        )
    )
    counts, errors = levels.counts[level], np.sqrt(levels.node_variances(level))
    title = f"People in each of {counts.size:,} parts, ± one standard error"
    parts, frame = _bars(release.bounds, release.edges(level), counts, errors, title, ink, width)
    return _sheet(frame, parts, what(release, "the column"))


def _bins(release: HistogramRelease, ink: Ink, width: int) -> str:
    """Counts as published, each with its standard error."""
    errors = np.full(release.counts.size, release.standard_error)
    title = f"People in each of {release.counts.size:,} bins, ± one standard error"
    bounds, edges = release.bounds, release.edges
    parts, frame = _bars(bounds, edges, release.counts, errors, title, ink, width)
    return _sheet(frame, parts, what(release, "the column"))


def _places(release: PlaceRelease, ink: Ink, width: int) -> str:
    """Counts as published of the deepest level with room for a bar a place, by their number."""
    known = [at for at, scale in enumerate(release.scales) if math.isfinite(scale)]
    level = max(at for at in known if at == known[0] or release.counts[at].size <= BARS)
    counts = release.counts[level]
    errors = np.full(counts.size, release.standard_errors[level])
    title = f"People by {release.levels[level]}, in the list's order, ± one standard error"
    edges = np.arange(counts.size + 1.0)
    parts, frame = _bars(Bounds(0, counts.size), edges, counts, errors, title, ink, width)
    return _sheet(frame, parts, what(release, "the rows"))


def _bars(
    bounds: Bounds,
    edges: FloatArray,
    counts: FloatArray,
    errors: FloatArray,
    title: str,
    ink: Ink,
    width: int,
) -> tuple[list[str], Frame]:
    """A bar from 0 to each count (k,) between edges (k + 1,), with a line of two errors (k,)."""
    reach = np.concatenate([counts - errors, counts + errors, [0.0]])
    frame = Frame((bounds.low, bounds.high), _room(reach), ink, width)
    parts = list(frame.axes(title))
    zero = frame.down(0)
    for low, high, count, error in zip(edges[:-1], edges[1:], counts, errors, strict=True):
        left, right, top = frame.across(low), frame.across(high), frame.down(count)
        middle, wide = (left + right) / 2, max(right - left - 1, 0.5)
        parts += [
            _rect(left, min(top, zero), wide, abs(zero - top), ink.private, 0.55),
            _line(middle, frame.down(count - error), middle, frame.down(count + error), ink.truth),
        ]
    return parts, frame


def _largest_error(levels: Levels, level: int) -> float:
    return math.sqrt(float(levels.node_variances(level).max()))


def _room(reach: FloatArray) -> tuple[float, float]:
    known = reach[np.isfinite(reach)]
    low, high = float(known.min()), float(known.max())
    return low, high if high > low else low + 1


def _running(release: PrefixRelease, ink: Ink, width: int) -> str:
    """Running counts as published at the edges, in a band of their standard errors."""
    kept = edge_positions(release.noise.shape, -(-release.bins // EDGES))
    counts = np.concatenate(([0.0], release.counts))[kept]
    reach = BAND * np.concatenate(([0.0], release.standard_errors))[kept]
    room = _room(np.concatenate([counts - reach, counts + reach]))
    frame = Frame((release.bounds.low, release.bounds.high), room, ink, width)
    edges = release.edges[kept]
    around = (
        np.concatenate([edges, edges[::-1]]),
        np.concatenate([counts + reach, (counts - reach)[::-1]]),
    )
    parts = [
        *frame.axes("People below each value, ± two standard errors"),
        f'<path d="{_way(frame, *around)}Z" fill="{ink.private}" fill-opacity="0.25"/>',
        f'<path d="{_way(frame, edges, counts)}" fill="none" stroke="{ink.private}" '
        'stroke-width="2"/>',
    ]
    return _sheet(frame, parts, what(release, "the column"))


def _way(frame: Frame, x: FloatArray, y: FloatArray) -> str:
    """From point to point."""
    places = zip(x.tolist(), y.tolist(), strict=True)
    return "M" + "L".join(
        f"{frame.across(one):.1f} {frame.down(other):.1f}" for one, other in places
    )


def _number(release: NumberRelease, ink: Ink, width: int) -> str:
    """A bar from 0 to the number, and the interval around it."""
    ends = interval(release)
    frame = Frame(_room(np.array([0.0, *ends])), (0, 1), ink, width, LOW)
    zero, at = frame.across(0), frame.across(release.value)
    left, right = (frame.across(end) for end in ends)
    top, middle, floor = frame.down(0.6), frame.down(0.3), frame.down(0)
    inward = "end" if at > frame.width / 2 else "start"
    parts = [
        _text(2, 16, "In 19 of 20 releases the noise is within the line"),
        _line(LEFT, floor, frame.width - RIGHT, floor, ink.hairline),
        _rect(min(zero, at), top, abs(at - zero), floor - top, ink.private, 0.25),
        *(_line(x, middle - 6, x, middle + 6, ink.private) for x in (left, right)),
        _line(left, middle, right, middle, ink.private),
        f'<circle cx="{at:.1f}" cy="{middle:.1f}" r="5" fill="{ink.private}"/>',
        _text(at, top - 8, in_digits(release.value), inward, ink.private),
        *frame.ticks_below(),
    ]
    return _sheet(frame, parts, what(release, "the column"))


def _map(release: SpatialRelease | Cells, ink: Ink, width: int) -> str:
    """Rectangles by density; those within two standard errors of nothing stay paper."""
    boxes, counts, errors = _cells(release)
    box = release.box
    shape = box.y.width / box.x.width
    wide = width - LEFT - RIGHT
    high = min(max(wide * shape, 160), 720) + TOP + BOTTOM
    frame = Frame((box.x.low, box.x.high), (box.y.low, box.y.high), ink, width, high)
    areas = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(areas > 0, np.maximum(counts, 0) / areas, 0.0)
    top = top_of(density)
    sure = counts > SURE * errors
    parts = []
    for row, share in zip(boxes[sure], np.sqrt(np.minimum(density[sure] / top, 1)), strict=True):
        left, right = frame.across(row[0]), frame.across(row[1])
        above, below = frame.down(row[3]), frame.down(row[2])
        parts.append(_rect(left, above, right - left, below - above, shade(ink, float(share))))
    ground = _rect(LEFT, TOP, wide, high - TOP - BOTTOM, ink.unsure)
    said = f"Where they are: {int(sure.sum()):,} of {counts.size:,} rectangles are sure"
    labels = [_text(2, 16, said), *frame.ticks()]
    return _sheet(frame, [ground, *parts, *labels], what(release, "the points"))


def _cells(release: SpatialRelease | Cells) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rectangles (k, 4), their counts and standard errors."""
    if isinstance(release, Cells):
        return release.boxes, release.counts, release.standard_errors
    best = estimate(release)
    level = min(LEVEL, best.levels.height)
    errors = np.sqrt(best.levels.node_variances(level))
    return best.level_boxes(level), best.levels.counts[level], errors


def _sheet(frame: Frame, parts: Sequence[str], said: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width:g} {frame.height:g}" '
        f'fill="{frame.ink.second}" role="img" aria-label="{html.escape(said)}" '
        f'font-family="{html.escape(FONT)}" font-size="14">{"".join(parts)}</svg>'
    )


def _rect(x: float, y: float, wide: float, high: float, colour: str, opacity: float = 1) -> str:
    shown = "" if opacity == 1 else f' fill-opacity="{opacity:g}"'
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'fill="{colour}"{shown}/>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = "") -> str:
    """Words; those in a colour of their own are bold."""
    drawn = f' fill="{colour}" font-weight="600"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{drawn}>{html.escape(text)}</text>'


_DRAWN: Mapping[type, Callable[[Any, Ink, int], str]] = {
    QuantileRelease: _quantiles,
    TreeRelease: _tree,
    PrefixRelease: _running,
    HistogramRelease: _bins,
    PlaceRelease: _places,
    NumberRelease: _number,
}
