"""What a curve or running counts buy: counts as they could be published, and how far off they are.

Hollow marks are not published, filled ones are. The frame of two panels serves the other forms.
"""

from typing import Any

import numpy as np

from dpviz.answers.decide.exact.curve import CurveBuys
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.exact.running import RunningBuys
from dpviz.answers.decide.needs import often_words
from dpviz.answers.number_text import place
from dpviz.answers.said import html_safe
from dpviz.answers.trees.names import Names as AxisNames
from dpviz.answers.trees.rows import spread
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import TICK, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Column, axes_at, columns
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, line, picture, trace, words
from dpviz.figures.trees.curve import heading, round_step, values_axis

MAIN, BESIDE = Column((0.0, 0.6), (0.54, 1.0)), Column((0.69, 1.0), (0.0, 0.28))
BAND = 0.3  # opacity
DOTS = 14  # marks on a curve: it is hollow or filled, and not told at these places alone
ROOM = 1.35  # of the panel of errors around what it has to show
LABEL = 18.0


def curve_picture(found: CurveBuys, names: Names, look: Look) -> Picture:
    """Running counts between the bounds with their width, and their errors enlarged."""
    said = html_safe(f"How many {names.many} have less")
    marks = [
        *line_marks(found, look),
        *dotted(found.edges, found.counts, look, is_published=found.is_published),
        hovering(found.edges, found.counts, f"%{{y:,.0f}} {html_safe(names.many)} below", look),
    ]
    arranged = frame(found.edges, (found.counts, found.truth), names, look, said)
    if not found.is_made_up:
        arranged["annotations"].append(
            words(
                look,
                coloured(f"half below <b>{place(found.median)}</b>", look.ink.private),
                found.median,
                found.middle,
                shift=(look.text(12), -look.text(12)),
                size=LABEL,
                plate=True,
            )
        )
    else:
        arranged["annotations"].append(made_up_note(look))
    errors_beside(arranged, found.half, found.asked, found.sure, found.errors, look, names)
    if found.errors is not None:
        marks.append(error_line(found.edges, found.errors, look))
    return picture(marks, arranged)


def running_picture(found: RunningBuys, names: Names, look: Look) -> Picture:
    """Counts at the end of every step with their width, and their errors enlarged."""
    until = look.said(f"until the end of each {names.period}", "so far", presenting=True)
    said = html_safe(f"How many {names.many} {until}")
    arranged = frame(found.edges, (found.counts, found.truth), names, look, said)
    errors_beside(arranged, found.half, found.asked, found.sure, found.errors, look, names)
    marks = [
        *line_marks(found, look),
        *dotted(found.edges, found.counts, look, is_published=found.is_published),
        hovering(found.edges, found.counts, f"%{{y:,.0f}} {html_safe(names.many)} until", look),
    ]
    if found.errors is not None:
        marks.append(error_line(found.edges, found.errors, look))
    if found.is_made_up:
        arranged["annotations"].append(made_up_note(look))
    else:
        last = coloured(f"<b>{found.last:,.0f}</b> at the end", look.ink.private)
        stand: dict[str, Any] = {"align": "right", "stand": "bottom", "size": LABEL}
        corner = ("x domain", "y domain")
        arranged["annotations"].append(words(look, last, 0.98, 0.05, axes=corner, **stand))
    return picture(marks, arranged)


def line_marks(found: CurveBuys | RunningBuys, look: Look) -> list[dict[str, Any]]:
    """The band, the truth, and the counts above it, dotted grey where they are made up."""
    edges, low, high = found.edges, found.counts - found.half, found.counts + found.half
    band = trace(
        "all together",
        np.concatenate((edges, edges[::-1])),
        np.concatenate((low, high[::-1])),
        mode="none",
        fill="toself",
        fillcolor=translucent(look.ink.private, BAND),
    )
    marks = [band]
    if found.truth is not None:
        stroke = line(look.ink.truth, look.mark(2))
        marks.append(trace("truth", edges, found.truth, mode="lines", line=stroke))
    colour = look.ink.grain if found.is_made_up else look.ink.private
    dash = "solid" if found.truth is None and not found.is_made_up else "dot"
    stroke = line(colour, look.mark(2), dash=dash)
    return [*marks, trace("counts", edges, found.counts, mode="lines", line=stroke)]


def dotted(x: FloatArray, y: FloatArray, look: Look, *, is_published: bool) -> list[dict[str, Any]]:
    """A few marks on a curve, hollow unless it is published."""
    at = spread(x.size, min(DOTS, x.size))
    mark = marker(look, is_published=is_published)
    return [trace("marks", x[at], y[at], mode="markers", marker=mark, cliponaxis=False)]


def marker(look: Look, *, is_published: bool, size: float = 11) -> dict[str, Any]:
    """A dot: hollow for what is not published, filled for what is."""
    blue = look.ink.private
    return {
        "symbol": "circle",
        "size": look.mark(size),
        "color": blue if is_published else look.ink.page,
        "line": line(blue, look.mark(2.5)),
    }


def hovering(x: FloatArray, y: FloatArray, said: str, look: Look) -> dict[str, Any]:
    """An invisible line that says its numbers under the pointer."""
    clear = {"opacity": 0, "size": look.mark(8)}
    return trace("numbers", x, y, mode="markers", marker=clear) | {
        "hoverinfo": "all",
        "hovertemplate": f"{said} %{{x:,.6g}}<extra></extra>",
    }


def frame(
    edges: FloatArray, shown: tuple[FloatArray | None, ...], names: Names, look: Look, said: str
) -> dict[str, Any]:
    """The layout with its first panel: values from bound to bound, and counts of people."""
    ends = float(edges[0]), float(edges[-1])
    known = [one for one in shown if one is not None]
    top = max(float(one.max()) for one in known)
    low = min(0.0, *(float(one.min()) for one in known))
    arranged = layout(
        look,
        left=58,
        right=look.said(16, 30),
        top=30,
        bottom=34,
        shapes=[],
        annotations=[heading(look, said)],
    )
    main, _ = columns(look, MAIN, BESIDE)
    arranged["xaxis"] = across(ends, names, look, domain=list(main.across), anchor="y")
    arranged["yaxis"] = up((low, top), look, domain=list(main.up), anchor="x")
    return arranged


def across(ends: tuple[float, float], names: Names, look: Look, **others: Any) -> dict[str, Any]:
    """The values of a column from bound to bound."""
    own = AxisNames(axis=html_safe(names.column), unit=html_safe(names.unit))
    found: dict[str, Any] = values_axis(ends, own, look, **others)
    return found


def up(ends: tuple[float, float], look: Look, **others: Any) -> dict[str, Any]:
    """Counts of people in round steps with hairlines."""
    low, top = ends
    step = round_step(max(top, 1.0))
    at = np.arange(0, top + 0.3 * step, step)
    return axis(
        look,
        range=[low - 0.03 * top, max(top, float(at[-1])) + 0.04 * top],
        tickvals=at,
        ticktext=[f"{each:,.0f}" for each in at],
        ticklabelstandoff=6,
        showgrid=True,
        **others,
    )


def errors_beside(
    arranged: dict[str, Any],
    half: float,
    asked: float,
    sure: float,
    errors: FloatArray | None,
    look: Look,
    names: Names,
) -> None:
    """The second panel: the width, the need dashed, and where the truth is."""
    _, place_of = columns(look, MAIN, BESIDE)
    found = [half, asked] if errors is None else [half, asked, float(np.abs(errors).max())]
    reach = ROOM * max(found)
    zero = coloured("truth", look.ink.truth, bold=True) if errors is not None else "0"
    across_it = {"range": arranged["xaxis"]["range"], "showticklabels": False}
    up_it = {"range": [-reach, reach], "tickvals": [0.0], "ticktext": [zero]}
    up_it |= {"ticklabelstandoff": 6}
    arranged |= axes_at(look, 1, place_of, across_it, up_it)
    blue, ink = look.ink.private, look.ink.truth
    arranged["shapes"] += [
        _across_panel(-half, half, translucent(blue, BAND), None),
        _across_panel(0, 0, None, line(ink if errors is not None else look.ink.grain, 1.5)),
        *(_across_panel(at, at, None, _dashed(look)) for at in (-asked, asked)),
    ]
    at_most = "Off by at most"
    said = look.said(f"{at_most}, {often_words(sure)}", at_most, presenting=True)
    arranged["annotations"] += [
        heading(look, said, ("x2 domain", "y2 domain")),
        words(look, f"<b>± {half:,.0f}</b>", look.said(0.5, 1), half,
              colour=look.ink.written("blue"), align=look.said("center", "right"),
              stand=look.said("top", "bottom"), axes=("x2 domain", "y2"), size=LABEL),
        under(look, f"– – {html_safe(names.dashed(asked))}",
              ("x2 domain", "y2 domain")),
    ]  # fmt: skip
    enlarged = words(look, "enlarged", 0, 0, colour=look.ink.second, stand="top", size=TICK,
                     axes=("x2 domain", "y2 domain"), shift=(0, -look.text(8)))  # fmt: skip
    arranged["annotations"] += look.full(enlarged, presenting=True)


def under(look: Look, said: str, axes: tuple[str, str], down: float = 8) -> dict[str, Any]:
    """Words below the right end of a panel."""
    shift = (0, -look.text(down))
    return words(look, said, 1, 0, align="right", stand="top", axes=axes, shift=shift, size=TICK)


def error_line(edges: FloatArray, errors: FloatArray, look: Look) -> dict[str, Any]:
    """Errors along the axis, in the second panel."""
    stroke = line(look.ink.private, look.mark(1.5))
    return trace("errors", edges, errors, mode="lines", line=stroke, xaxis="x2", yaxis="y2")


def made_up_note(look: Look) -> dict[str, Any]:
    """Says in the first panel that nothing of a file is there."""
    return words(
        look,
        "made up",
        0.98,
        0.04,
        colour=look.ink.second,
        align="right",
        stand="bottom",
        axes=("x domain", "y domain"),
        plate=True,
    )


def _dashed(look: Look) -> dict[str, Any]:
    return line(look.ink.truth, look.mark(1.5), dash="dash")


def _across_panel(
    low: float, high: float, fill: str | None, stroke: dict[str, Any] | None
) -> dict[str, Any]:
    """A stretch of the second panel from side to side, or a line."""
    return {
        "type": "rect" if fill else "line",
        "xref": "x2 domain",
        "yref": "y2",
        "x0": 0,
        "x1": 1,
        "y0": low,
        "y1": high,
        "fillcolor": fill or "rgba(0,0,0,0)",
        "line": stroke or {"width": 0},
        "layer": "below",
    }
