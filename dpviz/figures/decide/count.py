"""What a count buys: the count as it could be published, and how likely each error is."""

from typing import Any

import numpy as np

from dpviz.answers.decide.exact.count import CountBuys
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.needs import often_words
from dpviz.answers.said import html_safe
from dpviz.figures.decide.curve import LABEL, marker, under
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, line, picture, trace, words
from dpviz.figures.trees.curve import heading

INSIDE, OUTSIDE = 0.55, 0.2  # opacity of errors that the promise covers, and of others
TOP = 1.28  # of the highest bar: room for a label
FLOOR = -0.09  # of the highest bar: where the published count stands


def count_picture(found: CountBuys, names: Names, look: Look) -> Picture:
    """The law of the noise around the truth, or around the count while the truth is hidden."""
    middle = found.middle or 0.0
    high = float(found.chances.max())
    said = _heading(found, look)
    arranged = layout(
        look, left=24, right=24, top=30, bottom=56, shapes=[], annotations=[heading(look, said)]
    )
    reach = 1.15 * max(float(found.errors[-1]), found.asked, found.half, found.off or 0.0)
    arranged["xaxis"] = _people(found, middle, reach, look)
    arranged["yaxis"] = axis(look, range=[1.8 * FLOOR * high, TOP * high], visible=False)
    arranged["shapes"] = [
        _upright(middle, high, look, colour=_colour(found, look), dash="solid"),
        *(_upright(middle + at, 0.9 * high, look) for at in (-found.asked, found.asked)),
    ]
    marks = [_law(found, middle, look)]
    arranged["annotations"] += _labels(found, middle, high, names, look)
    if found.count is not None:
        dot = marker(look, is_published=found.is_published, size=15)
        at = [found.count], [FLOOR * high]
        marks.append(trace("count", *at, mode="markers", marker=dot, cliponaxis=False))
    return picture(marks, arranged)


def _heading(found: CountBuys, look: Look) -> str:
    said = "How likely each count is"
    if found.truth is None and found.count is not None:
        said = "Where the true count is likely to be"
    full = f"{said}; the darker bars together: {often_words(found.sure)}"
    return look.said(full, said, presenting=True)


def _colour(found: CountBuys, look: Look) -> str:
    """Of the middle: ink for the truth, blue for a count, grey for neither."""
    if found.truth is not None:
        return look.ink.truth
    return look.ink.grain if found.count is None else look.ink.private


def _law(found: CountBuys, middle: float, look: Look) -> dict[str, Any]:
    blue = look.ink.private
    inside = np.abs(found.errors) <= found.half
    colours = np.where(inside, translucent(blue, INSIDE), translucent(blue, OUTSIDE))
    return {
        "type": "bar",
        "name": "law",
        "x": middle + found.errors,
        "y": found.chances,
        "width": 0.86 * found.width,
        "marker": {"color": colours.tolist(), "line": {"width": 0}},
        "customdata": 100 * found.chances,
        "hovertemplate": "%{x:,.0f}: %{customdata:.3~g} %<extra></extra>",
    }


def _people(found: CountBuys, middle: float, reach: float, look: Look) -> dict[str, Any]:
    """The middle and the ends of the width; without a count their distance alone."""
    at = [middle - found.half, middle, middle + found.half]
    if found.middle is None:
        said = [f"−{found.half:,.0f}", "0", f"+{found.half:,.0f}"]
    else:
        said = [f"{each:,.0f}".replace("-", "−") for each in at]
    if found.truth is not None:
        said[1] = coloured(said[1], look.ink.truth, bold=True)
    return axis(
        look,
        range=[middle - reach, middle + reach],
        tickvals=at,
        ticktext=said,
        ticks="outside",
        ticklen=5,
        showline=True,
    )


def _upright(
    x: float, top: float, look: Look, *, colour: str = "", dash: str = "dash"
) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "y",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": top * (1.06 if dash == "solid" else 1),
        "line": line(colour or look.ink.truth, look.mark(2 if dash == "solid" else 1.5), dash=dash),
    }


def _labels(
    found: CountBuys, middle: float, high: float, names: Names, look: Look
) -> list[dict[str, Any]]:
    legend = f"– – {html_safe(names.dashed(found.asked))}"
    notes = [under(look, legend, ("x domain", "y domain"), 32)]
    if found.truth is not None:
        said = f"<b>{found.truth:,.0f}</b> true"
    elif found.count is None:
        said = "the true count"
    else:
        said = ""
    if said:
        notes.append(
            words(look, said, middle, 1.1 * high, align="center", stand="bottom", size=LABEL)
        )
    if found.count is not None:
        shown = f"<b>{found.count:,.0f}</b> ± {found.half:,.0f}"
        ink = look.ink.written("blue")
        notes.append(
            words(look, shown, found.count, FLOOR * high, colour=ink, size=LABEL,
                  shift=(look.text(16), 0), plate=True)
        )  # fmt: skip
    return notes
