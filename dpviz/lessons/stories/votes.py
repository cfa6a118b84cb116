"""The votes of a class on a scene: what to do next, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.findings import frame
from dpviz.figures.stage.frames import alternative, label, rule
from dpviz.figures.stage.places import At, Mark
from dpviz.figures.stage.stage import Stage, View
from dpviz.lessons.scene import MISCONCEPTIONS, Option, Scene
from dpviz.lessons.written import eyebrow, figure

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
    return Votes(rows, sum(row.last for row in rows), right, again is not None)


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
    for number, row in enumerate(votes.rows):
        marks += _bars(row, number / len(votes.rows), most)
    words = "; ".join(f"{row.option.text}: {_numbers(row)}" for row in votes.rows)
    return Stage(
        (View((*marks, alternative(f"Votes of {votes.phones} phones. {words}."))),), {}, k=k
    )


def _numbers(row: Row) -> str:
    return f"{row.first}" if row.again is None else f"{row.first} first, {row.again} after talking"


def _bars(row: Row, share: float, most: int) -> list[Mark]:
    """An option, what stands behind it, and its bars."""
    right, name = row.option.right, row.option.key
    down = 0.08 + 0.92 * share
    colour: Colour = "private" if right else "ink"
    at, length = 0.44, 0.48
    found = [
        label(f"option {name}", (At(), At(down, 44)), row.option.text, size=17,
              weight=700 if right else 400, colour=colour),
        label(f"belief {name}", (At(), At(down, 68)), belief(row.option), colour="second"),
    ]  # fmt: skip
    if row.first:
        end = At(at + length * row.first / most)
        found.append(frame(f"first {name}", (At(at), At(down, 24)), (end, At(down, 46))))
    else:
        end = At(at)
    found.append(figure(f"first number {name}", (At(end.share, 10), At(down, 42)), str(row.first),
                        colour=colour if row.again is None else "second"))  # fmt: skip
    if row.again is not None:
        end = At(at + length * row.again / most)
        if row.again:
            middle = At(down, 61)
            found.append(
                rule(f"again {name}", (At(at), middle), (end, middle), width=20, colour=colour)
            )
        place = At(end.share, 10), At(down, 68)
        found.append(figure(f"again number {name}", place, str(row.again), colour=colour))
    return found
