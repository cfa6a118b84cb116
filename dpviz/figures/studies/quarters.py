"""PSD's small examples: a query on a quadtree, its answers, and two estimates of one count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import Curve, Grid, Panel, Scale, ended

NAMES = "bcde"
HALF, ALONE = 0.5, 1.0


def query_figure(
    counts: Sequence[FloatArray],
    places: Sequence[Sequence[tuple[int, int]]],
    used: Sequence[FloatArray],
    wide: int,
    look: Look,
    *,
    truth: Sequence[FloatArray] | None = None,
) -> Picture:
    """Fig. 1: the private counts of a quadtree of height 2; those that the query adds are filled.

    places[level] are columns and rows of its nodes, used[level] their weights; wide is how many
    leaves the query covers each way from the top left. truth is shown beside each count.
    """
    shapes, notes = [], []
    for level in (1, 2):
        side = 4 // 2**level
        for node, (column, row) in enumerate(places[level]):
            inside = used[level][node] > 0
            if level == 2 and used[1][node // 4] > 0:
                continue  # its parent is added whole
            fill = translucent(look.ink.private, 0.3) if inside else "rgba(0,0,0,0)"
            if inside or level == 2:
                shapes.append(_cell(column, row, side, fill, look))
            if inside or level == 2:
                exact = None if truth is None else float(truth[level][node])
                name = NAMES[node] if level == 1 else ""
                notes.append(_count(counts[level][node], exact, name, (column, row), side, look))
    shapes.append(
        {
            "type": "rect", "x0": 0, "x1": wide, "y0": 0, "y1": wide,
            "line": grammar.line(look.ink.second, look.mark(3), dash="dot"),
        }
    )  # fmt: skip
    return grammar.picture([], _square(shapes, notes, look))


def _cell(column: int, row: int, side: int, fill: str, look: Look) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": column * side,
        "x1": (column + 1) * side,
        "y0": row * side,
        "y1": (row + 1) * side,
        "fillcolor": fill,
        "line": grammar.line(look.ink.grain, 1),
        "layer": "below",
    }


def _count(
    value: float,
    exact: float | None,
    name: str,
    place: tuple[int, int],
    side: int,
    look: Look,
) -> dict[str, Any]:
    said = f"<b>{grammar.coloured(f'{value:.1f}'.replace('-', '−'), look.ink.private)}</b>"
    if exact is not None:
        said += f"  {exact:g}"
    if name:
        said = f"{name}<br>{said}"
    x, y = ((one + 0.5) * side for one in place)
    size = (22 if name else 16) if not look.phone else (18 if name else 14.5)
    return grammar.words(look, said, x, y, align="center", stand="middle", size=size)


def _square(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], look: Look
) -> dict[str, Any]:
    hidden = {"showticklabels": False}
    return grammar.layout(
        look,
        left=8,
        right=8,
        top=8,
        bottom=10,
        shapes=shapes,
        annotations=notes,
        xaxis=grammar.axis(look, range=[-0.02, 4.02], constrain="domain", **hidden),
        yaxis=grammar.axis(
            look, range=[4.02, -0.02], scaleanchor="x", constrain="domain", **hidden
        ),
    )


def answers_figure(answers: pd.DataFrame, look: Look, *, truth: float | None = None) -> Picture:
    """§4.1: a dot for each way to answer one query, with a standard error on each side.

    answers has columns way, answer, counts and error; the first and the last way are in blue.
    """
    rows = np.arange(len(answers))
    marked = (rows == 0) | (rows == rows[-1])
    colours = np.where(marked, look.ink.private, look.ink.second)
    shapes = [] if truth is None else [grammar.rule(look, truth)]
    trace = grammar.trace(
        "answers",
        answers["answer"],
        rows,
        mode="markers",
        marker={"color": list(colours), "size": look.mark(12)},
        error_x={
            "array": answers["error"],
            "color": look.ink.second,
            "thickness": look.mark(2),
            "width": 0,
        },
        customdata=answers["counts"],
        hovertemplate="%{x:.1f} from %{customdata} counts<extra></extra>",
        hoverinfo="all",
    )
    words = [
        f"{row.way}<br>{grammar.coloured(f'{row.counts} counts', look.ink.second)}"
        for row in answers.itertuples()
    ]
    arranged = grammar.layout(
        look,
        left=150,
        top=24,
        bottom=52,
        shapes=shapes,
        annotations=[] if truth is None else [_true(truth, look)],
        xaxis=grammar.axis(look, showgrid=True, title={"text": "points in the query"}),
        yaxis=grammar.axis(
            look, range=[len(answers) - 0.5, -0.5], tickvals=list(rows), ticktext=words
        ),
    )
    return grammar.picture([trace], arranged)


def _true(truth: float, look: Look) -> dict[str, Any]:
    return grammar.words(
        look, f"<b>the truth {truth:g}</b>", truth, 1, axes=("x", "y domain"), align="center",
        stand="bottom", size=15,
    )  # fmt: skip


def two_estimates_figure(rows: pd.DataFrame, best: tuple[float, float], look: Look) -> Picture:
    """§5: the variance of a weighted mean of a count and the sum of its four children's.

    rows has columns weight and variance, best is least squares' weight and variance.
    """
    curve = Curve(
        "blue",
        "its variance",
        rows["weight"].to_numpy(np.float64),
        rows["variance"].to_numpy(np.float64),
    )
    across = Scale("weight of the root's own count", ticks=[0, HALF, best[0], ALONE])
    up = Scale("Variance, in that of one count", span=(0.0, float(rows["variance"].max())))
    drawn = ended(Panel("", [curve]), Grid(across, up), look)
    at = {HALF: "the plain mean", best[0]: "least squares", ALONE: "the root alone"}
    for weight, name in at.items():
        variance = float(np.interp(weight, rows["weight"], rows["variance"]))
        said = f"{name}<br><b>{variance:.3g}</b>"
        side = "left" if weight == HALF else "center"  # the curve falls steeply there
        drawn["layout"]["annotations"].append(
            grammar.words(look, said, weight, variance, align=side, stand="bottom", size=15,
                          shift=(0, look.text(6)))
        )  # fmt: skip
    return drawn
