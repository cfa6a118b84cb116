"""Where the panels of a picture stand: beside each other, or below each other on a phone."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.figures.kit.look import Look

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the paper: from and to shares of its width, and of its height from below."""

    across: Ends = (0.0, 1.0)
    up: Ends = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Column:
    """A panel: its part of the width beside others, or of the height, from below, on a phone.

    narrow is its part of the width on a narrow screen, where that differs.
    """

    across: Ends
    up: Ends
    narrow: Ends | None = None


def columns(look: Look, *parts: Column) -> tuple[Place, ...]:
    """Panels beside each other over the whole height, or below each other over the width."""
    if look.phone:
        return tuple(Place(up=part.up) for part in parts)
    is_narrow = look.screen == "narrow"
    return tuple(Place((is_narrow and part.narrow) or part.across) for part in parts)


def grid(count: int, abreast: int, gaps: Ends) -> list[Place]:
    """Places of equal panels in reading order, so many abreast; gaps are those across and down."""
    rows = -(-max(count, 1) // abreast)
    (wide, across), (high, down) = (
        ((1 + gap) / size - gap, gap) for size, gap in zip((abreast, rows), gaps, strict=True)
    )
    found = []
    for at in range(count):
        row, column = divmod(at, abreast)
        left, top = column * (wide + across), 1 - row * (high + down)
        found.append(Place((left, min(left + wide, 1.0)), (max(top - high, 0.0), top)))
    return found
