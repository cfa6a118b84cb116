"""What a map buys: where people are beside the cells as they could be published, a block framed.

The frame on a map is dashed until the map is published.
"""

from typing import Any

from dpviz.answers.decide.exact.cells import CellsBuys
from dpviz.answers.decide.exact.frame import Names, amount
from dpviz.answers.said import html_safe
from dpviz.core.bounds import Box
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.picture import Picture, picture, words
from dpviz.figures.spatial.axes import FIRST, FIRST_BELOW, SECOND, map_layout, title
from dpviz.figures.spatial.field import Field, cell_traces
from dpviz.figures.spatial.rectangle import frame_of, label_of


def cells_picture(
    found: CellsBuys, names: Names, look: Look, *, dots: str = "", aspect: float = 1.0
) -> Picture:
    """The cells, beside the truth where it is shown; dots is an image of the true points.

    aspect is what a unit of y is in units of x on the ground. On a phone the cells stand above.
    """
    if found.truth is None or not dots:
        arranged = map_layout(found.box, ("alone",), look, aspect, drags=True)
        return picture(_cells(found, names, look, arranged, FIRST), arranged)
    arranged = map_layout(found.box, look.said(*FIRST_BELOW), look, aspect, drags=True)
    arranged["images"].append(_image(dots, found.box))
    said = title(look, html_safe(f"True: where {names.many} are"), look.ink.truth, FIRST)
    arranged["annotations"].append(said)
    _ask(found, f"<b>{amount(found.truth)}</b> true", look.ink.truth, look, arranged, FIRST)
    return picture([_ground(found.box), *_cells(found, names, look, arranged, SECOND)], arranged)


def _cells(
    found: CellsBuys, names: Names, look: Look, arranged: dict[str, Any], axes: tuple[str, str]
) -> list[dict[str, Any]]:
    many = f"{{}} {html_safe(names.many)}"
    field = Field(found.box, found.boxes, found.counts, many, sure=found.is_certain)
    notes = arranged["annotations"]
    notes.append(title(look, _title(found), look.ink.written("blue"), axes))
    corner = (axes[0] + " domain", axes[1] + " domain")
    note = words(look, "pale: nothing sure", 1, 1, colour=look.ink.second, size=TICK, axes=corner,
                 align="right", stand="bottom", shift=(0, 5))  # fmt: skip
    notes += look.full(note, presenting=True)
    said = f"<b>{amount(found.count)}</b> ± {amount(found.give)}"
    if found.is_made_up:
        said = f"± {amount(found.half)}"
    dash = "solid" if found.is_published else "dash"
    _ask(found, said, look.ink.private, look, arranged, axes, dash=dash)
    return cell_traces(field, look, axes, "cells")


def _title(found: CellsBuys) -> str:
    cells = f"{found.side} × {found.side} counts"
    if found.is_made_up:
        return f"Made up: {cells}"
    return f"Published: {cells}" if found.is_published else f"As it could be: {cells}"


def _ask(
    found: CellsBuys,
    said: str,
    colour: str,
    look: Look,
    arranged: dict[str, Any],
    axes: tuple[str, str],
    *,
    dash: str = "solid",
) -> None:
    """The frame with its count."""
    drawn = frame_of(found.frame, colour, look, axes)
    arranged["shapes"].append(drawn | {"line": drawn["line"] | {"dash": dash}})
    arranged["annotations"].append(label_of(found.frame, said, colour, look, axes, found.box))


def _image(source: str, box: Box) -> dict[str, Any]:
    return {
        "source": source,
        "xref": FIRST[0],
        "yref": FIRST[1],
        "x": box.x.low,
        "y": box.y.high,
        "sizex": box.x.width,
        "sizey": box.y.width,
        "sizing": "stretch",
        "layer": "below",
    }


def _ground(box: Box) -> dict[str, Any]:
    """A trace without marks: a panel of an image alone is not drawn."""
    return {
        "type": "scatter",
        "name": "ground",
        "x": [box.x.low, box.x.high],
        "y": [box.y.low, box.y.high],
        "mode": "markers",
        "marker": {"opacity": 0},
        "hoverinfo": "skip",
    }
