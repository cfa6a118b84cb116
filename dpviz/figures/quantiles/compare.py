"""Several methods side by side: errors of each in a panel of its own, on one scale, best first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.answers.quantiles.answers import Answers
from dpviz.figures.kit.look import SERIF, WORDS, Look
from dpviz.figures.kit.panels import Place, grid, inside, numbered
from dpviz.figures.kit.picture import Picture, coloured, layout, picture, rule, words
from dpviz.figures.quantiles.error_panel import error_axis, error_traces
from dpviz.figures.quantiles.hills import FAR_ENDS, reach_of
from dpviz.figures.quantiles.marks import row_axis

GAPS = 0.022, 0.26  # between two panels, as shares of the paper; those down hold a head
HEAD = 96.0  # px for name and number above a panel
NAME, NUMBER = 18.0, 34.0  # px
SMALL_NAME, SMALL_NUMBER = 16.0, 24.0
# dots take clicks, say nothing when they are pointed at, and do not fade once one is chosen
CLICKED = {
    "hoverinfo": "none",
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
}


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """One method: its key in the catalogue, its name in words, its errors, and its head.

    number is the mean error as text, beside what stands behind it: "marks, 3.2 times the best";
    short is that where there is little room.
    """

    key: str
    name: str
    answers: Answers
    number: str
    beside: str
    short: str


def compare_picture(methods: Sequence[Compared], resolution: float, look: Look) -> Picture:
    """Panels of two to four methods, the best one first; on a phone two abreast.

    They share their rows and one range, made for the best method's far ends and the bulk of all.
    All of it is confidential.
    """
    worst = max(reach_of(one.answers, resolution, FAR_ENDS) for one in methods)
    reach = max(worst, reach_of(methods[0].answers, resolution))
    across = look.said(len(methods), 2)
    places = grid(len(methods), across, GAPS)
    arranged = layout(look, left=52, right=10, top=HEAD if across == len(methods) else 66) | {
        "annotations": []
    }
    arranged["shapes"], data = [], []
    for at, (one, place) in enumerate(zip(methods, places, strict=True)):
        panel = Panel(at, place, across, look)
        data += panel.traces(one, reach, resolution)
        arranged |= panel.axes(one, reach)
        arranged["annotations"] += panel.head(one)
        arranged["shapes"].append(
            rule(look, 0.0, axes=(panel.x, f"{panel.y} domain"), layer="below")
        )
    return picture(data, arranged)


@dataclass(frozen=True, slots=True)
class Panel:
    """Where one method stands among the others."""

    at: int
    place: Place
    across: int
    look: Look

    @property
    def x(self) -> str:
        """The reference of the axis of errors."""
        return f"x{numbered(self.at)}"

    @property
    def y(self) -> str:
        """The reference of the rows."""
        return f"y{numbered(self.at)}"

    def axes(self, one: Compared, reach: float) -> dict[str, Any]:
        """Both axes; rows are named at the left edge only."""
        name, look = numbered(self.at), self.look
        rows = row_axis(one.answers, look, anchor=self.x, domain=list(self.place.up))
        if self.at:
            rows |= {"matches": "y", "showticklabels": self.place.is_first}
        domain = list(self.place.across)
        across = error_axis(look, reach, ends="none", domain=domain, anchor=self.y)
        return {f"xaxis{name}": across, f"yaxis{name}": rows}

    def traces(self, one: Compared, reach: float, resolution: float) -> list[dict[str, Any]]:
        """Hills, sticks and dots in the method's hue and shape."""
        axes = (self.x, self.y)
        found = error_traces(one.answers, reach, resolution, self.look, axes=axes, hue=one.key)
        found[-1] |= CLICKED | {"customdata": [one.key] * one.answers.quantiles.size}
        return found

    def head(self, one: Compared) -> list[dict[str, Any]]:
        """The name, the mean error, and how it compares."""
        look, colour = self.look, self.look.ink.written(one.key)
        called, size, shift = look.said(
            (NAME, NUMBER, (62.0, 20.0, 28.0)), (SMALL_NAME, SMALL_NUMBER, (36.0, 6.0, 9.0))
        )
        wide = 8 + size * 0.52 * len(one.number)
        many = self.across > 2
        beside = look.said(one.beside, one.short, narrow=many, presenting=many)
        lines = (
            (coloured(one.name, colour, bold=True), called, colour, 0.0),
            (one.number, size, colour, 0.0),
            (beside, WORDS, look.ink.second, wide),
        )
        found = [
            words(
                look, text, 0, 1, size=px, colour=hue, stand="bottom",
                axes=inside(self.at),
                shift=((2 + right) * look.text(1), up * look.text(1)),
            )
            for (text, px, hue, right), up in zip(lines, shift, strict=True)
        ]  # fmt: skip
        found[1]["font"] |= {"family": SERIF}
        return found
