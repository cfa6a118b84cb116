"""The words in a picture of the smallest budget: the target, the answer, what the lines are."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.answers.markup import html_safe
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import SERIF, Look
from dpviz.figures.studies.answered import FLOOR, LEAST, Answer, Line

GLYPHS = {"circle": "●", "diamond": "◆", "triangle-up": "▲", "square": "■"}
PHONE_MIDDLE = 0.75
WIDE = 1.7  # times, from the best releases to the middle, where words have room between them
NEAR = 0.3  # of the axis: an answer so far left is where these words would stand
MIDDLE = 0.55  # of the axis: words about the target stand on the side that the answer is far from


def all_words(answer: Answer, look: Look) -> list[dict[str, Any]]:
    """Titles, the target, and either the band's words or the list of all methods."""
    main, second = answer.lines[0], look.ink.second
    low = look.text(34)
    notes = [
        grammar.words(
            look, html_safe(answer.measured), 0, 1, axes=("paper", "paper"), stand="bottom",
            colour=second, shift=(-look.text(60), look.text(8)),
        ),
        grammar.words(
            look, "◂ more private", 0, 0, axes=("paper", "paper"), stand="top", colour=second,
            shift=(0, -low),
        ),
        grammar.words(
            look, "more exact ▸", 1, 0, axes=("paper", "paper"), stand="top", align="right",
            colour=second, shift=(0, -low),
        ),
        _target_words(answer, look),
    ]  # fmt: skip
    if answer.compared:
        return [*notes, _ranking(answer, look)]
    return [*notes, *_band_words(main, answer, look)]


def _target_words(answer: Answer, look: Look) -> dict[str, Any]:
    """Over its line at the end that the crossing is far from: the curve is high above the left."""
    right = answer.place < (PHONE_MIDDLE if look.phone else MIDDLE)
    return grammar.words(
        look,
        f"<b>{html_safe(answer.wanted)}</b>",
        1 if right else 0,
        float(np.log10(answer.target)),
        axes=("x domain", "y"),
        align="right" if right else "left",
        stand="top" if look.phone else "bottom",
        shift=(-6 if right else 8, -2 if look.phone else 2),
    )


def _band_words(main: Line, answer: Answer, look: Look) -> list[dict[str, Any]]:
    if main.budgets.size < 8:
        return []
    blue, size = look.ink.private, main.budgets.size
    upper = size // 4
    said = f"{answer.often} releases are at most this far off"
    if look.phone:
        said = f"{answer.often} at most so far off"
    notes = [
        grammar.words(
            look, said, float(np.log10(main.budgets[upper])),
            float(np.log10(max(main.high[upper], LEAST))), colour=blue, stand="bottom",
            shift=(6, 5),
        )
    ]  # fmt: skip
    at = size // 9
    between = np.sqrt(max(main.low[at], LEAST) * max(main.middle[at], LEAST))
    wide = main.middle[at] > look.text(WIDE) * main.low[at]
    if main.low[at] > FLOOR and wide and answer.place > NEAR and not look.phone:
        notes.append(
            grammar.words(
                look, "half of them", float(np.log10(main.budgets[at])),
                float(np.log10(between)), colour=blue, align="center",
            )
        )  # fmt: skip
    return notes


def said(needed: float, answer: Answer, look: Look) -> list[dict[str, Any]]:
    """The answer in large figures above the crossing, and where every budget is enough."""
    share = answer.place
    # beside others the lines lie above: the words go below the target, where none is
    far = answer.compared or share > (0.6 if look.phone else 0.84)
    font = {
        "family": SERIF,
        "size": look.text(24 if look.phone else 30),
        "color": answer.written(look),
    }
    large = grammar.words(
        look,
        f"<b>{html_safe(answer.lines[0].said)}</b>",
        float(np.log10(needed)),
        float(np.log10(answer.target)),
        align="right" if far else "left",
        stand="top" if far else "bottom",
        shift=(-14, -4) if far else (14, look.text(8)),
        font=font,
    )
    if look.phone or share > 0.75:
        return [large]
    enough = grammar.words(
        look, "every budget here is enough", 1, 0, axes=("x domain", "y domain"), align="right",
        stand="bottom", colour=answer.written(look), shift=(-10, 8),
    )  # fmt: skip
    return [large, enough]


def _ranking(answer: Answer, look: Look) -> dict[str, Any]:
    """Every method with its answer, the best first, where no line comes: above all of them."""
    rows = []
    for line in answer.lines:
        mark = grammar.coloured(
            GLYPHS.get(look.ink.mark(line.key).symbol, "●"), look.ink.of(line.key)
        )
        name = grammar.coloured(html_safe(line.name), look.ink.written(line.key), bold=True)
        rows.append(f"{mark} {name}  {html_safe(line.said)}")
    return grammar.words(
        look, "<br>".join(rows), 1, 1, axes=("x domain", "y domain"), align="right", stand="top",
        plate=True, shift=(-4, -4),
    ) | {"align": "left"}  # fmt: skip
