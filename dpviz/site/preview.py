"""A picture for links: what a messenger shows of a page, as PNG, since few take SVG."""

import io
import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.typefaces import font
from dpviz.figures.stage.colours import theme_of
from dpviz.figures.stage.engine import shapes
from dpviz.figures.stage.stage import Stage

WIDE, HIGH = 1200, 630  # px, as links are shown
EDGE, TOP, LEADING = 40, 64, 1.15  # px beside the words; their first baseline; line by line
FINE = 2  # times as many px are drawn, and made smaller
COLOURS = 32
LARGER = 1.3  # words of the picture
SIZES, MOST = (44, 38, 33), 3  # px of the words, the largest that takes so many lines
STRIPES = 7, 2.4  # px from one to the next, and how wide, of the hatching
Draw = ImageDraw.ImageDraw


def png(said: str, stage: Stage) -> bytes:
    """Words above a picture; the same bytes every time."""
    theme = theme_of(Look())
    size, lines = _set(said)
    step = round(size * LEADING)
    paper = Image.new("RGB", (FINE * WIDE, FINE * HIGH), theme["page"])
    draw = ImageDraw.Draw(paper, "RGBA")
    for row, line in enumerate(lines):
        at = FINE * EDGE, FINE * (TOP + row * step)
        draw.text(at, line, fill=theme["ink"], font=_face("serif", size, 600), anchor="ls")
    down = TOP + len(lines) * step - step // 2
    room = WIDE - 2 * EDGE, HIGH - down - 34
    part = Image.new("RGB", (FINE * room[0], FINE * room[1]), theme["page"])
    for shape in shapes(stage, *room, theme):
        part = WRITERS[shape["tag"]](part, shape)
    paper.paste(part, (FINE * EDGE, FINE * down))
    name = _face("serif", 22, 700)
    draw.text((FINE * (WIDE - EDGE), FINE * (HIGH - 16)), "dpviz", theme["second"], name, "rs")
    small = paper.resize((WIDE, HIGH), Image.Resampling.BOX)
    few = small.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "PNG", optimize=True)
    return written.getvalue()


def _set(said: str) -> tuple[int, list[str]]:
    """Words in the largest size that takes few lines."""
    for size in SIZES:
        lines = [""]
        for word in said.split():
            longer = f"{lines[-1]} {word}".strip()
            fits = _face("serif", size, 600).getlength(longer) <= FINE * (WIDE - 2 * EDGE)
            lines = [*lines[:-1], longer] if fits else [*lines, word]
        if len(lines) <= MOST:
            break
    return size, lines


@cache
def _face(name: str, size: float, weight: int) -> ImageFont.FreeTypeFont:
    found = ImageFont.truetype(io.BytesIO(font(f"{name}.woff2")), FINE * size)
    wanted = {b"Weight": weight}
    axes: list[Any] = list(found.get_variation_axes())
    found.set_variation_by_axes([wanted.get(one["name"], one["default"]) for one in axes])
    return found


def _ink(colour: str, shape: dict[str, Any], share: float = 1) -> tuple[int, ...]:
    """A #RRGGBB colour with the opacity of its shape."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    opacity = shape.get("opacity")
    return *parts, round(255 * share * (1 if opacity is None else opacity))


def _is_ink(colour: Any) -> bool:
    return str(colour or "").startswith("#")


def _grains(part: Image.Image, shape: dict[str, Any]) -> Image.Image:
    """All grains at once: what one of them covers, moved to each."""
    x, y = FINE * np.reshape(np.array(shape["points"], dtype=np.float64), (-1, 2)).T
    r = FINE * shape["r"]
    covered = np.zeros((part.height, part.width), dtype=np.uint8)
    span = range(-math.ceil(r), math.ceil(r) + 1)
    for across, down in ((across, down) for across in span for down in span):
        column, row = np.floor(x + across).astype(int), np.floor(y + down).astype(int)
        near = np.hypot(column + 0.5 - x, row + 0.5 - y) <= r
        near &= (column >= 0) & (row >= 0) & (column < part.width) & (row < part.height)
        covered[row[near], column[near]] = 1
    colour = _ink(shape["fill"], shape)
    part.paste(colour[:3], mask=Image.fromarray(covered * np.uint8(colour[3])))
    return part


def _line(part: Image.Image, shape: dict[str, Any]) -> Image.Image:
    draw, flat = ImageDraw.Draw(part, "RGBA"), [FINE * one for one in shape["points"]]
    points = list(zip(flat[::2], flat[1::2], strict=True))
    fill = shape.get("fill")
    if fill == "url(#hatch)":
        part = _hatched(part, points)
    elif _is_ink(fill) and len(points) > 2:
        draw.polygon(points, _ink(str(fill), shape, shape.get("fillOpacity") or 1))
    if shape.get("width") and _is_ink(shape.get("stroke")):
        if shape.get("close"):
            points.append(points[0])
        _stroke(ImageDraw.Draw(part, "RGBA"), points, shape, shape["width"])
    return part


def _stroke(
    draw: Draw, points: Sequence[tuple[float, float]], shape: dict[str, Any], width: float
) -> None:
    colour, wide = _ink(shape["stroke"], shape), max(1, round(FINE * width))
    dashes = [FINE * float(one) for one in str(shape.get("dash") or "").replace(",", " ").split()]
    for piece in _pieces(points, dashes) if dashes else [points]:
        draw.line(piece, colour, wide, joint="curve")


def _pieces(
    points: Sequence[tuple[float, float]], dashes: Sequence[float]
) -> Iterator[list[tuple[float, float]]]:
    """A way in dashes; the gap between two of them is not drawn."""
    whole = [one for one in dashes if one > 0] or [1.0]
    cycle = np.cumsum([max(one, FINE) for one in (whole if len(whole) > 1 else 2 * whole)])
    gone = 0.0
    for (x, y), (to_x, to_y) in pairwise(points):
        length = math.hypot(to_x - x, to_y - y)
        at = 0.0
        while at < length:
            place = (gone + at) % cycle[-1]
            which = int(np.searchsorted(cycle, place, "right"))
            end = min(length, at + max(float(cycle[which] - place), 1e-6))
            if which % 2 == 0:
                shares = at / length, end / length
                yield [(x + one * (to_x - x), y + one * (to_y - y)) for one in shares]
            at = end
        gone += length


def _hatched(part: Image.Image, points: Sequence[tuple[float, float]]) -> Image.Image:
    """An area in slanted stripes of the colour of leaks."""
    theme, mask = theme_of(Look()), Image.new("L", part.size)
    ImageDraw.Draw(mask).polygon(points, 255)
    every, wide = (FINE * one for one in STRIPES)
    row, column = np.indices((part.height, part.width))
    striped = (row + column) / math.sqrt(2) % every < wide
    part.paste(theme["page"], mask=mask)
    stripes = Image.fromarray((np.asarray(mask) * striped * 0.6).astype(np.uint8))
    part.paste(theme["danger"], mask=stripes)
    return part


def _circle(part: Image.Image, shape: dict[str, Any]) -> Image.Image:
    draw, r = ImageDraw.Draw(part, "RGBA"), FINE * shape["r"]
    x, y = FINE * shape["cx"], FINE * shape["cy"]
    box = x - r, y - r, x + r - 1, y + r - 1  # its last px is in it
    if _is_ink(shape.get("fill")):
        draw.ellipse(box, _ink(shape["fill"], shape))
    if _is_ink(shape.get("stroke")):
        wide = max(1, round(FINE * (shape.get("strokeWidth") or 1)))
        draw.ellipse(box, outline=_ink(shape["stroke"], shape), width=wide)
    return part


def _rect(part: Image.Image, shape: dict[str, Any]) -> Image.Image:
    x, y = FINE * shape["x"], FINE * shape["y"]
    to_x, to_y = x + FINE * max(0, shape["width"]), y + FINE * max(0, shape["height"])
    if shape.get("fill") == "url(#hatch)":
        part = _hatched(part, [(x, y), (to_x, y), (to_x, to_y), (x, to_y)])
    draw, round_by = ImageDraw.Draw(part, "RGBA"), FINE * (shape.get("radius") or 0)
    if _is_ink(shape.get("fill")):
        draw.rounded_rectangle(
            (x, y, max(x, to_x - 1), max(y, to_y - 1)), round_by, _ink(shape["fill"], shape)
        )
    if _is_ink(shape.get("stroke")):
        corners = [(x, y), (to_x, y), (to_x, to_y), (x, to_y), (x, y)]
        _stroke(draw, corners, shape, shape.get("strokeWidth") or 1)
    return part


def _text(part: Image.Image, shape: dict[str, Any]) -> Image.Image:
    draw, name = ImageDraw.Draw(part, "RGBA"), shape.get("font") or "sans"
    runs = shape.get("runs") or [{"text": shape["text"]}]
    faces = [
        _face(name, shape["size"], int(run.get("weight") or shape.get("weight") or 400))
        for run in runs
    ]
    lengths = [face.getlength(str(run["text"])) for run, face in zip(runs, faces, strict=True)]
    share = {"middle": 0.5, "end": 1.0}.get(shape.get("anchor") or "start", 0.0)
    x, y = FINE * shape["x"] - share * sum(lengths), FINE * shape["y"]
    for run, face, length in zip(runs, faces, lengths, strict=True):
        if _is_ink(shape.get("halo")):
            halo = _ink(shape["halo"], shape)
            draw.text((x, y), str(run["text"]), halo, face, "ls", stroke_width=3 * FINE)
        draw.text(
            (x, y), str(run["text"]), _ink(run.get("fill") or shape["fill"], shape), face, "ls"
        )
        x += length
    return part


WRITERS = {"grains": _grains, "line": _line, "circle": _circle, "rect": _rect, "text": _text}
