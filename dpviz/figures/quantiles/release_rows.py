"""What an outsider sees of private quantiles: dots, the curve through them, and estimated bands."""

from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import Answers
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import Picture, layout, line, picture, trace, words
from dpviz.figures.quantiles.labels import AWAY, published_text
from dpviz.figures.quantiles.marks import LABEL, band_marks, dots, ribbon, row_axis
from dpviz.figures.quantiles.scale import Scale

BANDS = "give or take: holds the truth about 19 times in 20, estimated by publishing again"
SHORT = "give or take: about 19 in 20"
ROOM = 0.94  # of the width: a band that ends further right leaves no room for words


def release_picture(
    answers: Answers, half_widths: FloatArray | None, scale: Scale, title: str, look: Look
) -> Picture:
    """The release alone: nothing in it is confidential. title is plain text.

    Shapes: half_widths (k,), how far the truth may be from each number, or None without bands.
    """
    rows, published = answers.quantiles, answers.published
    data = []
    ends = (published, published)
    if half_widths is not None:
        ends = (scale.clipped(published - half_widths), scale.clipped(published + half_widths))
        data.append((ribbon if answers.are_many else band_marks)(*ends, rows, look))
    data += [_curve(answers, scale, look), dots(published, rows, look, size=_size(answers))]
    heading = words(
        look, title, 0, 1, colour=look.ink.second, stand="bottom",
        axes=("x domain", "y domain"), shift=(-44 * look.text(1), 8),
    )  # fmt: skip
    labels = [heading, *_labels(answers, ends, scale, look)]
    if half_widths is not None:
        labels += look.full(_note(look))  # on a phone the page says it
    arranged = layout(look, left=46, right=30) | {
        "xaxis": scale.axis(look),
        "yaxis": row_axis(answers, look),
        "annotations": labels,
    }
    return picture(data, arranged)


def _size(answers: Answers) -> float:
    return 6 if answers.are_many else 14


def _curve(answers: Answers, scale: Scale, look: Look) -> dict[str, Any]:
    """Straight pieces through the published numbers, from one declared bound to the other."""
    x = np.concatenate(([scale.bounds.low], answers.published, [scale.bounds.high]))
    y = np.concatenate(([0.0], answers.quantiles, [1.0]))
    drawn = line(look.ink.of(PRIVATE), look.mark(2), dash="dot")
    return trace("published curve", x, y, mode="lines", line=drawn)


def _labels(
    answers: Answers, ends: tuple[FloatArray, FloatArray], scale: Scale, look: Look
) -> list[dict[str, Any]]:
    found, away = [], AWAY * look.text(1)
    for row in answers.labelled.tolist():
        row_at = float(answers.quantiles[row])
        value = scale.writing.value(float(answers.published[row]))
        named = row == answers.middle and scale.position(float(ends[1][row])) < 0.75
        text = published_text(value, look, named=named)
        found.append(_beside(look, text, _text_from(answers, ends, scale, row), row_at, away))
        likely = ends[0][row] < ends[1][row] and scale.position(float(ends[0][row])) > 0.25
        if row == answers.middle and likely:
            text = " to ".join(scale.writing.value(float(end[row])) for end in ends)
            note = _beside(look, f"likely {text}", float(ends[0][row]), row_at, -away)
            note["font"] = note["font"] | {"size": look.text(), "color": look.ink.second}
            found += look.full(note)
    return found


def _text_from(
    answers: Answers, ends: tuple[FloatArray, FloatArray], scale: Scale, row: int
) -> float:
    """Where the words of a row begin: behind its band, or behind the dot if no room is left."""
    behind = float(ends[1][row])
    return behind if scale.position(behind) < ROOM else float(answers.published[row])


def _beside(look: Look, text: str, x: float, row: float, away: float) -> dict[str, Any]:
    align = "left" if away > 0 else "right"
    return words(look, text, x, float(row), size=LABEL, align=align, shift=(away, 0), plate=True)


def _note(look: Look) -> dict[str, Any]:
    return words(
        look, look.said(BANDS, SHORT, narrow=True, low=True, presenting=True), 1, 0,
        colour=look.ink.written(PRIVATE), align="right", stand="bottom",
        axes=("x domain", "y domain"), shift=(-6, 8), plate=True,
    )  # fmt: skip
