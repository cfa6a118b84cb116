"""Numbers as text: grouped thousands, and no more digits than they deserve."""

from __future__ import annotations

import math
from collections.abc import Iterable

MOST_DECIMALS = 6


def decimals(errors: Iterable[float], digits: int = 3) -> int:
    """Decimals that give the least of the errors so many digits; more would be noise."""
    known = [error for error in errors if 0 < error < math.inf]
    if not known:
        return 0
    first = math.floor(math.log10(min(known)))
    return min(max(digits - 1 - first, 0), MOST_DECIMALS)


def amount(number: float, places: int) -> str:
    """A number with thousands grouped; a dash for an unknown one."""
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    text = f"{number:,.{places}f}"
    is_zero = not text.strip("-0.")
    return text.removeprefix("-") if is_zero else text.replace("-", "−")


def significant(number: float | None, digits: int = 4) -> str:
    """A number by itself: its leading digits, thousands grouped; whole ones without a point."""
    if number is None:
        return "–"
    if not math.isfinite(number) or number == round(number):
        return amount(number, 0)
    return amount(number, decimals([abs(number)], digits))
