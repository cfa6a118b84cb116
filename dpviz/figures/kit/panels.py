"""Where the panels of a picture stand: beside each other, or below each other on a phone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import axis

Ends = tuple[float, float]
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the paper: from and to shares of its width, and of its height from below."""

    across: Ends = (0.0, 1.0)
    up: Ends = (0.0, 1.0)

    @property
    def is_first(self) -> bool:
        """Whether nothing stands left of it."""
        return self.across[0] == 0

    @property
    def is_lowest(self) -> bool:
        """Whether nothing stands below it."""
        return self.up[0] == 0


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


def sheets(look: Look, parts: Sequence[Part]) -> list[Sequence[Part]]:
    """What stands in a picture of its own: all parts in one, or on a phone each part in one."""
    return look.said([parts], [[part] for part in parts])


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
        foot = 0.0 if row == rows - 1 else top - high
        found.append(Place((left, min(left + wide, 1.0)), (foot, top)))
    return found


def numbered(at: int) -> str:
    """What plotly adds to the names of a panel's axes: the first panel has none."""
    return str(at + 1) if at else ""


def inside(at: int) -> tuple[str, str]:
    """References to shares of a panel's own width and height."""
    return f"x{numbered(at)} domain", f"y{numbered(at)} domain"


def axes_at(
    look: Look, at: int, place: Place, across: Mapping[str, Any], up: Mapping[str, Any]
) -> dict[str, Any]:
    """Both axes of a panel at its place."""
    name = numbered(at)
    return {
        f"xaxis{name}": axis(look, domain=list(place.across), anchor=f"y{name}", **across),
        f"yaxis{name}": axis(look, domain=list(place.up), anchor=f"x{name}", **up),
    }
