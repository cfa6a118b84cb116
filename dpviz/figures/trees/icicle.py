"""A noisy tree as rows of bars over one axis, before and after its levels are combined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.answers.trees.levels import CdfError
from dpviz.answers.trees.names import Names, level_name, spread_error, ticks, value
from dpviz.answers.trees.rows import Row, largest_error, tallest
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, picture, words
from dpviz.figures.trees.bars import DIP, cells, fills, frames, middle, steps
from dpviz.figures.trees.curve import heading
from dpviz.figures.trees.error_curve import error_marks, error_range

BELOW, BETWEEN = 0.21, 0.055  # shares of the height: the error of the CDF, and the room above it
ASIDE = 0.045  # share of the width between two sides
TOP, BOTTOM = 30, 30  # px
LEFT, GLYPH = 66, 6.2  # px for the names of the rows at least, and of a letter
RIGHT = {1: 66, 2: 112}  # px for the ends of the rows, by the number of sides
HIGH = {
    "wide": 500.0,
    "low": 350.0,
    "narrow": 400.0,
    "phone": 410.0,
}  # px between the margins, about


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One reading of a tree: its rows, and how far its CDF is off where the truth is shown.

    title is markup of ours, said above the rows.
    """

    title: str
    rows: tuple[Row, ...]
    off: CdfError | None = None


def icicle(
    sides: Sequence[Side],
    ends: tuple[float, float],
    names: Names,
    look: Look,
    *,
    noisiest: float | None = None,
    path: Sequence[tuple[int, int]] = (),
) -> Picture:
    """One row a level, bars of noisy counts a unit of width, black steps for the truth.

    Equal heights mean equal crowds on every row and side; fainter is noisier, compared with
    noisiest, by default the largest standard error of the first side. Cells carry (level, index,
    low, high, count, error, truth); path names nodes (level, index) that are framed.
    """
    names, top = names.safe(), tallest(sides[-1].rows)
    noisiest = largest_error(sides[0].rows) if noisiest is None else noisiest
    data: list[dict[str, Any]] = []
    for side, x in zip(sides, _axes(sides), strict=True):
        rows = side.rows
        marks = [cells(rows, ends, names, look), *fills(rows, ends, top, noisiest, look)]
        marks += [*steps(rows, ends, top, look), frames(rows, ends, path, look)]
        data += [mark | {"xaxis": x, "yaxis": "y"} for mark in marks]
    notes = [*_titles(sides, look), *_row_ends(sides, look)]
    shown = [
        (side.off, (x, "y2"))
        for side, x in zip(sides, _axes(sides), strict=True)
        if side.off is not None
    ]
    for off, axes in shown:
        marks, said = error_marks(off, ends, names, look, axes, len(sides))
        data += marks
        notes += said
    arranged = layout(
        look,
        left=left_margin(sides[0].rows, names),
        right=RIGHT[len(sides)],
        top=TOP,
        bottom=BOTTOM,
        annotations=notes,
    )
    arranged |= {"barmode": "overlay", "bargap": 0, "clickmode": "event+select"}
    arranged |= _across(sides, ends, names, look, lowest="y2" if shown else "y")
    arranged |= _down(sides, [off for off, _ in shown], names, look)
    return picture(data, arranged)


def row_names(rows: Sequence[Row], names: Names) -> list[str]:
    """What stands at the left of each row."""
    return [level_name(row.nodes, names.people, leaves=row is rows[-1]) for row in rows]


def left_margin(rows: Sequence[Row], names: Names) -> float:
    """Px that the names of the rows take."""
    return max(LEFT, 14 + GLYPH * max(map(len, row_names(rows, names))))


def _axes(sides: Sequence[Side]) -> list[str]:
    return ["x", "x2"][: len(sides)]


def _titles(sides: Sequence[Side], look: Look) -> list[dict[str, Any]]:
    """What stands above the sides and above the ends of the rows."""
    said = [
        heading(look, side.title, (f"{x} domain", "paper"))
        for side, x in zip(sides, _axes(sides), strict=True)
    ]
    if len(sides) > 1:
        x, second = f"{_axes(sides)[-1]} domain", look.ink.second
        said.append(heading(look, "std. error", (x, "paper"), at=1, colour=second, aside=10))
    return said


def _row_ends(sides: Sequence[Side], look: Look) -> list[dict[str, Any]]:
    """The standard errors at the end of each row, side by side: ± 99 → ± 59."""
    last, x = sides[-1].rows, _axes(sides)[-1]
    blue, said = look.ink.private, []
    for number, row in enumerate(last):
        end = coloured(spread_error(row.error), blue, bold=True)
        if len(sides) > 1:
            end = f"{spread_error(sides[0].rows[number].error)} → {end}"
        said.append(
            words(
                look,
                end,
                1,
                middle(last, number),
                colour=look.ink.second,
                axes=(f"{x} domain", "y"),
                shift=(look.text(10), 0),
            )
        )
    if sides[-1].off is not None:
        said.append(
            words(look, "truth", 1, 0, axes=(f"{x} domain", "y2"), shift=(look.text(10), 0))
        )
    return said


def _across(
    sides: Sequence[Side], ends: tuple[float, float], names: Names, look: Look, *, lowest: str
) -> dict[str, Any]:
    """One x axis a side, with its bounds at its ends."""
    width = (1 - ASIDE * (len(sides) - 1)) / len(sides)
    at = ticks(*ends)
    said = [value(each) for each in at]
    named = [f"{names.axis} {said[0]}", *said[1:]]  # once: a second one would run into the first
    return {
        f"xaxis{x[1:]}": axis(
            look,
            domain=[number * (width + ASIDE), number * (width + ASIDE) + width],
            anchor=lowest,
            range=list(ends),
            tickvals=at,
            ticktext=said if number else named,
            ticks="outside",
            ticklen=5,
        )
        for number, x in enumerate(_axes(sides))
    }


def _down(
    sides: Sequence[Side], off: Sequence[CdfError], names: Names, look: Look
) -> dict[str, Any]:
    """The rows with their names, and below them the error of the CDF, if it is shown.

    Where two sides are compared, the middle row, which sentences speak of, is set in ink.
    """
    rows = sides[0].rows
    said = row_names(rows, names)
    if len(sides) > 1:
        half = next(at for at, row in enumerate(rows) if row.level == rows[-1].level // 2)
        said[half] = coloured(said[half], look.ink.truth, bold=True)
    low = BELOW + BETWEEN if off else 0.0
    arranged = {
        "yaxis": axis(
            look,
            domain=[low, 1],
            range=[-DIP, len(rows) - 0.1],
            tickvals=[middle(rows, number) for number in range(len(rows))],
            ticktext=said,
            ticklabelstandoff=8,
        )
    }
    if off:
        arranged["yaxis2"] = axis(
            look,
            domain=[0, BELOW],
            range=list(error_range(off, look, BELOW * HIGH[look.screen])),
            tickvals=[0],
            ticktext=["error of<br>the CDF"],
            ticklabelstandoff=8,
        )
    return arranged
