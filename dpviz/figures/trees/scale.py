"""The colour scale of a tree: it spans the values that there are, and says which."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.layout import plain
from dpviz.figures.kit.palette import Ink
from dpviz.figures.kit.shades import diverging, shades
from dpviz.figures.trees.view import TreeView

FLOOR = 0.05  # of the largest value: closer values get one colour, or rounding would be contrast


def colour_axis(view: TreeView, ink: Ink) -> dict[str, object]:
    """Plotly's colour axis with its bar above the picture; 0 is the middle of signed shades."""
    flat = np.concatenate([np.ravel(level) for level in view.shade])
    known = flat[np.isfinite(flat)]
    if view.signed:
        reach = float(np.abs(known).max(initial=0.0)) or 1.0
        low, high, scale = -reach, reach, diverging(ink)
    else:
        (low, high), scale = _ends(known), shades(ink)
    bar = _bar(f"{plain(view.shade_name)}: {_said(known, signed=view.signed)}")
    return {"colorscale": scale, "cmin": low, "cmax": high, "colorbar": bar}


def short(number: float) -> str:
    """A number in three digits or more, thousands grouped."""
    said = f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
    return said.replace("-", "−")


def _ends(known: FloatArray) -> tuple[float, float]:
    """From the least to the most; an exact node, with 0, must not flatten all the others."""
    positive = known[known > 0]
    if not positive.size:
        return 0.0, 1.0
    least, most = float(positive.min()), float(positive.max())
    half = max(most - least, FLOOR * most) / 2
    middle = (least + most) / 2
    return middle - half, middle + half


def _said(known: FloatArray, *, signed: bool) -> str:
    some = known if signed else known[known > 0]
    if not some.size:
        return "0" if known.size else "not known"
    least, most = short(float(some.min())), short(float(some.max()))
    spoken = f"{least} everywhere" if least == most else f"{least} to {most}"
    exact = not signed and some.size < known.size
    return f"{spoken}, 0 where exact" if exact else spoken


def _bar(title: str) -> dict[str, object]:
    return {
        "title": {"text": title, "side": "top", "font": {"size": 12}},
        "orientation": "h",
        "thickness": 10,
        "len": 1,
        "x": 0.5,
        "xanchor": "center",
        "y": 1,
        "yanchor": "bottom",
        "ypad": 2,
        "outlinewidth": 0,
        "nticks": 6,
        "tickfont": {"size": 11},
    }
