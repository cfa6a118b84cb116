"""The pictures of the map: truth beside private cells, the release alone, two methods, one node.

Each has the key of a map: the ramp of its colours with round counts, and what is flat.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.spatial.names import count, give_or_take
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.labels import width
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, line, picture, trace, words
from dpviz.figures.spatial.axes import FIRST, FIRST_BELOW, SECOND, SIDES, map_layout, title
from dpviz.figures.spatial.field import Field, cell_traces
from dpviz.figures.spatial.ramp import shade, ticks
from dpviz.figures.spatial.raster import outline
from dpviz.figures.spatial.rectangle import frame_of, label_of

LONG, SHORT, HIGH, PIECES = 150, 104, 9, 30
CLEAR = 56  # px at the right for the chart's own buttons, which presenting does without
APART = 30  # px between numbers
# px that a square map has, as far as the window is known
SIDE = {"wide": 540, "low": 376, "narrow": 430, "phone": 0}


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class TruePoints:
    """The points as an image of dots over the whole box, and their number. Confidential."""

    image: str
    title: str


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A map of private cells: its name, its colours, its answer, and what else lies on it.

    answering (a, 4) are the nodes that an answer is put together from, dots an image of the true
    points (confidential). margin says whether ± is 1.96 standard errors, as a release needs it.
    """

    title: str
    field: Field
    answer: RectangleNumbers | None = None
    answering: FloatArray | None = None
    dots: str = ""
    margin: bool = False


def pair_picture(truth: TruePoints, private: Side, look: Look, aspect: float = 1.0) -> Picture:
    """True points beside private cells, zoom linked; on a phone the private map stands above."""
    found = map_layout(private.field.box, look.said(*FIRST_BELOW), look, aspect)
    data = _true_side(truth, private, look, found)
    return picture([*data, *_private_side(private, look, found, SECOND, aspect)], found)


def private_picture(side: Side, look: Look, aspect: float = 1.0) -> Picture:
    """One private map, as an outsider sees it."""
    found = map_layout(side.field.box, ("alone",), look, aspect)
    return picture(_private_side(side, look, found, FIRST, aspect), found)


def two_picture(first: Side, second: Side, look: Look, aspect: float = 1.0) -> Picture:
    """Two methods beside each other, on the scale of their own key each."""
    found = map_layout(first.field.box, look.said(*SIDES), look, aspect)
    data = _private_side(first, look, found, FIRST, aspect)
    return picture([*data, *_private_side(second, look, found, SECOND, aspect)], found)


def node_picture(
    side: Side, node: FloatArray, marks: tuple[int, IntArray, FloatArray], look: Look,
    aspect: float = 1.0,
) -> Picture:  # fmt: skip
    """One map with a node (4,) outlined, and marks that a click selects.

    marks are a level, numbers (m,) of nodes on it, and their rectangles (m, 4).
    """
    found = map_layout(side.field.box, ("alone",), look, aspect, drags=False)
    found["shapes"].append(frame_of(node, look.ink.truth, look, FIRST))
    return picture([*_private_side(side, look, found, FIRST, aspect), _marks(*marks, look)], found)


def _true_side(truth: TruePoints, private: Side, look: Look, found: dict[str, Any]) -> list[Any]:
    field, answer = private.field, private.answer
    found["images"].append(_image(truth.image, field, FIRST))
    found["annotations"].append(title(look, truth.title, look.ink.truth, FIRST))
    if answer is not None and answer.rectangle is not None and answer.off is not None:
        text = f"<b>{count(answer.off.truth)}</b> true"
        _ask(found, answer.rectangle, text, look.ink.truth, look, FIRST, field)
    return [_ground(field)]


def _private_side(
    side: Side, look: Look, found: dict[str, Any], axes: tuple[str, str], aspect: float
) -> list[dict[str, Any]]:
    field, answer = side.field, side.answer
    data = cell_traces(field, look, axes, "cells")
    if side.answering is not None:
        data.append(_answering(side.answering, look, axes))
    if side.dots:
        found["images"].append(_image(side.dots, field, axes) | {"layer": "above"})
    found["annotations"].append(title(look, side.title, look.ink.written("blue"), axes))
    if fits(side.title, field.box.x.width / (field.box.y.width * aspect), look):
        shapes, notes = key_marks(field, look, axes)
        found["shapes"] += shapes
        found["annotations"] += notes
    if answer is not None and answer.rectangle is not None:
        error = give_or_take(answer.half if side.margin else answer.error)
        text = f"<b>{count(answer.private)}</b> ± {error}"
        _ask(found, answer.rectangle, text, look.ink.private, look, axes, field)
    return data


def _ask(
    found: dict[str, Any], rectangle: FloatArray, text: str, colour: str, look: Look,
    axes: tuple[str, str], field: Field,
) -> None:  # fmt: skip
    found["shapes"].append(frame_of(rectangle, colour, look, axes))
    found["annotations"].append(label_of(rectangle, text, colour, look, axes, field.box))


def _image(source: str, field: Field, axes: tuple[str, str]) -> dict[str, Any]:
    x, y = field.box.x, field.box.y
    return {
        "source": source,
        "xref": axes[0],
        "yref": axes[1],
        "x": x.low,
        "y": y.high,
        "sizex": x.width,
        "sizey": y.width,
        "sizing": "stretch",
        "layer": "below",
    }


def _ground(field: Field) -> dict[str, Any]:
    """Nothing to see: a drag over true points needs a trace below it."""
    x, y = field.box.x, field.box.y
    clear = "rgba(0,0,0,0)"
    return {
        "type": "heatmap",
        "name": "ground",
        "z": np.zeros((1, 1), dtype=np.uint8),
        "x0": x.low + x.width / 2,
        "dx": x.width,
        "y0": y.low + y.width / 2,
        "dy": y.width,
        "colorscale": [[0, clear], [1, clear]],
        "showscale": False,
        "hoverinfo": "skip",
    }


def _answering(boxes: FloatArray, look: Look, axes: tuple[str, str]) -> dict[str, Any]:
    x, y = outline(boxes)
    drawn = line(look.ink.private, look.mark(1.5), dash="dot")
    return trace("cells that answer", x, y, mode="lines", line=drawn, xaxis=axes[0], yaxis=axes[1])


def _marks(level: int, numbers: IntArray, boxes: FloatArray, look: Look) -> dict[str, Any]:
    few = numbers.size <= 64
    return trace(
        "nodes to choose",
        boxes[:, :2].mean(axis=1),
        boxes[:, 2:].mean(axis=1),
        mode="markers",
        marker={
            "size": look.mark(10 if few else 6),
            "color": look.ink.page,
            "line": line(look.ink.truth, 1),
        },
        customdata=np.stack((np.full(numbers.size, level), numbers), axis=1),
        hoverinfo=None,
        hovertemplate="node %{customdata[0]}.%{customdata[1]}<extra></extra>",
    )


def fits(name: str, shape: float, look: Look) -> bool:
    """Whether a map that is so many times as wide as high has room for a key beside its title."""
    side = SIDE[look.screen] + (54 if look.presenting else 0)
    return side * shape >= look.text(width(name)) - _key(look)[1]


def _key(look: Look) -> tuple[float, float]:
    """Where the colours of a key begin, and the square before them: px from a map's right end."""
    size = look.text(1)
    start = -(_long(look) + (8 if look.presenting else CLEAR))
    return start, start - 72 * size - HIGH * size


def _long(look: Look) -> float:
    return look.said(LONG, SHORT, low=True, presenting=True) * look.text(1)


def key_marks(
    field: Field, look: Look, axes: tuple[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and words of a key above a map's right end; axes are its own, as "x2" and "y2"."""
    size = look.text(1)
    (start, square), long = _key(look), _long(look)
    high, low = HIGH * size, 24 * size
    top = axes[1] + " domain"
    across = axes[0] + " domain"
    shapes = [
        _block(
            (start + piece * long / PIECES, start + (piece + 1) * long / PIECES + 0.5),
            (low, low + high),
            shade(look.ink, (piece + 0.5) / PIECES),
            (across, top),
        )
        for piece in range(PIECES)
    ]
    flat = look.ink.below if field.sure is None else look.ink.unsure
    name = "below 0" if field.sure is None else "not sure"
    shapes.append(_block((square, square + high), (low - 12, low - 12 + high), flat, (across, top)))
    shapes[-1]["line"] = {"color": look.ink.grain, "width": 0.5}
    at: dict[str, Any] = {
        "axes": (across, top),
        "colour": look.ink.second,
        "size": TICK,
        "stand": "middle",
    }
    notes = [words(look, name, 1, 1, align="right", shift=(start - 14 * size, low - 7), **at)]
    notes += [
        words(look, text, 1, 1, align="center", shift=(start + place, low - 11), **at)
        for text, place in ticks(field.top, long, APART * size)
    ]
    return shapes, notes


def _block(
    across: tuple[float, float], up: tuple[float, float], colour: str, axes: tuple[str, str]
) -> dict[str, Any]:
    """A rectangle in px from the upper right corner of a map."""
    return {
        "type": "rect",
        "xref": axes[0],
        "yref": axes[1],
        "xsizemode": "pixel",
        "ysizemode": "pixel",
        "xanchor": 1,
        "yanchor": 1,
        "x0": across[0],
        "x1": across[1],
        "y0": up[0],
        "y1": up[1],
        "fillcolor": colour,
        "line": {"width": 0},
    }
