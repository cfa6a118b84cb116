"""Private bars with their intervals, a panel a group; the original ones in ink."""

from typing import Any

import numpy as np

from dpviz.answers.quantiles.bins import BinsNumbers, GroupBins
from dpviz.answers.said import html_safe
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place, axes_at, grid, inside, numbered
from dpviz.figures.kit.picture import Picture, coloured, layout, line, picture, trace, words
from dpviz.figures.quantiles.scale import Scale

FEW = 80  # bars of a panel that still have gaps and whiskers; more have a band
GAP = 0.12  # of the narrowest bar's width
LONGEST = 24  # letters of a group's name
ABREAST = (1, 2, 3, 2, 3, 3)  # groups beside each other, by how many there are
BELOW = 0.26  # of the height, errors below the bars


def bins_picture(
    found: BinsNumbers, scale: Scale, people: str, look: Look, by: str = ""
) -> Picture:
    """Bars of all groups over one axis; people are counted, by is the groups' column.

    Beside the truth the errors of bins of one group stand enlarged below the bars.
    """
    many = len(found.groups)
    places = grid(many, look.said(ABREAST[many - 1], 1), (0.06, 0.18))
    errors = look.said(found.groups[0].errors, None) if many == 1 else None
    if errors is not None:
        places = [Place(up=(BELOW + 0.1, 1.0)), Place(up=(0.0, BELOW))]
    low, top = _reach(found)
    up = {"range": [low - 0.02 * top, 1.05 * top], "showgrid": True, "nticks": 6,
          "ticklabelstandoff": 6, "tickformat": ",.0f",
          "zeroline": True, "zerolinecolor": look.ink.grain, "zerolinewidth": 1}  # fmt: skip
    arranged = layout(look, left=64, right=28, top=56 if many > 1 else 34, bottom=34)
    arranged |= {"annotations": [_key(found, people, look, lifted=many > 1)], "shapes": []}
    arranged["barmode"] = "overlay"
    across = scale.axis(look, most=6 if many == 1 else 3)
    marks: list[dict[str, Any]] = []
    for at, (one, place) in enumerate(zip(found.groups, places, strict=False)):
        bare = {"showticklabels": errors is None, "ticks": "outside" if errors is None else ""}
        arranged |= axes_at(look, at, place, across | bare, up | {"showticklabels": place.is_first})
        drawn = [*_bars(one, found, people, look)]
        if one.truth is not None:
            drawn.append(_truth(found.edges, one.truth, look))
        marks += [mark | _on(at) for mark in drawn]
        if many > 1:
            name = f"{by} {one.name}"
            name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
            said = f"<b>{html_safe(name)}</b>"
            above = words(look, said, 0, 1, axes=inside(at), stand="bottom", shift=(0, 4))
            arranged["annotations"].append(above)
    if errors is not None:
        reach = 1.1 * max(found.law.half, float(np.abs(errors).max()))
        half, blue = found.law.half, look.ink.private
        ends = {"range": [-reach, reach], "tickvals": [-half, 0, half], "zeroline": True,
                "ticktext": [f"−{half:,.0f}", "0", f"+{half:,.0f}"], "ticklabelstandoff": 6,
                "zerolinecolor": look.ink.truth, "zerolinewidth": 1.5}  # fmt: skip
        arranged |= axes_at(look, 1, places[1], across, ends)
        arranged["shapes"].append({
            "type": "rect", "xref": "x2 domain", "yref": "y2", "x0": 0, "x1": 1, "layer": "below",
            "y0": -half, "y1": half, "fillcolor": translucent(blue, 0.15), "line": {"width": 0},
        })  # fmt: skip
        said = look.said("Errors, enlarged; about 19 in 20 lie in the band", "Errors, enlarged")
        arranged["annotations"].append(
            words(look, said, 0, 1, axes=inside(1), stand="bottom", colour=look.ink.second,
                  shift=(-look.text(56), 4))
        )  # fmt: skip
        middles = found.edges[:-1] + np.diff(found.edges) / 2
        dot = {"size": look.mark(8 if errors.size <= FEW else 5), "color": blue}
        marks.append(
            trace("errors", middles, errors, mode="markers", marker=dot, cliponaxis=False) | _on(1)
        )
    return picture(marks, arranged)


def _reach(found: BinsNumbers) -> tuple[float, float]:
    """The least and the largest count on the axis of all groups."""
    ends = [0.0, 1.0]
    for one in found.groups:
        ends += [one.counts.min() - found.law.half, one.counts.max() + found.law.half]
        ends += [] if one.truth is None else [one.truth.max()]
    return min(ends), max(ends)


def _on(at: int) -> dict[str, str]:
    return {"xaxis": f"x{numbered(at)}", "yaxis": f"y{numbered(at)}"}


def _key(found: BinsNumbers, people: str, look: Look, *, lifted: bool) -> dict[str, Any]:
    blue = look.ink.written("blue")
    said = f"{html_safe(people).capitalize()} in each bin: "
    said = look.said(said, "")
    said += coloured("private, 19 times in 20", blue, bold=True)
    if found.far is not None:
        said += f" · {coloured('original', look.ink.truth, bold=True)}"
    return words(
        look, said, 0, 1, axes=("paper", "paper"), stand="bottom", colour=look.ink.second,
        shift=(-look.text(56), look.text(28 if lifted else 10)),
    )  # fmt: skip


def _bars(
    one: GroupBins, found: BinsNumbers, people: str, look: Look
) -> tuple[dict[str, Any], dict[str, Any]]:
    blue, wide = look.ink.private, np.diff(found.edges)
    middles, few = found.edges[:-1] + wide / 2, one.counts.size <= FEW
    bars = {
        "type": "bar",
        "name": "private",
        "x": middles,
        "y": one.counts,
        "width": wide - (GAP * wide.min() if few else 0),
        "marker": {"color": translucent(blue, 0.45), "line": line(blue, 0)},
        "customdata": np.stack((found.edges[:-1], found.edges[1:]), axis=1),
        "hovertemplate": f"%{{customdata[0]:,.6g}} to %{{customdata[1]:,.6g}}: <b>%{{y:,.0f}}</b> "
        f"± {found.law.half:,.0f} {html_safe(people)}<extra></extra>",
    }
    low, high = one.counts - found.law.half, one.counts + found.law.half
    if few:
        gone = np.full(middles.size, np.nan)
        x, y = _joined(middles, middles, gone), _joined(low, high, gone)
        return bars, trace("intervals", x, y, mode="lines", line=line(blue, look.mark(2.5)))
    x = np.repeat(found.edges, 2)[1:-1]
    ends = np.concatenate((np.repeat(low, 2), np.repeat(high, 2)[::-1]))
    band = trace("intervals", np.concatenate((x, x[::-1])), ends, mode="none", fill="toself")
    return bars, band | {"fillcolor": translucent(blue, 0.35)}


def _truth(edges: FloatArray, truth: FloatArray, look: Look) -> dict[str, Any]:
    """A tick across each bar, as wide as its bin."""
    gone = np.full(truth.size, np.nan)
    x, y = _joined(edges[:-1], edges[1:], gone), _joined(truth, truth, gone)
    return trace("original", x, y, mode="lines", line=line(look.ink.truth, look.mark(2)))


def _joined(*parts: FloatArray) -> FloatArray:
    return np.stack(parts, axis=1).ravel()
