"""Three ways on from Start, each with a pictogram."""

from __future__ import annotations

from dataclasses import dataclass


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
