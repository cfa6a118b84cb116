"""Honaker's schematic trees, Fig. 1 to 3: nodes as boxes over what they count, levels downwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture

LETTERS = "abcdefgh"
HEIGHT = 3
FLOOR, HIGHEST = 0.66, 0.56  # of a row: where its bars stand, and how high the highest is
Levels = Sequence[FloatArray]


@dataclass(frozen=True, slots=True)
class Box:
    """A node's place: left, right, and its level's row, 0 at the top; all in leaves and rows."""

    level: int
    index: int
    left: float
    right: float


def boxes(levels: int, fanout: int = 2) -> Iterator[Box]:
    """The nodes of a complete tree, from the root."""
    leaves = fanout ** (levels - 1)
    for level in range(levels):
        width = leaves / fanout**level
        for index in range(fanout**level):
            yield Box(level, index, index * width, (index + 1) * width)


def noisy_tree_figure(
    counts: Levels, truth: Levels | None, deviations: Levels, look: Look
) -> Picture:
    """Fig. 1: every node as a bar of its private count, with the count and, if shown, the truth."""
    shapes, notes = [], []
    for box in boxes(len(counts)):
        value = float(counts[box.level][box.index])
        exact = None if truth is None else float(truth[box.level][box.index])
        tallest = max(float(np.max(counts[box.level])), exact or 0.0, 1.0)
        floor = box.level + FLOOR
        top = floor - HIGHEST * max(value, 0.0) / tallest
        shapes.append(_rect(box, top, floor, translucent(look.ink.private, 0.35), 0.04))
        shapes.append(_line(box, floor, look))
        if exact is not None:
            shapes.append(_line(box, floor - HIGHEST * exact / tallest, look, truth=True))
        deviation = float(deviations[box.level][box.index])
        notes.append(_counted(box, value, exact, deviation, look))
    return grammar.picture([], _arranged(shapes, notes, len(counts), look))


def _counted(
    box: Box, value: float, exact: float | None, deviation: float, look: Look
) -> dict[str, Any]:
    shown = f"<b>{grammar.coloured(f'{value:.1f}', look.ink.private)}</b>"
    both = shown if exact is None else f"{shown}  <b>{exact:g}</b>"
    spread = grammar.coloured(f"± {deviation:.2g}", look.ink.second)
    text = f"{both}   {spread}"
    if box.level == HEIGHT:
        text = f"{look.said(both, shown)}<br>{LETTERS[box.index]}"
    elif box.level == HEIGHT - 1:
        text = look.said(text, both)
    middle = (box.left + box.right) / 2
    return grammar.words(look, text, middle, box.level + FLOOR, align="center", stand="top",
                         size=look.said(16, TICK), shift=(0, -look.text(2)))  # fmt: skip


def ways_figure(ways: Sequence[Levels], said: Sequence[str], look: Look) -> Picture:
    """Fig. 2: ways to read one sum off the tree; blue nodes are added, black ones taken away.

    Shapes: each way holds a weight −1, 0 or 1 a node; said is written under each small tree.
    """
    columns = look.said(4, 2)
    shapes, notes = [], []
    for at, (weights, text) in enumerate(zip(ways, said, strict=True)):
        row, column = divmod(at, columns)
        left, top = column * 9.0, row * 5.3
        for box in boxes(len(weights)):
            weight = float(weights[box.level][box.index])
            fill = (
                look.ink.private
                if weight > 0
                else look.ink.truth
                if weight < 0
                else "rgba(0,0,0,0)"
            )
            edge = look.ink.grain if weight == 0 else fill
            shapes.append(
                {
                    "type": "rect",
                    "x0": left + box.left + 0.08,
                    "x1": left + box.right - 0.08,
                    "y0": top + box.level + 0.18,
                    "y1": top + box.level + 0.9,
                    "fillcolor": fill,
                    "line": grammar.line(edge, 1),
                }
            )
        notes.append(grammar.words(look, text, left + 0.1, top + 4.05, stand="top", size=14.5))
    rows = -(-len(ways) // columns)
    return grammar.picture(
        [], _plain_axes(shapes, notes, (columns * 9.0 - 1.0, rows * 5.3 - 0.1), look)
    )


def weights_figure(weights: Levels, parts: Sequence[Sequence[int]], look: Look) -> Picture:
    """Fig. 3: the weight of every node in one efficient estimate, coloured by the part it is in.

    parts holds 0, 1 or 2 a node: the estimated node and those below it, its sibling and those
    below it, and all others.
    """
    inks = (look.ink.private, look.ink.truth, look.ink.second)
    shapes, notes = [], []
    largest = max(float(np.abs(level).max()) for level in weights)
    for box in boxes(len(weights)):
        weight = float(weights[box.level][box.index])
        part = parts[box.level][box.index]
        opacity = 0.10 + 0.75 * abs(weight) / largest
        shapes.append(
            _rect(box, box.level + 0.16, box.level + 0.84, translucent(inks[part], opacity), 0.04)
        )
        shapes[-1]["line"] = grammar.line(inks[part], 2)
        text = f"<b>{weight:+.2f}</b>".replace("-", "−")
        if box.level == HEIGHT:
            text = look.said(text, text.replace("0.", "."))
        pale = opacity > 0.55
        notes.append(
            grammar.words(look, text, (box.left + box.right) / 2, box.level + 0.5, align="center",
                          colour=look.ink.page if pale else look.ink.truth,
                          size=look.said(18, TICK))
        )  # fmt: skip
    return grammar.picture([], _arranged(shapes, notes, len(weights), look))


def _rect(box: Box, top: float, floor: float, fill: str, inset: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": box.left + inset,
        "x1": box.right - inset,
        "y0": top,
        "y1": floor,
        "fillcolor": fill,
        "line": {"width": 0},
        "layer": "below",
    }


def _line(box: Box, at: float, look: Look, *, truth: bool = False) -> dict[str, Any]:
    ink = look.ink.truth if truth else look.ink.private
    return {
        "type": "line",
        "x0": box.left + 0.04,
        "x1": box.right - 0.04,
        "y0": at,
        "y1": at,
        "line": grammar.line(ink, look.mark(2.5 if truth else 1)),
    }


def _arranged(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], levels: int, look: Look
) -> dict[str, Any]:
    return _plain_axes(shapes, notes, (2.0 ** (levels - 1), float(levels)), look)


def _plain_axes(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], size: tuple[float, float], look: Look
) -> dict[str, Any]:
    hidden = {"showticklabels": False}
    return grammar.layout(
        look,
        left=8,
        right=8,
        top=8,
        bottom=10,
        shapes=shapes,
        annotations=notes,
        xaxis=grammar.axis(look, range=[0, size[0]], **hidden),
        yaxis=grammar.axis(look, range=[size[1], 0], **hidden),
    )
