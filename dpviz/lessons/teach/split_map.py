"""A map that the barrier splits: points on one side, published cells on the other."""

from __future__ import annotations

import numpy as np

from dpviz.figures.stage import answers, findings, frames, people
from dpviz.figures.stage.answers import half_width
from dpviz.figures.stage.frames import Anchor
from dpviz.figures.stage.places import At, Mark, On
from dpviz.lessons.one_map import EPSILON, FRAME, SHADES, SIDE, OneMap
from dpviz.lessons.words import whole

WEST, EAST, SOUTH, NORTH = FRAME
_ANCHORS: tuple[tuple[Anchor, Anchor], ...] = (("end", "start"), ("middle", "middle"))


def split_map(told: OneMap, phone: bool) -> list[Mark]:
    """Points on this side of the barrier, cells on the other."""
    box = told.points.box
    middle = box.y.low + box.y.width / 2 if phone else box.x.low + box.x.width / 2
    x = frames.axis("east", "x", (box.x.low, box.x.high), At(0.12 if phone else 0),
                    At(0.88 if phone else 0.4527))  # fmt: skip
    y = frames.axis("north", "y", (box.y.low, box.y.high), At(0, 246) if phone else At(1, -10),
                    At(0, 26 if phone else 50), most=("east", 1))  # fmt: skip
    corner = On("east", box.x.low), On("north", box.y.high)
    far = On("east", box.x.high), On("north", box.y.low)
    seen = (told.points.y > middle) if phone else (told.points.x < middle)
    barrier = answers.barrier(
        "barrier", On("north", middle) if phone else On("east", middle),
        corner[0] if phone else corner[1], far[0] if phone else far[1], half=half_width(EPSILON),
        scale=0.4 if phone else 0.6, direction="horizontal" if phone else "vertical",
    )  # fmt: skip
    return [
        x,
        y,
        frames.label("confidential", (corner[0] if phone else At(), At(0, 18 if phone else 22)),
                     "CONFIDENTIAL", size=14.5, weight=700, spaced=True),
        frames.label("public", (far[0], At(0, 266) if phone else At(0, 22)), "PUBLIC", size=14.5,
                     weight=700, spaced=True, anchor="end", colour="private"),
        people.points("points", ("east", "north"), np.round(told.points.x[seen], 1).tolist(),
                      np.round(told.points.y[seen], 1).tolist(), radius=0.5 if phone else 0.8,
                      colour="ink"),
        _cells(told, middle, phone),
        barrier,
        *_frame(told, middle, phone),
    ]  # fmt: skip


def _cells(told: OneMap, middle: float, phone: bool) -> Mark:
    """The public half of the chosen map."""
    box, shades, half = told.points.box, told.shades, SIDE // 2
    shown = shades[:half] if phone else shades[:, half:]
    x = (box.x.low, box.x.high) if phone else (middle, box.x.high)
    y = (box.y.low, middle) if phone else (box.y.low, box.y.high)
    return answers.cells("cells", ("east", "north"), x, y, shown.shape[1], shown.ravel().tolist(),
                         deepest=SHADES)  # fmt: skip


def _frame(told: OneMap, middle: float, phone: bool) -> list[Mark]:
    """One frame, black on this side and blue on the other, with its number on both."""
    west, east = On("east", WEST), On("east", EAST)
    south, north = On("north", SOUTH), On("north", NORTH)
    cut = On("north", middle) if phone else On("east", middle)
    inner = ((west, north), (east, cut)) if phone else ((west, north), (cut, south))
    outer = ((west, cut), (east, south)) if phone else ((cut, north), (east, south))
    size = 20 if phone else 24
    here = (On("east", 50), On("north", 46)) if phone else (On("east", 47), On("north", 16))
    there = (On("east", 50), On("north", 18)) if phone else (On("east", 53), On("north", 16))
    first, second = _ANCHORS[phone]
    return [
        findings.frame("inside", *inner),
        findings.frame("outside", *outer, colour="private"),
        frames.label("true number", here, whole(told.truth), size=size, font="serif", weight=600,
                     anchor=first, plate=True),
        frames.label("private number", there, whole(told.answer.private), size=size, font="serif",
                     weight=600, anchor=second, colour="private", plate=True),
    ]  # fmt: skip
