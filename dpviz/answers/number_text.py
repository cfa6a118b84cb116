"""Numbers as text: grouped thousands, no more digits than they deserve; small ones as words."""

import math
from collections.abc import Iterable

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES

MOST_DECIMALS = 6
COUNTS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
SETS = ((QUARTILES, "quartile"), (DECILES, "decile"), (PERCENTILES, "percentile"))


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


def counted(number: int, noun: str) -> str:
    """A number of things, in the singular when there is one."""
    return worded(f"{number:,}", noun)


def worded(number: str, noun: str) -> str:
    """A number as it was written, with its noun behind it: "1.2 records", "1 record"."""
    return f"{number} {noun}{'' if number in ('1', '−1') else 's'}"


def times_text(factor: float) -> str:
    """How many times, as a sentence goes on with "much" or "far" behind it: "2.5 times as"."""
    digits = f"{factor:.3g}"
    return "as" if digits == "1" else f"{digits} times as"


def records(count: float) -> str:
    """A number of records, as short as it can be said."""
    return f"{count:,.0f}" if count >= 100 or count == int(count) else f"{count:,.1f}"


def percent(share: float) -> str:
    """A share in per cent with two digits, never with an exponent."""
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"


def belief(share: float) -> str:
    """A probability in per cent, with the digits that tell it from certainty."""
    return f"{100 * share:.3g} %"


def in_digits(value: float) -> str:
    """A value of a column as it was declared, in up to ten digits."""
    return f"{value:,.10g}".replace("-", "−")


def place(value: float) -> str:
    """A value of the column, or a coordinate."""
    return f"{value:,.6g}"


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 1.5:
        return "a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def asked_for(quantiles: FloatArray) -> str:
    """What was asked, counted: "nine deciles"."""
    if quantiles.size == 1 and quantiles[0] == 0.5:
        return "one median"
    noun = next(
        (noun for known, noun in SETS if np.array_equal(known, np.sort(quantiles))), "quantile"
    )
    return f"{number(quantiles.size)} {noun}{'' if quantiles.size == 1 else 's'}"


def number(count: int) -> str:
    """A small number as a word."""
    return COUNTS[count] if count < len(COUNTS) else f"{count:,}"


def upper(text: str) -> str:
    """A text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """A text as it goes on within a sentence."""
    return text[:1].lower() + text[1:]
