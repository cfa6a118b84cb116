"""The controls of Start, and how high its picture is."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.figures.stage.controls import Control, Heights, play, slider, toggle
from dpviz.lessons.start import numbers
from dpviz.lessons.words import STRENGTH

ENDS = {one: f"{one:g} {word}" for one, word in STRENGTH.items() if one >= 0.1}
HEIGHTS = Heights(  # on a wide screen, a low one, a phone
    "clamp(260px, calc(100dvh - 492px), min(560px, 56vw))",
    "clamp(240px, calc(100dvh - 402px), 400px)",
    "452px",
)
LECTURE = Heights(
    "clamp(300px, calc(100dvh - 320px), 900px)",
    "clamp(300px, calc(100dvh - 292px), 600px)",
    "452px",
)


def controls(stops: Sequence[float], sets: int = numbers.SETS) -> list[Control]:
    """ε, Ida, and a play that shows so many sets of draws."""
    text = f"Play {numbers.DRAWS} draws"
    return [
        epsilon(stops),
        toggle("ida", "Ida is in the data", on="in", off="out"),
        play("draw", text, sets, "count", off=(58, -11)),
    ]


def epsilon(stops: Sequence[float]) -> Control:
    """The slider of ε."""
    named = [(f"{stop:g}", ENDS.get(stop, f"{stop:g}")) for stop in stops]
    return slider("epsilon", ("ε", " = "), "Privacy, ε: smaller is more private", named)
