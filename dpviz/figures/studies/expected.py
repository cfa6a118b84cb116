"""How far off a draw is expected to be, before it is drawn: an interval a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.experiments.planning.answers import round_up
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words

MOST = 11  # rows that have room for their words
LABEL_ROOM = 1.35  # the axis beyond the longest interval, for its words


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """19 of 20 draws lie within halves (k,) of what they estimate; unit is what halves count.

    Nothing of it is data: halves come from the noise alone, or from made-up people.
    """

    names: tuple[str, ...]
    halves: FloatArray
    unit: str

    def size(self, row: int = -1) -> str:
        """A half-width in words: "33 people"; rounded up to two digits."""
        return f"{round_up(float(self.halves[row])):,.10g} {self.unit}".rstrip()

    def text(self, row: int) -> str:
        """The same as a width to both sides: "± 33 people"."""
        return f"± {self.size(row)}"

    def some(self) -> Expected:
        """At most as many rows as have room: the ends, and between them evenly spaced ones."""
        count = len(self.names)
        if count <= MOST:
            return self
        rows = np.unique(np.linspace(0, count - 1, MOST).round().astype(int))
        return Expected(tuple(self.names[row] for row in rows), self.halves[rows], self.unit)


def expected_picture(expected: Expected, look: Look) -> Picture:
    """A hollow interval a row, around what is true and unknown."""
    shown = expected.some()
    rows = np.arange(len(shown.names))[::-1].astype(float)
    colour = look.ink.of(PRIVATE)
    bars = [
        trace(
            shown.names[at], [-half, half], [rows[at], rows[at]], mode="lines+markers",
            line=line(colour, look.mark(2)),
            marker={"symbol": "line-ns-open", "size": look.mark(14), "color": colour,
                    "line": {"width": look.mark(2), "color": colour}},
        )
        for at, half in enumerate(shown.halves.tolist())
    ]  # fmt: skip
    reach = LABEL_ROOM * (float(shown.halves.max()) or 1.0)
    labels = [
        words(look, shown.text(at), half, rows[at], shift=(10, 0), plate=True)
        for at, half in enumerate(shown.halves.tolist())
    ]
    arranged = layout(look, left=150, right=90) | {
        "xaxis": axis(
            look, range=[-reach, reach], tickvals=[0], ticktext=["what is true"],
            zeroline=True, zerolinecolor=look.ink.hairline,
        ),
        "yaxis": axis(
            look, range=[-0.7, len(shown.names) - 0.3], tickvals=rows.tolist(),
            ticktext=list(shown.names),
        ),
        "annotations": labels,
    }  # fmt: skip
    return picture(bars, arranged)
