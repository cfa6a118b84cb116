"""The votes of a class on a scene: what to do next, and its picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dpviz.figures.stage import findings, people
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.drawing import Drawing, X, Y
from dpviz.figures.stage.findings import frame
from dpviz.figures.stage.frames import Tick, alternative, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.stage import Stage, View
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons.scene import MISCONCEPTIONS, Option, Scene

FEW, MANY = 0.30, 0.70  # of right answers: below it is explained, above it is revealed
TALK_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Row:
    """An option, and how many phones chose it first and again (None: nobody was asked again)."""

    option: Option
    first: int
    again: int | None

    @property
    def last(self) -> int:
        """How many chose it when they were asked last."""
        return self.first if self.again is None else self.again


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes on one scene, option by option."""

    rows: tuple[Row, ...]
    phones: int  # that were heard last
    right: int  # of these
    again: bool
    drawing: Drawing | None = None
    bins: tuple[tuple[int, ...], ...] = ()  # of what was drawn: first, and again

    @property
    def share(self) -> float:
        """How many of them are right."""
        return self.right / self.phones


def votes_of(
    scene: Scene[Any], first: Sequence[int] | None, again: Sequence[int] | None, room: str = ""
) -> Votes | None:
    """The votes by option in the room's order; None while too few phones voted.

    Bins stand in the scene's own order.
    """
    if first is None:
        return None
    keys = [option.key for option in scene.options]
    if scene.drawing is not None:
        keys = list(scene.drawing.keys)
    rows = tuple(
        Row(option, _heard(first, keys, option.key) or 0, _heard(again, keys, option.key))
        for option in scene.shuffled(room)
    )
    right = next(row.last for row in rows if row.option.right)
    bins = tuple(tuple(one) for one in (first, again) if one is not None)
    phones = sum(row.last for row in rows)
    return Votes(rows, phones, right, again is not None, scene.drawing, bins)


def _heard(bins: Sequence[int] | None, keys: Sequence[str], key: str) -> int | None:
    """How many phones are in the bins of an option."""
    if bins is None:
        return None
    return sum(many for many, one in zip(bins, keys, strict=False) if one == key)


def advice(votes: Votes) -> str:
    """How many are right, and what the teacher does then; not which answer is."""
    found = f"{votes.right} of {votes.phones} are right: "
    if votes.share < FEW:
        return found + "explain, then vote again." if not votes.again else found + "explain."
    if votes.share <= MANY and not votes.again:
        return found + f"talk to your neighbour, {TALK_SECONDS} s, then vote again."
    return found + "reveal."


def said_so(votes: Votes | None, chosen: Option | None) -> str:
    """How many phones gave the same answer; "" while too few voted."""
    row = next((one for one in votes.rows if one.option is chosen), None) if votes else None
    if votes is None or row is None:
        return ""
    return f"{row.last} of {votes.phones} phones said so."


def belief(option: Option) -> str:
    """What stands behind an option."""
    return "right" if option.misconception is None else MISCONCEPTIONS[option.misconception]


def stage(votes: Votes, k: float) -> Stage:
    """Hollow and full bars, option by option: the first vote, and the one after talking."""
    marks: list[Mark] = [
        eyebrow("class", (At(), At(0, 20)), f"THE CLASS, {votes.phones} PHONES"),
        label("key", (At(1), At(0, 20)), "hollow: first vote · full: after talking"
              if votes.again else "hollow: first vote", anchor="end", colour="second"),
    ]  # fmt: skip
    most = max(max(row.first, row.again or 0) for row in votes.rows) or 1
    fans = votes.drawing is not None and votes.drawing.form != "d"
    for number, row in enumerate(votes.rows):
        down = 0.08 + 0.92 * number / len(votes.rows)
        if fans:  # the drawings stand at the left
            marks += [_option(row, 0.66, At(down, 30)), *_bars(row, down, most, 0.66, 0.28, 18)]
        else:
            marks += [_option(row, 0, At(down, 44)), *_bars(row, down, most, 0.44, 0.48)]
        if votes.drawing is None:
            marks.append(label(f"belief {row.option.key}", (At(), At(down, 68)), belief(row.option),
                               colour="second"))  # fmt: skip
    marks = [*_fan(votes.drawing, votes.bins), *marks] if votes.drawing and fans else marks
    words = "; ".join(f"{row.option.text}: {_numbers(row)}" for row in votes.rows)
    return Stage(
        (View((*marks, alternative(f"Votes of {votes.phones} phones. {words}."))),), {}, k=k
    )


def _numbers(row: Row) -> str:
    return f"{row.first}" if row.again is None else f"{row.first} first, {row.again} after talking"


def _option(row: Row, left: float, down: At) -> Mark:
    """The words of an option."""
    weight, colour = (700, "private") if row.option.right else (400, "ink")
    return label(f"option {row.option.key}", (At(left), down), row.option.text, size=17,
                 weight=weight, colour=cast("Colour", colour))  # fmt: skip


def _bars(
    row: Row, down: float, most: int, at: float, length: float, lower: float = 0
) -> list[Mark]:
    """The bars of an option, hollow above full, and their numbers."""
    name = row.option.key
    colour: Colour = "private" if row.option.right else "ink"
    found: list[Mark] = []
    end = At(at + length * row.first / most)
    if row.first:
        edges = At(down, 24 + lower), At(down, 46 + lower)
        found.append(frame(f"first {name}", (At(at), edges[0]), (end, edges[1])))
    place = At(end.share, 10), At(down, 42 + lower)
    look: Colour = colour if row.again is None else "second"
    found.append(figure(f"first number {name}", place, str(row.first), colour=look))
    if row.again is None:
        return found
    end = At(at + length * row.again / most)
    if row.again:
        line = At(down, 61 + lower)
        found.append(rule(f"again {name}", (At(at), line), (end, line), width=20, colour=colour))
    place = At(end.share, 10), At(down, 68 + lower)
    return [*found, figure(f"again number {name}", place, str(row.again), colour=colour)]


def _fan(drawing: Drawing, bins: Sequence[Sequence[int]]) -> list[Mark]:
    """All guesses as thin lines to the middles of bins, a row of dots a bin, and the truth.

    Who ended right by another way has a bar alone: where such a curve went, the room does not know.
    """
    up, across = drawing.up, drawing.across
    middles = drawing.middles
    bins = [one[: len(middles)] for one in bins]
    start, last = drawing.given()[0], drawing.at[-1]
    base, top, left = At(1, -40), At(0, 56), At(0, 60)
    most = max(12, *(max(one) for one in bins))
    ticks = [Tick(one, text) for one, text in up.ticks]
    found = [
        axis(X, "x", (across.low, across.high), left, At(0.38), at=base, log=across.log, line=True),
        axis(Y, "y", (up.low, up.high), base, top, at=left, log=up.log, ticks=ticks),
        findings.beam("fan", (On(X, start[0]), On(Y, start[1])),
                      [(On(X, last), On(Y, middles[one])) for one in np.flatnonzero(bins[-1])],
                      width=1.2, head=0, opacity=0.5, colour="second"),
        findings.curve("law", (X, Y), *_law(drawing),
                       colour="danger" if drawing.leak else "private"),
    ]  # fmt: skip
    names = (("first", 0.41), ("after", 0.53))
    for (name, edge), counts in zip(names, bins, strict=False):
        columns = f"columns {name}"
        dots = [(one, dot) for one, many in enumerate(counts) for dot in range(many)]
        found += [
            label(f"name of {name}", (At(edge), At(0, 48)), name,
                  weight=700 if name == "after" else 400),
            axis(columns, "x", (0, most), At(edge, 8), At(edge + 0.1, 8)),
            people.points(f"dots {name}", (columns, Y), [dot for _, dot in dots],
                          [middles[one] for one, _ in dots], radius=4.5,
                          colour="ink" if name == "after" else "grain"),
        ]  # fmt: skip
    return found


def _law(drawing: Drawing) -> tuple[list[float], list[float]]:
    """What is given and what is true, from left to right."""
    places = sorted([*drawing.given(), *zip(drawing.at, drawing.truth(), strict=True)])
    return [x for x, _ in places], [y for _, y in places]
