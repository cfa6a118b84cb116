"""The CDF of a noisy tree in counts of people: its band, its smoothed form, and the truth."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.answers.trees.names import Names, ticks, value
from dpviz.answers.trees.rows import spread
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words

POINTS = 1024
BAND, WIDER = 0.25, 0.12  # opacity of the pointwise and of the simultaneous band


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Running counts at leaf edges, all (k,): counts as they are read, and what surrounds them.

    band and wider are half-widths: where each count lies for itself, and where all lie together.
    smooth is the closest curve that never falls. truth is confidential.
    """

    edges: FloatArray
    counts: FloatArray
    band: FloatArray | None = None
    wider: float | None = None
    smooth: FloatArray | None = None
    truth: FloatArray | None = None

    def thinned(self, most: int = POINTS) -> "Curve":
        """No more points than a screen shows, both ends kept."""
        size = self.edges.size
        at = np.unique(np.concatenate(([0], spread(size, most), [size - 1])))
        kept: dict[str, Any] = {
            name: None if (array := getattr(self, name)) is None else array[at]
            for name in ("edges", "counts", "band", "smooth", "truth")
        }
        return replace(self, **kept)


def curve_marks(curve: Curve, look: Look) -> list[dict[str, Any]]:
    """Bands below, then the truth, then the private curves."""
    blue = look.ink.private
    marks: list[dict[str, Any]] = []
    around = curve.counts
    if curve.wider is not None:
        wide = np.full(around.size, curve.wider)
        marks.append(_band("all together", curve.edges, around, wide, translucent(blue, WIDER)))
    if curve.band is not None:
        marks.append(_band("each", curve.edges, around, curve.band, translucent(blue, BAND)))
    if curve.truth is not None:
        stroke = line(look.ink.truth, look.mark(2))
        marks.append(trace("truth", curve.edges, curve.truth, mode="lines", line=stroke))
    stroke = line(blue, look.mark(2), dash="dot" if curve.smooth is not None else "solid")
    marks.append(trace("as read", curve.edges, curve.counts, mode="lines", line=stroke))
    if curve.smooth is not None:
        stroke = line(blue, look.mark(2.5))
        marks.append(trace("smoothed", curve.edges, curve.smooth, mode="lines", line=stroke))
    return marks


def people_axis(curve: Curve, look: Look, **others: Any) -> dict[str, Any]:
    """Counts of people from 0 to all of them, in round steps with hairlines."""
    top = max(float(np.nanmax(part)) for part in _shown(curve))
    low = min(float(np.nanmin(part)) for part in _shown(curve))
    step = round_step(max(top, 1.0))
    at = np.arange(0, top + 0.3 * step, step)
    return axis(
        look,
        range=[min(low, 0.0) - 0.03 * top, max(top, float(at[-1])) + 0.03 * top],
        tickvals=at,
        ticktext=[f"{each:,.0f}" for each in at],
        ticklabelstandoff=6,
        showgrid=True,
        **others,
    )


def values_axis(ends: tuple[float, float], names: Names, look: Look, **others: Any) -> Any:
    """The column's values from bound to bound, the first with its unit."""
    at = ticks(*ends)
    said = [value(each) for each in at]
    return axis(
        look,
        range=list(ends),
        tickvals=at,
        ticktext=[f"{names.axis} {said[0]}", *said[1:]],
        ticks="outside",
        ticklen=5,
        **others,
    )


def heading(
    look: Look,
    said: str,
    axes: tuple[str, str] = ("x domain", "paper"),
    *,
    at: float = 0.0,
    colour: str | None = None,
    align: str = "left",
    aside: float = 0.0,
) -> dict[str, Any]:
    """Words above a panel, at its left edge or at the share `at` of its width."""
    shift = (look.text(aside), look.text(6))
    return words(
        look, said, at, 1, axes=axes, colour=colour, align=align, stand="bottom", shift=shift
    )


def round_step(top: float) -> float:
    """A step of 1, 2 or 5 that goes into a range three to six times."""
    rough = top / 4
    power = 10.0 ** np.floor(np.log10(rough))
    return float(min((1, 2, 5, 10), key=lambda one: abs(np.log(one * power / rough))) * power)


def tree_curve(curve: Curve, names: Names, look: Look, *, said: str, sure: str = "") -> Picture:
    """The CDF alone, as large as the page: said stands above it, sure names the band."""
    names = names.safe()
    ends = float(curve.edges[0]), float(curve.edges[-1])
    notes = [heading(look, said)]
    if sure and curve.band is not None:
        where = (ends[0] + 0.98 * (ends[1] - ends[0]), 0.04)
        notes.append(
            words(
                look, sure, *where, colour=look.ink.private, align="right", axes=("x", "y domain")
            )
        )
    arranged = layout(look, left=64, right=28, top=30, bottom=32, annotations=notes)
    arranged |= {"xaxis": values_axis(ends, names, look), "yaxis": people_axis(curve, look)}
    marks = [_hover(curve, names), *curve_marks(curve, look)]
    return picture(marks, arranged)


def _hover(curve: Curve, names: Names) -> dict[str, Any]:
    """An invisible line that says its numbers under the pointer."""
    shown = curve.counts if curve.smooth is None else curve.smooth
    true = "" if curve.truth is None else "<br>true %{customdata:,.0f}"
    return trace(
        "numbers", curve.edges, shown, mode="markers", marker={"opacity": 0, "size": 8}
    ) | {
        "hoverinfo": "all",
        "customdata": curve.truth,
        "hovertemplate": f"%{{y:,.0f}} {names.people} below {names.axis} %{{x:,.6g}}{true}"
        "<extra></extra>",
    }


def _shown(curve: Curve) -> list[FloatArray]:
    band = 0.0 if curve.band is None else curve.band
    parts = [curve.counts + band, curve.counts - band]
    return parts + [one for one in (curve.smooth, curve.truth) if one is not None]


def _band(name: str, x: FloatArray, middle: FloatArray, half: FloatArray, fill: str) -> Any:
    return trace(
        name,
        np.concatenate((x, x[::-1])),
        np.concatenate((middle - half, (middle + half)[::-1])),
        mode="none",
        fill="toself",
        fillcolor=fill,
    )
