"""Record matching as areas: the square of all pairs, and the part of it that is still compared."""

import math
from collections.abc import Sequence

from dpviz.answers.spatial.matching import MatchingNumbers
from dpviz.answers.spatial.matching_said import labels
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, words

GAP = 0.35  # of a square's side, between two squares
LEAST = 0.004  # side of the smallest part that is seen


def matching_picture(found: Sequence[MatchingNumbers], look: Look) -> Picture:
    """A square of all pairs for each method; the part that is compared fills its corner.

    Areas are numbers of pairs. More than all of them fill the square. Confidential.
    """
    shapes, notes = [], []
    for place, one in enumerate(found):
        left = place * (1 + GAP)
        side = min(max(math.sqrt(one.share), LEAST), 1)
        ink = look.ink.of(one.name)
        shapes += [
            _square(left, 1, translucent(look.ink.grain, 0.25), look.ink.hairline, look),
            _square(left, side, ink, ink, look),
        ]
        pairs, part, kept = labels(one)
        notes += [
            words(look, f"<b>{look.ink.label(one.name)}</b>: {pairs}",
                  left, 1, stand="bottom", shift=(0, 6)),
            words(look, part, left + 0.5, 0.56,
                  align="center", colour=look.ink.second),
            words(look, kept, left + 0.5, 0.44,
                  align="center", colour=look.ink.second),
        ]  # fmt: skip
    wide = len(found) + GAP * (len(found) - 1)
    hidden = {"showticklabels": False}
    return picture(
        [{"type": "scatter", "x": [0, wide], "y": [0, 1], "mode": "markers",
          "marker": {"opacity": 0}, "hoverinfo": "skip", "name": "pairs"}],
        layout(
            look,
            left=16,
            right=16,
            top=36,
            bottom=14,
            xaxis=axis(look, range=[-0.01, wide + 0.01], **hidden),
            yaxis=axis(look, range=[-0.01, 1.08], scaleanchor="x", **hidden),
            shapes=shapes,
            annotations=notes,
        ),
    )  # fmt: skip


def _square(left: float, side: float, fill: str, edge: str, look: Look) -> dict[str, object]:
    return {
        "type": "rect",
        "x0": left,
        "x1": left + side,
        "y0": 0,
        "y1": side,
        "fillcolor": fill,
        "line": line(edge, look.mark(1)),
    }
