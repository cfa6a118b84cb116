"""PSD's small examples: a query on a quadtree, its answers, and two estimates of one count."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import Curve, Grid, Panel, Scale, ended

NAMES = ("a", "bcde")
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

    Every node has the paper's letter: a the root, b to e its quarters, u1 to u16 the leaves; a and
    those quarters that are not added whole stand at the edge. places[level] are columns and rows
    of its nodes, used[level] their weights; wide is how many leaves the query covers each way from
    the top left. truth is shown beside each count.
    """

    def said(level: int, node: int, *, apart: str) -> str:
        exact = None if truth is None else float(truth[level][node])
        return f"{name_of(level, node)}{apart}{_count(counts[level][node], exact, look)}"

    whole = used[1] > 0
    shapes, notes = [], [_at_edge(said(0, 0, apart=", all  "), 0, True, look)]
    for node, place in enumerate(places[1]):
        if whole[node]:
            shapes.append(_cell(place, 2, _fill(look), look))
            notes.append(_inside(said(1, node, apart="<br>"), place, 2, look))
        else:
            column, row = place
            notes.append(_at_edge(said(1, node, apart="  "), column, row == 0, look))
    for node, place in enumerate(places[2]):
        if not whole[node // 4]:
            fill = _fill(look) if used[2][node] > 0 else "rgba(0,0,0,0)"
            shapes.append(_cell(place, 1, fill, look))
            notes.append(_inside(said(2, node, apart="<br>"), place, 1, look))
    shapes += [_cell(place, 2, "rgba(0,0,0,0)", look, 2.5) for place in places[1]]
    shapes.append(
        {
            "type": "rect", "x0": 0, "x1": wide, "y0": 0, "y1": wide,
            "line": grammar.line(look.ink.second, look.mark(3), dash="dot"),
        }
    )  # fmt: skip
    return grammar.picture([], _square(shapes, notes, look))


def name_of(level: int, node: int) -> str:
    """A node's name in the paper: a; b, c, d, e; u1 to u16, the children of b first."""
    return f"u{node + 1}" if level == 2 else NAMES[level][node]


def _fill(look: Look) -> str:
    return translucent(look.ink.private, 0.3)


def _cell(
    place: tuple[int, int], side: int, fill: str, look: Look, width: float = 1
) -> dict[str, Any]:
    column, row = place
    return {
        "type": "rect",
        "x0": column * side,
        "x1": (column + 1) * side,
        "y0": row * side,
        "y1": (row + 1) * side,
        "fillcolor": fill,
        "line": grammar.line(look.ink.grain, width),
        "layer": "below",
    }


def _count(value: float, exact: float | None, look: Look) -> str:
    said = f"<b>{grammar.coloured(f'{value:.1f}'.replace('-', '−'), look.ink.private)}</b>"
    return said if exact is None else f"{said}  {exact:g}"


def _inside(said: str, place: tuple[int, int], side: int, look: Look) -> dict[str, Any]:
    x, y = ((one + 0.5) * side for one in place)
    size = look.said((16, 22), (TICK, 18))[side > 1]
    return grammar.words(look, said, x, y, align="center", stand="middle", size=size)


def _at_edge(said: str, column: int, above: bool, look: Look) -> dict[str, Any]:
    """Beside a quarter, above or below the square."""
    y, stand = (0, "bottom") if above else (4, "top")
    return grammar.words(
        look, said, 2 * column + 1, y, align="center", stand=stand,
        size=look.said(16, TICK), shift=(0, 4 if above else -4),
    )  # fmt: skip


def _square(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], look: Look
) -> dict[str, Any]:
    hidden = {"showticklabels": False}
    return grammar.layout(
        look,
        left=8,
        right=8,
        top=34,
        bottom=34,
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
