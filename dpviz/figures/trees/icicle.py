"""A noisy tree as rows of bars over one axis, before and after its levels are combined.

Below it: how far the CDF of a tree is off along the axis, around the black line of the truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.trees.levels import CdfError
from dpviz.answers.trees.names import Names, level_name, signed, spread_error, ticks, value
from dpviz.answers.trees.rows import Row, largest_error, tallest
from dpviz.figures.kit.look import WORDS, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, line, picture, trace, words
from dpviz.figures.trees.bars import DIP, cells, fills, frames, middle, steps
from dpviz.figures.trees.curve import heading

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
FILL = 0.25
FINE = 257  # points, beyond which a line of 2 px would be a block
LETTER = 7.4  # px of a letter at 15 px
PANEL = {1: 232.0, 2: 520.0}  # px across of a side on a phone, and of one of two


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


def error_range(found: Sequence[CdfError], look: Look, tall: float) -> tuple[float, float]:
    """One range for the errors of all sides in a panel so many px high.

    Leaves room for the words at the worst errors; above, they may stand out of the panel by half.
    """
    low = min(float(one.errors.min()) for one in found)
    high = max(float(one.errors.max()) for one in found)
    room = look.text(WORDS) * 1.3 + look.mark(7)
    above = room / 2 if max(one.worst for one in found) > 0 else 4.0
    below = room if min(one.worst for one in found) < 0 else 4.0
    per_px = max(high - low, 1.0) / max(tall - above - below, tall / 4)
    return low - below * per_px, high + above * per_px


def error_marks(
    off: CdfError,
    ends: tuple[float, float],
    names: Names,
    look: Look,
    axes: tuple[str, str],
    sides: int,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The curve, the truth as a line at 0, the worst point, and their words."""
    on = {"xaxis": axes[0], "yaxis": axes[1]}
    blue = look.ink.private
    curve = trace(
        "error of the CDF",
        off.edges,
        off.errors,
        mode="lines",
        line=line(blue, look.mark(2 if off.edges.size <= FINE else 1)),
        fill="tozeroy",
        fillcolor=translucent(blue, FILL),
    )
    zero = trace("truth", list(ends), [0, 0], mode="lines", line=line(look.ink.truth, look.mark(2)))
    dot = {"color": blue, "size": look.mark(8), "line": line(look.ink.page, 1.5)}
    point = trace("worst", [off.at], [off.worst], mode="markers", marker=dot, cliponaxis=False)
    said = f"worst: {signed(off.worst)} {names.people}"
    high = off.worst >= 0
    label = words(
        look,
        said,
        _inside(off.at, ends, len(said), look, sides),
        off.worst,
        colour=blue,
        align="center",
        stand="bottom" if high else "top",
        axes=axes,
        shift=(0, look.mark(7) if high else -look.mark(7)),
    )
    return [curve | on, zero | on, point | on], [label]


def _inside(at: float, ends: tuple[float, float], letters: int, look: Look, sides: int) -> float:
    """The middle of words that stay inside their panel, as near to a place as they can."""
    width = ends[1] - ends[0]
    half = min(letters * look.text(LETTER) / 2 / PANEL[sides], 0.5) * width
    return float(np.clip(at, ends[0] + half, ends[1] - half))
