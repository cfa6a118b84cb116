"""How stories write numbers: thousands with commas, a true minus, "at most" rounded up."""

import math

STRENGTH = {0.01: "very strong", 0.1: "strong", 1.0: "moderate", 10.0: "weak"}


def whole(number: float) -> str:
    """A whole number with its thousands, and a true minus."""
    return f"{round(number):,}".replace("-", "−")


def plain(number: float, places: int) -> str:
    """A number with so many decimals, its thousands, and a true minus."""
    text = f"{number:,.{places}f}"
    return text.replace("-", "−") if text.strip("-0.,") else text.removeprefix("-")


def at_most(share: float, base: int = 100) -> str:
    """A share as so many in a base, rounded up to one decimal: 23.2 (in 100).

    Near the base two more decimals, so that almost everybody is not everybody.
    """
    found = share * base
    places = 1 if found < 99.9 * base / 100 else 2
    step = 10**places
    return f"{math.ceil(round(found * step, 9)) / step:.{places}f}"


def epsilon(value: float) -> str:
    """ε with its word, where it has one."""
    word = STRENGTH.get(value)
    return f"ε = {value:g}" + (f" ({word})" if word else "")


def listed(words: list[str]) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
