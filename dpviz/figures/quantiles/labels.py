"""Numbers at the marks: the published one right of its row's marks, the true one left of them."""

from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import Answers
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import PRIVATE
from dpviz.figures.kit.picture import coloured, words
from dpviz.figures.quantiles.cdf import TrueCurve
from dpviz.figures.quantiles.marks import LABEL
from dpviz.figures.quantiles.scale import Scale

AWAY = 14.0  # px between a mark and its number
LETTER = 0.011, 0.03  # of the axis that a letter takes, and on a phone
CLEAR = 1.6  # letters between a mark and the first letter of its number
NEAR = 0.026  # of the height: a curve so near to a row runs through its words


def number_labels(
    answers: Answers, curve: TrueCurve, scale: Scale, look: Look
) -> list[dict[str, Any]]:
    """Both numbers of every row that has room; only the median's say which one is which."""
    assert answers.truth is not None
    low, high = (scale.clipped(end) for end in answers.band)
    left = np.minimum.reduce((low, answers.truth, answers.published))
    right = np.maximum.reduce((high, answers.truth, answers.published))
    found: list[dict[str, Any]] = []
    for row in answers.labelled.tolist():
        named = row == answers.middle
        at = float(answers.quantiles[row])
        value = scale.writing.value(float(answers.published[row]))
        true = scale.writing.value(float(answers.truth[row]))
        beside = _letters(scale, float(left[row]), look) < len(true) + 1
        text = published_text(
            value, look, named=named and _has_room(scale, right[row], value, look)
        )
        if beside:
            text += coloured(f" true {true}", look.ink.truth)
        else:
            said = f"true {true}" if named and _letters(scale, left[row], look) > 10 else true
            plate = _meets(curve, scale, at, float(left[row]), -len(said), look)
            found.append(_label(look, said, float(left[row]), at, "right", plate=plate))
        plate = _meets(curve, scale, at, float(right[row]), len(value) + 10 * named, look)
        found.append(_label(look, text, float(right[row]), at, "left", plate=plate))
    return found


def published_text(value: str, look: Look, *, named: bool) -> str:
    """A published number in blue; the named one says so."""
    colour = look.ink.written(PRIVATE)
    return coloured(value, colour, bold=True) + coloured(" published" if named else "", colour)


def _label(
    look: Look, text: str, x: float, row: float, align: str, *, plate: bool
) -> dict[str, Any]:
    away = AWAY * look.text(1)
    shift = (away if align == "left" else -away, 0.0)
    return words(look, text, x, row, size=LABEL, align=align, shift=shift, plate=plate)


def _letters(scale: Scale, value: float, look: Look) -> float:
    """How many letters fit between the left end of the axis and a value."""
    return (scale.position(value) - 0.02) / _letter(look)


def _letter(look: Look) -> float:
    return look.said(*LETTER) * look.text(1)


def _has_room(scale: Scale, value: float, text: str, look: Look) -> bool:
    return scale.position(float(value)) + (len(text) + 11) * _letter(look) < 1.04


def _meets(
    curve: TrueCurve, scale: Scale, row: float, x: float, letters: float, look: Look
) -> bool:
    """Whether the true CDF runs through words of so many letters at x, to the left if negative."""
    if not curve.value.size:
        return False
    span = scale.view[1] - scale.view[0]
    inner, outer = (
        x + np.sign(letters) * share * span
        for share in (CLEAR * _letter(look), (abs(letters) + CLEAR) * _letter(look))
    )
    heights = curve.at(np.linspace(min(inner, outer), max(inner, outer), 9))
    return bool(np.abs(heights - row).min() < NEAR)
