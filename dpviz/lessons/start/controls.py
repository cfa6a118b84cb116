"""The controls of Start, how high its picture is, and three ways on with a pictogram each."""

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Door:
    """A page of the app behind a name, one line about it, and its pictogram: SVG of 72 x 56 px."""

    name: str
    line: str
    page: str
    drawing: str


_GROUND = '<path class="ground" d="M4 51.5H68"/>'
DOORS = (
    Door(
        "Teach",
        "Why noise? A story that asks first.",
        "learn",
        f'{_GROUND}<path class="ink" d="M6 50C22 50 24 12 32 12S42 50 58 50"/>'
        '<path class="blue dotted" d="M14 50C30 50 32 12 40 12S50 50 66 50"/>',
    ),
    Door(
        "Show",
        "What a budget buys, in one sentence.",
        "decide",
        f'{_GROUND}<path class="blue" d="M8 8C14 34 30 45 66 47"/>'
        '<path class="ink dotted" d="M4 35.5H24V51"/><circle cx="24.5" cy="35.5" r="5.5"/>',
    ),
    Door(
        "Try",
        "Your data or ours, true beside private.",
        "quantiles",
        f'{_GROUND}<path class="ink" d="M4 50H16V40H28V28H42V16H54V7H68"/>'
        + "".join(
            f'<circle cx="{x}" cy="{y}" r="3.5"/>'
            for x, y in ((15, 47), (27, 36), (39, 25), (51, 16), (61, 7))
        ),
    ),
)
