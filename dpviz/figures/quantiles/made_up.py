"""A made-up column beside the real one: both CDFs, and the distance between them."""

from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE, translucent
from dpviz.figures.kit.picture import Picture, axis, coloured, layout, line, picture, trace, words
from dpviz.figures.quantiles.cdf import TrueCurve
from dpviz.figures.quantiles.marks import PALE
from dpviz.figures.quantiles.scale import Scale

SHARES = np.array([0.25, 0.5, 0.75, 1.0])


def made_up_picture(
    values: FloatArray,
    quantiles: FloatArray,
    curve: TrueCurve | None,
    scale: Scale,
    title: str,
    look: Look,
    *,
    names: tuple[str, str],
) -> Picture:
    """The private CDF in blue; with the truth its distance shaded, and the true CDF in ink.

    Shapes: values (k,) and quantiles (k,), ascending. names are those of the made-up and of the
    true curve. curve is confidential.
    """
    mine = TrueCurve(values, quantiles)
    x, y = mine.closed(scale.bounds)
    y[-1] = 1.0
    labels = [_heading(title, look), _name(mine, 0.4, names[0], scale, look, truth=False)]
    data: list[dict[str, Any]] = []
    if curve is not None:
        data += _distance((x, y), curve.closed(scale.bounds), look)
        labels.append(_name(curve, 0.75, names[1], scale, look, truth=True))
    hue = look.ink.of(PRIVATE)
    data.append(trace("made-up", x, y, mode="lines", line=line(hue, look.mark(2.5), shape="hv")))
    arranged = layout(look, left=52, right=30) | {
        "xaxis": scale.axis(look),
        "yaxis": axis(
            look,
            range=[0, 1.03],
            tickvals=SHARES.tolist(),
            ticktext=[f"{100 * share:.0f} % " for share in SHARES],
            showgrid=True,
        ),
        "annotations": labels,
    }
    return picture(data, arranged)


def _distance(
    mine: tuple[FloatArray, FloatArray], true: tuple[FloatArray, FloatArray], look: Look
) -> list[dict[str, Any]]:
    """The true CDF, and the area between both in pale blue."""
    steps = [np.repeat(one, 2) for one in mine], [np.repeat(one, 2) for one in true]
    outline = [
        np.concatenate((a[1:], b[1:][::-1])) if at == 0 else np.concatenate((a[:-1], b[:-1][::-1]))
        for at, (a, b) in enumerate(zip(*steps, strict=True))
    ]
    shade = trace(
        "distance",
        *outline,
        mode="lines",
        line=line("rgba(0,0,0,0)", 0),
        fill="toself",
        fillcolor=translucent(look.ink.of(PRIVATE), PALE),
    )
    drawn = line(look.ink.truth, look.mark(2), shape="hv")
    return [shade, trace("true CDF", *true, mode="lines", line=drawn)]


def _heading(title: str, look: Look) -> dict[str, Any]:
    return words(
        look, title, 0, 1, colour=look.ink.second, stand="bottom",
        axes=("x domain", "y domain"), shift=(-50 * look.text(1), 8),
    )  # fmt: skip


def _name(
    curve: TrueCurve, share: float, name: str, scale: Scale, look: Look, *, truth: bool
) -> dict[str, Any]:
    """The name of a curve where it passes a share: the true one left of it, the other right."""
    at = np.searchsorted(curve.height, share) if curve.value.size else 0
    x = float(curve.value[min(at, curve.value.size - 1)]) if curve.value.size else scale.view[0]
    colour = look.ink.truth if truth else look.ink.written(PRIVATE)
    align, shift = ("right", -20) if truth else ("left", 20)
    return words(
        look, coloured(name, colour, bold=not truth), float(np.clip(x, *scale.view)), share,
        size=17, align=align, shift=(shift * look.text(1), 0),
    )  # fmt: skip
