"""A cell of a map and its two halves, counted with noise of their own, and the three combined."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.figures.stage import findings, frames
from dpviz.figures.stage.places import At, Mark
from dpviz.figures.stage.stage import Stage
from dpviz.lessons.staged import stage_of
from dpviz.lessons.words import plain

DRAWN = 20.0, 10.0, 6.0  # the cell and its halves, as published
SIZE = 560, 170  # px
BOX = 104.0, 38.0
STATE = "1", "reveal"


@dataclass(frozen=True, slots=True)
class OneCell:
    """Three counts as drawn and combined: the cell first, then its halves."""

    drawn: tuple[float, float, float]
    combined: tuple[float, float, float]


def combined(cell: float, first: float, second: float) -> OneCell:
    """The three counts of least variance, for equal noise on each."""
    counts = np.array([cell]), np.array([first, second])
    best = efficient_levels(Levels(2, counts, (np.asarray(1.0), np.asarray(1.0)))).counts
    whole, (left, right) = float(best[0][0]), best[1].tolist()
    return OneCell((cell, first, second), (whole, left, right))


def said(told: OneCell) -> str:
    """The same in words."""
    before, (cell, first, second) = told.drawn, (plain(one, 2) for one in told.combined)
    return (
        f"One cell says {before[0]:g}, its halves {before[1]:g} and {before[2]:g}, with equal "
        f"noise. Combined they say {cell}, {first} and {second}, which add up."
    )


def picture(told: OneCell) -> Stage:
    """Both trees, side by side."""
    drawn, best = (f"{one:g}" for one in told.drawn), (plain(one, 2) for one in told.combined)
    marks = [
        *_tree("drawn", "AS DRAWN", tuple(drawn), 0.0),
        *_tree("combined", "COMBINED", tuple(best), 0.56),
        findings.beam("way", (At(0.47), At(0.55)), [(At(0.53), At(0.55))], width=3, head=6,
                      colour="private"),
        frames.alternative(said(told)),
    ]  # fmt: skip
    return stage_of({STATE: lambda: marks}, STATE)


def _tree(name: str, head: str, texts: tuple[str, ...], left: float) -> list[Mark]:
    """A box over two, and the lines between them."""
    wide, high = BOX
    places = ((left + 0.22, 34.0), (left + 0.1, 120.0), (left + 0.34, 120.0))
    found = [frames.label(f"{name} head", (At(left), At(0, 22)), head, size=14.5, weight=700,
                          spaced=True)]  # fmt: skip
    (top, y), *halves = places
    for i, (x, below) in enumerate(halves):
        found.append(frames.rule(f"{name} line {i}", (At(top), At(0, y + high)),
                                 (At(x), At(0, below)), width=2))  # fmt: skip
    for i, ((x, y), text) in enumerate(zip(places, texts, strict=True)):
        corners = (At(x, -wide / 2), At(0, y)), (At(x, wide / 2), At(0, y + high))
        found += [
            findings.frame(f"{name} box {i}", *corners, colour="private"),
            frames.label(f"{name} count {i}", (At(x), At(0, y + 27)), text, size=22, font="serif",
                         weight=600, anchor="middle", colour="private"),
        ]  # fmt: skip
    return found
