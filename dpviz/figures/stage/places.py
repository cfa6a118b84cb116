"""Where marks stand: shares of the picture and px, or a value on an axis."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter

Mark = dict[str, Any]  # what draw.js takes: its kind, its id, geometry, words


@dataclass(frozen=True, slots=True)
class At:
    """A place along one side of the picture: share · side + px."""

    share: float = 0.0
    px: float = 0.0

    def __post_init__(self) -> None:
        finite("a place", self.share, self.px)

    def to_json(self) -> list[float]:
        """As draw.js reads it."""
        return [self.share, self.px]


@dataclass(frozen=True, slots=True)
class On:
    """A place along one side of the picture: a value on an axis, and px beside it."""

    axis: str
    value: float
    px: float = 0.0

    def __post_init__(self) -> None:
        named("axis", self.axis)
        finite(f"a place on '{self.axis}'", self.value, self.px)

    def to_json(self) -> dict[str, Any]:
        """As draw.js reads it."""
        return {"axis": self.axis, "value": self.value, "px": self.px}


Place = At | On
Spot = tuple[Place, Place]  # from the left and from the top


def spot(places: Spot) -> list[Any]:
    """A spot as draw.js reads it."""
    return [place.to_json() for place in places]


def finite(what: str, *numbers: float) -> None:
    """Refuse what is not a finite number. Raises: InvalidParameter."""
    if not all(map(math.isfinite, numbers)):
        raise InvalidParameter(f"The numbers of {what} must be finite, got {found(numbers)}.")


def numbers(what: str, values: Sequence[float], *, least: float | None = None) -> list[float]:
    """Finite numbers as a list. Raises: InvalidParameter for none, or one below the least."""
    listed = [float(value) for value in values]
    if not listed:
        raise InvalidParameter(f"{what} must have at least one number.")
    finite(what, *listed)
    if least is not None and min(listed) < least:
        raise InvalidParameter(f"{what} must be at least {least:g}, got {min(listed):g}.")
    return [int(value) if value.is_integer() else round(value, 4) for value in listed]


def named(what: str, text: str) -> str:
    """A name that is there. Raises: InvalidParameter for an empty one."""
    if not text:
        raise InvalidParameter(f"A mark needs a name for its {what}.")
    return text
