"""The axis of values: what it shows, how its ticks and numbers are written."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.number_text import in_digits
from dpviz.answers.quantiles.answers import Writing, ticks_of, view_of
from dpviz.answers.said import html_safe
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import axis

LONG = 3  # letters of a tick
LONGEST = 12  # letters of a column's name in front of the first tick


@dataclass(frozen=True, slots=True)
class Scale:
    """Values of one column on the screen: declared, public things alone.

    name is the column's, untrusted; view is the stretch of the bounds that is shown.
    """

    bounds: Bounds
    resolution: float
    name: str
    view: tuple[float, float]
    writing: Writing

    @classmethod
    def of(cls, published: FloatArray, bounds: Bounds, resolution: float, name: str) -> "Scale":
        """The scale for published numbers (k,), and for whatever lies near them."""
        view = view_of(published, bounds)
        return cls(
            bounds, resolution, name, view, Writing.of(bounds, resolution, view[1] - view[0])
        )

    def position(self, value: float) -> float:
        """Where a value stands, from 0 at the left end to 1 at the right end."""
        return (value - self.view[0]) / (self.view[1] - self.view[0])

    def axis(self, look: Look, most: int = 6, **others: Any) -> dict[str, Any]:
        """The horizontal axis; its first tick carries the column's name."""
        long = len(self.tick(self.view[1])) > LONG
        ticks = ticks_of(*self.view, most=look.said(most, 3 if long else 5, narrow=long))
        texts = [self.tick(tick) for tick in ticks]
        name = self.name if len(self.name) <= LONGEST else f"{self.name[: LONGEST - 1]}…"
        texts[0] = f"{html_safe(name)} {texts[0]}"
        return axis(
            look,
            range=list(self.view),
            tickvals=ticks.tolist(),
            ticktext=texts,
            ticks="outside",
            ticklen=4,
            **others,
        )

    @staticmethod
    def tick(value: float) -> str:
        """A place on the axis."""
        return in_digits(round(float(value), 10))

    def clipped(self, values: FloatArray) -> FloatArray:
        """Values moved into the view."""
        return np.clip(values, *self.view)
