"""How far off a draw is expected to be, before it is drawn: an interval a row."""

import numpy as np

from dpviz.answers.studies import expected_said
from dpviz.answers.studies.expected import Expected
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words

LABEL_ROOM = 1.35  # the axis beyond the longest interval, for its words


def expected_picture(expected: Expected, look: Look) -> Picture:
    """A hollow interval a row, around what is true and unknown."""
    shown = expected.some()
    rows = np.arange(len(shown.names))[::-1].astype(float)
    colour = look.ink.of(PRIVATE)
    bars = [
        trace(
            shown.names[at], [-half, half], [rows[at], rows[at]], mode="lines+markers",
            line=line(colour, look.mark(2)),
            marker={"symbol": "line-ns-open", "size": look.mark(14), "color": colour,
                    "line": {"width": look.mark(2), "color": colour}},
        )
        for at, half in enumerate(shown.halves.tolist())
    ]  # fmt: skip
    reach = LABEL_ROOM * (float(shown.halves.max()) or 1.0)
    labels = [
        words(look, expected_said.text(shown, at), half, rows[at], shift=(10, 0), plate=True)
        for at, half in enumerate(shown.halves.tolist())
    ]
    arranged = layout(look, left=150, right=90) | {
        "xaxis": axis(
            look, range=[-reach, reach], tickvals=[0], ticktext=["what is true"],
            zeroline=True, zerolinecolor=look.ink.hairline,
        ),
        "yaxis": axis(
            look, range=[-0.7, len(shown.names) - 0.3], tickvals=rows.tolist(),
            ticktext=list(shown.names),
        ),
        "annotations": labels,
    }  # fmt: skip
    return picture(bars, arranged)
