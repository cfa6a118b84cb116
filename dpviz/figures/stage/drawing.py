"""A question whose answer is drawn: a value, a curve or ten dots; what is true, which option it is.

The drawing itself is the stage's, so that it works without a server as well.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from dpviz.figures.stage.engine import evaluated
from dpviz.figures.stage.frames import Anchor, Tick, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen

Form = Literal["v", "c", "d"]  # a value, a curve, dots: as a guess begins in links
BINS, DOTS = 24, 10
FACTOR = 3.0  # within which a curve is right at each of its handles
LONGEST = 200  # signs of a guess in a link
X, Y = "guess across", "guess up"


@dataclass(frozen=True, slots=True)
class Side:
    """An axis: from where to where, and what stands at it."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = True

    def share(self, value: float) -> float:
        """Where a value is between the ends, from 0 to 1."""
        low, at, high = (math.log(one) if self.log else one for one in (self.low, value, self.high))
        return (at - low) / (high - low)

    def at(self, share: float) -> float:
        """The value at a share."""
        if self.log:
            return self.low * math.exp(share * math.log(self.high / self.low))
        return self.low + (self.high - self.low) * share


@dataclass(frozen=True)
class Drawing:
    """What is drawn in place of choosing an option.

    at holds the places of the handles across, names what they are called; given() are points that
    the question tells, level() a line of something else, and its name; truth() computes what the
    law says at the handles, or where ten dots lie. regions are options by a stretch of what was
    drawn last: the value of the last handle, or how many dots lie within `near` of `centre`; other
    is the option of everything else. A curve of several handles is judged by all of them: astray is
    the option of one that ends where the law does, and leaves it by more than FACTOR before.
    """

    form: Form
    heading: str
    unit: str
    across: Side
    up: Side
    truth: Callable[[], Sequence[float]]
    regions: tuple[tuple[float, float, str], ...]
    other: str
    astray: str = ""
    at: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    given: Callable[[], Sequence[tuple[float, float]]] = tuple
    centre: float = 0.0
    near: float = 0.0
    leak: bool = False
    level: Callable[[], tuple[float, str]] | None = None

    def read(self, text: str) -> tuple[float, ...] | None:
        """A guess as a link writes it; None for what is none."""
        form, colon, rest = text[:LONGEST].partition(":")
        if form != self.form or not colon:
            return None
        try:
            values = tuple(float(one) for one in rest.split(","))
        except ValueError:
            return None
        side = self.across if form == "d" else self.up
        inside = all(side.low <= one <= side.high for one in values)  # not for NaN
        return values if inside and len(values) == self.handles else None

    @property
    def handles(self) -> int:
        """How many numbers a guess has."""
        return DOTS if self.form == "d" else len(self.at)

    def bin_of(self, values: Sequence[float]) -> int:
        """The bin that a phone sends: the last handle's, or how many dots are near.

        The last one is that of a curve that is astray, where there can be one.
        """
        if self.form == "d":
            return sum(abs(one - self.centre) <= self.near for one in values)
        found = min(max(bisect_right(self.edges, values[-1]) - 1, 0), len(self.edges) - 2)
        return BINS - 1 if self._strays(found, values) else found

    def _strays(self, stretch: int, values: Sequence[float]) -> bool:
        """Whether a curve ends where the law does and is further from it at another handle."""
        if not self.astray or self.keys[stretch] != self.keys[self.bin_of_truth]:
            return False
        pairs = zip(values, self.truth(), strict=True)
        return any(not 1 / FACTOR <= one / law <= FACTOR for one, law in pairs)

    @cached_property
    def bin_of_truth(self) -> int:
        """The stretch in which the law ends."""
        return bisect_right(self.edges, self.truth()[-1]) - 1

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """Ends of the stretches of the last handle: even ones, moved to where an option begins."""
        many = BINS - bool(self.astray)
        found = [self.up.low, *(self.up.at(one / many) for one in range(1, many)), self.up.high]
        shares = [one / many for one in range(many + 1)]
        for end in {end for low, high, _ in self.regions for end in (low, high)}:
            if self.up.low < end < self.up.high:
                far = [abs(one - self.up.share(end)) for one in shares]
                found[far.index(min(far[1:-1]))] = end
        return tuple(found)

    @cached_property
    def middles(self) -> tuple[float, ...]:
        """The middle of each stretch."""
        shares = [self.up.share(one) for one in self.edges]
        return tuple(self.up.at((low + high) / 2) for low, high in pairwise(shares))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The option of each bin, told at its middle."""
        middle = range(BINS) if self.form == "d" else self.middles
        found = [
            next((key for low, high, key in self.regions if low <= one <= high), self.other)
            for one in middle
        ]
        return (*found, *[self.astray] * bool(self.astray))

    def option_of(self, text: str) -> str | None:
        """The option that a guess comes to; None for what is none."""
        values = self.read(text)
        return None if values is None else self.keys[self.bin_of(values)]

    def mark(self, *, told: bool = True) -> Mark:
        """The guess on the stage; without the truth where the page must not know it yet."""
        return {
            "kind": "guess",
            "id": "guess",
            "form": self.form,
            "axes": [X, Y],
            "at": list(self.at),
            "names": list(self.names),
            "given": [list(one) for one in self.given()],
            "truth": [float(f"{one:.6g}") for one in self.truth()] if told else None,
            "unit": self.unit,
            "waits": [[0, 0], [1, -20]],
            "digits": 3 if self.form == "d" else 2,
            "dots": DOTS,
            "centre": self.centre,
            "near": self.near,
            "leak": self.leak,
        }

    def marks(self, screen: Screen, *, told: bool = True) -> list[Mark]:
        """The picture before the guess: two axes, and the handles beside them."""
        (panel,) = screen.columns(Column())
        left, right, base = At(0, 88), panel.x(1, -110), At(1, -74)
        ends: dict[float, Anchor] = {self.across.low: "start", self.across.high: "end"}
        ticks = [
            Tick(one, text, "bold" if one == self.centre else "", ends.get(one))
            for one, text in self.across.ticks
        ]
        up = [Tick(one, text) for one, text in self.up.ticks]
        return [
            label("guess heading", (panel.left, panel.line(0)), self.heading, size=14.5, weight=700,
                  spaced=True),
            axis(X, "x", (self.across.low, self.across.high), left, right, at=base,
                 log=self.across.log, line=True, ticks=ticks),
            axis(Y, "y", (self.up.low, self.up.high), base, panel.y(0, 62), at=left,
                 log=self.up.log, ticks=up),
            *self._grid(left, right, base, panel),
            self.mark(told=told),
        ]  # fmt: skip

    def _grid(self, left: At, right: At, base: At, panel: Panel) -> list[Mark]:
        """Lines at the ticks, and a track for each handle."""
        if self.form == "d":
            return []
        lines = [
            rule(f"guess at {text}", (left, On(Y, one)), (right, On(Y, one)), colour="hairline")
            for one, text in self.up.ticks
        ]
        if self.level is not None:
            value, text = self.level()
            ends = (left, On(Y, value)), (right, On(Y, value))
            lines.append(rule("guess level", *ends, width=2.5, colour="private"))
            place = panel.x(0.4, 0), On(Y, value, -8)
            lines.append(label("guess level name", place, text, colour="private", weight=700))
        top = panel.y(0, 76)
        tracks = [
            rule(f"guess track {one:g}", (On(X, one), top), (On(X, one), At(1, base.px - 14)),
                 width=panel.px(56), colour="band")
            for one in self.at
        ]  # fmt: skip
        return [*tracks, *lines]

    def to_dict(self) -> dict[str, Any]:
        """What a page without a server judges a guess by."""
        side = self.across if self.form == "d" else self.up
        return {"form": self.form, "at": list(self.at), "names": list(self.names),
                "near": self.near, "centre": self.centre, "truth": list(self.truth()),
                "low": side.low, "high": side.high, "keys": list(self.keys),
                "edges": [] if self.form == "d" else list(self.edges),
                "astray": self.astray, "factor": FACTOR}  # fmt: skip

    def gap(self, text: str) -> str:
        """How far a guess is from the truth, in the words of the picture."""
        return evaluated(f"$guess.gap({json.dumps(self.to_dict())}, {json.dumps(text)})")


def drawn(drawing: Drawing | None, text: str) -> str | None:
    """The option of a guess that was drawn; None where nothing is drawn, or for another text."""
    return None if drawing is None else drawing.option_of(text)
