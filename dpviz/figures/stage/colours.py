"""The colours of marks by name, as the browser's theme and a Look both know them."""

from typing import Literal

from dpviz.figures.kit.look import FONT, SERIF, Look

Colour = Literal[
    "ink",
    "second",
    "grain",
    "hairline",
    "panel",
    "band",
    "private",
    "danger",
    "danger_text",
    "page",
    "on_closed",  # words on a place that nobody looks into
]
CLOSED = "#14181D", "#05070A"  # a place that nobody looks into, on light and on dark paper
ON_CLOSED = "#F4F2ED"  # the same on both, since both are dark


def theme_of(look: Look) -> dict[str, str]:
    """What draw.js takes its colours and typefaces from."""
    ink = look.ink
    return {
        "ink": ink.truth,
        "second": ink.second,
        "grain": ink.grain,
        "hairline": ink.hairline,
        "panel": ink.panel,
        "band": ink.band,
        "private": ink.private,
        "danger": ink.danger,
        "danger_text": ink.danger_text,
        "page": ink.page,
        "closed": CLOSED[ink.dark],
        "closedGrain": "#B4BDC6",
        "on_closed": ON_CLOSED,
        "rim": ink.hairline if ink.dark else "none",
        "sans": FONT,
        "serif": SERIF,
    }
