"""How far the CDF of a tree is off along the axis, around the black line of the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.answers.trees.levels import CdfError
from dpviz.answers.trees.names import Names, signed
from dpviz.figures.kit.look import WORDS, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import line, trace, words

FILL = 0.25
FINE = 257  # points, beyond which a line of 2 px would be a block
GLYPH = 7.4  # px of a letter at 15 px
PANEL = {1: 232.0, 2: 520.0}  # px across of a side on a phone, and of one of two


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
    half = min(letters * look.text(GLYPH) / 2 / PANEL[sides], 0.5) * width
    return float(np.clip(at, ends[0] + half, ends[1] - half))
