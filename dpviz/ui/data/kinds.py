"""What kind of number is it? Public proposals for bounds and steps, and the axis they stand on.

An axis needs a scale before anything is known of the values. The kind gives one: nothing of any
data goes into it.
"""

import math
from dataclasses import dataclass

from dpviz.core.bounds import Bounds

LEFT, RIGHT = 0.08, 0.22  # how far the axis goes on beyond the bounds, as shares of their width
BOX = (LEFT, LEFT)  # the same for the sides of a box
NUDGE = 0.01  # of the width: one press of an arrow key
TICKS = 8  # at most about so many


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of number; bounds are missing where both numbers have to be typed."""

    key: str
    label: str
    bounds: Bounds | None
    step: float = 0


KINDS: tuple[Kind, ...] = (
    Kind("mark", "Mark", Bounds(0, 100), 1),
    Kind("age", "Age", Bounds(0, 120), 1),
    Kind("hours", "Hours a week", Bounds(0, 168), 1),
    Kind("stars", "Stars", Bounds(0.5, 5), 0.5),
    Kind("money", "Money", Bounds(0, 250_000), 100),
    Kind("share", "Share", Bounds(0, 1), 0.01),
    Kind("other", "Other", None),
)
OTHER = "other"


def kind_named(key: str | None) -> Kind:
    """A kind by its key; Other while none is chosen."""
    return next((kind for kind in KINDS if kind.key == key), KINDS[-1])


def window(
    scale: Bounds, declared: Bounds | None = None, *, beyond: tuple[float, float] = (LEFT, RIGHT)
) -> Bounds:
    """What of the axis is seen around a scale; it grows where declared bounds lie outside.

    beyond are shares of the scale's width, to the left and to the right.
    """
    low, high = scale.low - beyond[0] * scale.width, scale.high + beyond[1] * scale.width
    if declared is None or (low <= declared.low and declared.high <= high):
        return Bounds(low, high)
    wider = Bounds(min(scale.low, declared.low), max(scale.high, declared.high))
    return window(wider, beyond=beyond)


def nudge(scale: Bounds, step: float) -> float:
    """How far an arrow key moves an end: one per cent of the width, in whole steps."""
    share = scale.width * NUDGE
    return share if step <= 0 else step * max(1, round(share / step))


def ticks(seen: Bounds, most: int = TICKS) -> list[float]:
    """Round numbers across an axis: multiples of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(seen.width / most))
    apart = next(power * k for k in (1, 2, 5, 10) if seen.width <= power * k * most)
    first, last = math.ceil(seen.low / apart), math.floor(seen.high / apart)
    return [float(f"{k * apart:.12g}") for k in range(first, last + 1)]


def moved(asked: tuple[float, float], seen: Bounds, step: float) -> Bounds | None:
    """Bounds at which two handles were let go: on the steps, in order, never upon each other.

    The browser says where they are, so nothing of it is taken on trust; None for what is no place.
    """
    if not all(math.isfinite(end) for end in asked):
        return None
    low, high = (min(max(end, seen.low), seen.high) for end in sorted(asked))
    if step > 0:
        low, high = (float(f"{round(end / step) * step:.15g}") for end in (low, high))
    apart = max(step, seen.width / 1_000)
    return Bounds(low, high) if high - low >= apart * (1 - 1e-9) else None
