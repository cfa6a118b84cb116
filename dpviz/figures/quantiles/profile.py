"""Quantiles of many columns at a glance: a line a column, each on its own declared bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import Writing, percent_of
from dpviz.answers.said import html_safe
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.figures.kit.look import FONT, TICK, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace

ROWS = 7  # lines in a column of the picture before there is a second one
FEWEST = 5  # lines that the picture has room for
GAP = 0.1  # between two columns of the picture, as a share of one
NAME, END, MIDDLE = 16.0, TICK, 18.0  # px of names, ends and medians
LONGEST = 24  # letters of a name


@confidential("bounds", "resolution")
@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """One column: its name, declared bounds, and published values (k,) of quantiles (k,).

    true are the true values (k,), or None while they are hidden; with them it is confidential.
    """

    name: str
    bounds: Bounds
    resolution: float
    quantiles: FloatArray
    published: FloatArray
    true: FloatArray | None = None

    def at(self, values: FloatArray) -> FloatArray:
        """Where values stand between the bounds, 0 to 1."""
        return np.clip((values - self.bounds.low) / self.bounds.width, 0.0, 1.0)

    @property
    def middle(self) -> int:
        """The place of the quantile nearest to a half."""
        return int(np.abs(self.quantiles - 0.5).argmin())

    @property
    def written(self) -> Writing:
        """How its values are written."""
        return Writing.of(self.bounds, self.resolution)


def profile_picture(portraits: Sequence[Portrait], look: Look) -> Picture:
    """All columns as small multiples: bounds as a line, quantiles as dots, the median by number.

    The bar reaches from the second-lowest to the second-highest quantile, or between quartiles.
    """
    across = look.said(min(4, -(-len(portraits) // ROWS)), 1)
    down = -(-len(portraits) // across)
    places = [(place // down, down - 1 - place % down) for place in range(len(portraits))]
    spare = max(0.0, (FEWEST - down) / 2)  # a few lines stand in the middle
    arranged = layout(look, left=14, right=14, top=8, bottom=8) | {
        "xaxis": axis(look, visible=False, range=[0, across - GAP]),
        "yaxis": axis(look, visible=False, range=[-0.5 - spare, down - 0.4 + spare]),
    }
    return picture(
        [
            _lines(places, look),
            _bars(portraits, places, look),
            *_truth(portraits, places, look),
            _dots(portraits, places, look),
            *_words(portraits, places, look),
        ],
        arranged,
    )


Places = Sequence[tuple[int, int]]


def _x(column: Any, share: Any) -> Any:
    return column + (1 - GAP) * share


def _lines(places: Places, look: Look) -> dict[str, Any]:
    x = [part for column, _ in places for part in (_x(column, 0.0), _x(column, 1.0), None)]
    y = [part for _, row in places for part in (row, row, None)]
    drawn = line(translucent(look.ink.second, 0.5), look.mark(2))
    return trace("declared bounds", x, y, mode="lines", line=drawn)


def _bars(portraits: Sequence[Portrait], places: Places, look: Look) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for one, (column, row) in zip(portraits, places, strict=True):
        inner = one.at(one.published)[[0, -1] if one.published.size < 4 else [1, -2]]
        x += [*_x(column, inner).tolist(), None]
        y += [row, row, None]
    drawn = line(translucent(look.ink.private, 0.35), look.mark(10))
    return trace("the middle half or more", x, y, mode="lines", line=drawn)


def _dots(portraits: Sequence[Portrait], places: Places, look: Look) -> dict[str, Any]:
    x = [
        _x(column, one.at(one.published))
        for one, (column, _) in zip(portraits, places, strict=True)
    ]
    y = [np.full(one.published.size, row) for one, (_, row) in zip(portraits, places, strict=True)]
    large = [
        np.where(np.arange(one.published.size) == one.middle, look.mark(13), look.mark(7))
        for one in portraits
    ]
    told = [
        [
            f"{html_safe(one.name)}: {percent_of(one.quantiles[at])} at most "
            f"{one.written.value(float(value))}"
            for at, value in enumerate(one.published)
        ]
        for one in portraits
    ]
    return trace(
        "published", np.concatenate(x), np.concatenate(y).astype(np.float64),
        mode="markers", hoverinfo="text", text=[text for each in told for text in each],
        marker={"size": np.concatenate(large).tolist(), "color": look.ink.private},
    )  # fmt: skip


def _truth(portraits: Sequence[Portrait], places: Places, look: Look) -> list[dict[str, Any]]:
    """A tick for each true value, through the line."""
    seen = [
        (_x(column, one.at(one.true)), np.full(one.true.size, float(row)))
        for one, (column, row) in zip(portraits, places, strict=True)
        if one.true is not None
    ]
    if not seen:
        return []
    tick = {"symbol": "line-ns", "size": look.mark(22), "line": line(look.ink.truth, look.mark(2))}
    x, y = (np.concatenate(part) for part in zip(*seen, strict=True))
    return [trace("true", x, y, mode="markers", marker=tick)]


def _words(portraits: Sequence[Portrait], places: Places, look: Look) -> list[dict[str, Any]]:
    """Names and medians above the lines, the ends of the bounds below: three traces for all."""
    names, middles, lows, highs = [], [], [], []
    for one in portraits:
        short = one.name if len(one.name) <= LONGEST else f"{one.name[: LONGEST - 1]}…"
        names.append(html_safe(short))
        middles.append(f"<b>{one.written.value(float(one.published[one.middle]))}</b>")
        lows.append(one.written.value(one.bounds.low))
        highs.append(one.written.value(one.bounds.high))
    columns = np.array([column for column, _ in places], dtype=np.float64)
    rows = np.array([row for _, row in places], dtype=np.float64)
    right, blue, grey = _x(columns, 1.0), look.ink.private, look.ink.second
    return [
        _text("names", columns, rows + 0.36, names, "right", look, NAME, look.ink.truth),
        _text("medians", right, rows + 0.36, middles, "left", look, MIDDLE, blue),
        _text("lows", columns, rows - 0.26, lows, "right", look, END, grey),
        _text("highs", right, rows - 0.26, highs, "left", look, END, grey),
    ]


def _text(
    name: str, x: FloatArray, y: FloatArray, texts: list[str], side: str, look: Look,
    size: float, colour: str,
) -> dict[str, Any]:  # fmt: skip
    font = {"family": FONT, "size": look.text(size), "color": colour}
    return trace(
        name, x, y, mode="text", text=texts, textposition=f"middle {side}", textfont=font,
        cliponaxis=False,
    )  # fmt: skip
