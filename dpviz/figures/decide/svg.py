"""Pictures of the page Decide as SVG text: words, and a whole with its alternative text."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from dpviz.answers.decide.risk import DANGER, INK, SECOND, STRONG, STRONG_DANGER, Run
from dpviz.figures.kit.look import FONT, Look

LETTER = 0.47  # mean width of a letter, in sizes; names that are longer are wrapped by it
BOLD = 600


def attributes(**pairs: Any) -> str:
    """Attributes of an element: numbers with one digit behind the point, names with a dash."""
    found = ((name.rstrip("_").replace("_", "-"), value) for name, value in pairs.items())
    return "".join(f' {name}="{_text(value)}"' for name, value in found if value is not None)


def _text(value: Any) -> str:
    return number(value) if isinstance(value, int | float) else escape(str(value))


def number(value: float) -> str:
    """A length in px."""
    return f"{value:.1f}".removesuffix(".0")


def words(text: str, x: float, y: float, size: float, fill: str, **others: Any) -> str:
    """Words at a point of their baseline."""
    return runs([(text, fill, others.pop("weight", None))], x, y, size, **others)


def runs(
    parts: Sequence[tuple[str, str, int | None]], x: float, y: float, size: float, **others: Any
) -> str:
    """Words in one line, each part a text, its colour and its weight."""
    shared = {"font_family": FONT, "font_size": size} | others
    if len(parts) == 1:
        text, fill, weight = parts[0]
        look = attributes(x=x, y=y, fill=fill, font_weight=weight, **shared)
        return f"<text{look}>{escape(text)}</text>"
    inner = "".join(
        f"<tspan{attributes(fill=fill, font_weight=weight)}>{escape(text)}</tspan>"
        for text, fill, weight in parts
    )
    return f'<text{attributes(x=x, y=y, **shared)} xml:space="preserve">{inner}</text>'


def styled(parts: Sequence[Run], look: Look) -> list[tuple[str, str, int | None]]:
    """Texts with the colours and weights that they are written in."""
    ink = look.ink
    styles = {
        INK: (ink.truth, None),
        STRONG: (ink.truth, BOLD),
        SECOND: (ink.second, None),
        DANGER: (ink.danger_text, None),
        STRONG_DANGER: (ink.danger_text, BOLD),
    }
    return [(text, *styles[how]) for text, how in parts]


def wrapped(parts: Sequence[Run], letters: int) -> list[list[Run]]:
    """Texts in lines of at most so many letters, broken at spaces; a longer word stands alone."""
    lines: list[list[Run]] = [[]]
    used = 0
    for word in _words(parts):
        long = sum(len(text) for text, _ in word)
        if used > 0 and used + long - word[-1][0].endswith(" ") > letters:
            last, style = lines[-1][-1]
            lines[-1][-1] = last.rstrip(), style
            lines.append([])
            used = 0
        used += long
        line = lines[-1]
        for text, how in word:
            if line and line[-1][1] == how:
                line[-1] = line[-1][0] + text, how
            else:
                line.append((text, how))
    return lines


def _words(parts: Sequence[Run]) -> list[list[Run]]:
    """Words with the space behind them; what follows without a space stays with the word before."""
    found: list[list[Run]] = []
    is_open = False
    for text, how in parts:
        for piece in re.findall(r"[^ ]* |[^ ]+", text):
            if not is_open:
                found.append([])
            found[-1].append((piece, how))
            is_open = not piece.endswith(" ")
    return found


def svg(inner: str, width: float, height: float, alt: str) -> str:
    """A whole picture: it never becomes wider than its place."""
    box = attributes(
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        style="max-width:100%;height:auto;display:block",
        role="img",
        aria_label=alt,
    )
    return f"<svg{box}>{inner}</svg>"
