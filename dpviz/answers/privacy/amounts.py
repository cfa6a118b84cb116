"""Numbers of privacy as text: what is promised is rounded up, what is proved is rounded down."""

import math

DUST = 1e-9  # of rounding: e^0 is 1, not a little more
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
ONE_IN_A_HUNDRED = 0.01
RARE = 1e-4  # chances below are written as powers of ten
HUGE = 1e6  # from here on as a power of ten


def times(log_ratio: float) -> str:
    """How many times e^log_ratio is, rounded up: "2.72", "22,027", "2.21 × 10⁴³"."""
    tens = log_ratio / math.log(10)
    if tens >= math.log10(HUGE):
        power = math.floor(tens)
        head = up(10 ** (tens - power), 2)
        head, power = (head, power) if head < 10 else (head / 10, power + 1)
        return f"{head:.2f} × 10{str(power).translate(RAISED)}"
    factor = math.exp(log_ratio)
    for below, places in ((10, 2), (100, 1), (math.inf, 0)):
        if factor < below:
            return f"{up(factor, places):,.{places}f}"
    raise AssertionError("every number is below infinity")


def more(log_ratio: float) -> str:
    """By how much odds grow at most, for a small log ratio: "5.3 %"."""
    return most_percent(math.expm1(log_ratio))


def most_percent(share: float) -> str:
    """A share that is not exceeded, in per cent rounded up: "23.2 %"; below 1 never "100 %"."""
    percent = 100 * share
    places = 1
    if 0 < percent < 1:
        places = min(1 - math.floor(math.log10(percent)), 12)
    while share < 1 and up(percent, places) >= 100 and places < 12:
        places += 1
    return f"{up(percent, places):.{places}f} %"


def at_least_percent(share: float) -> str:
    """A share that is reached at least, in per cent rounded down."""
    percent = 100 * share
    places = 1 if percent >= 1 or percent == 0 else min(1 - math.floor(math.log10(percent)), 12)
    return f"{least(percent, places)} %"


def least(number: float, places: int = 2) -> str:
    """What is proved to be lost at least, rounded down."""
    step = 10.0**places
    return f"{math.floor(number * step + DUST) / step:,.{places}f}"


def most(number: float, places: int = 2) -> str:
    """What is not exceeded, rounded up."""
    return f"{up(number, places):,.{places}f}"


def up(number: float, places: int) -> float:
    """A number rounded up to so many decimals."""
    step = 10.0**places
    return math.ceil(number * step - DUST * max(1.0, number)) / step


def chance(share: float) -> str:
    """A chance to the nearest, in per cent or, where that is small: "17.0 %", "3.1 × 10⁻⁶"."""
    if 0 < share < RARE:
        return tiny(share)
    percent = 100 * share
    places = 1 if percent >= 1 or percent == 0 else 1 - math.floor(math.log10(percent))
    return f"{percent:.{places}f} %"


def tiny(share: float) -> str:
    """A small chance as a power of ten: "10⁻⁶", "3.1 × 10⁻⁶"; from a hundredth on as "0.17"."""
    if share >= ONE_IN_A_HUNDRED:
        return f"{share:.2g}"
    head, power = f"{share:.1e}".split("e")
    raised = f"10{str(int(power)).translate(RAISED)}"
    return raised if head == "1.0" else f"{head} × {raised}"


def nearest_percent(share: float) -> str:
    """A belief to the nearest per cent, with the digits that tell it from certainty."""
    percent, places = 100 * share, 0
    while 0 < share < 1 and places < 12 and round(percent, places) in (0, 100):
        places += 1
    return f"{percent:.{places}f} %"


def whole(number: float) -> str:
    """A count: thousands grouped, with a true minus sign."""
    return f"{number:,.0f}".replace("-", "−")


def epsilon_text(epsilon: float) -> str:
    """An ε with at most three digits, without trailing zeros."""
    return f"{epsilon:,.0f}" if epsilon >= 1_000 else f"{epsilon:.3g}"


def value_text(value: float, grid: float) -> str:
    """A value with the digits of its grid, or with four where any value is possible."""
    if grid > 0:
        places = math.ceil(-math.log10(grid) - DUST)
    else:
        places = 3 - math.floor(math.log10(abs(value))) if value else 0
    text = f"{value:,.{min(max(places, 0), 9)}f}"
    return text.replace("-", "−") if text.strip("-0.,") else text.removeprefix("-")
