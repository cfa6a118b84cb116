"""The tank of a file's budget: what was promised, what is spent, and what a release would take."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.core.grid import as_written, rounded_down, written_up


@dataclass(frozen=True, slots=True)
class TankNumbers:
    """Budgets in one notion. Nothing here is data.

    promised for all releases, spent by those that were made; takes is what the next one would
    spend, None without one. left is there now, then is left after it, never below 0. A rehearsal
    spends of a promise of its own.
    """

    promised: float
    spent: float
    takes: float | None
    left: float
    then: float
    is_rehearsal: bool

    @property
    def is_too_low(self) -> bool:
        """Whether the release would take more than is left."""
        return self.takes is not None and self.takes > self.left

    @property
    def parts(self) -> tuple[float, float]:
        """Of the tank: what stays in it, and what the release takes, from 0 to 1."""
        if self.is_too_low:
            return 0.0, self.left / self.promised
        taken = self.left - self.then
        return self.then / self.promised, taken / self.promised


def answer(
    promised: float, spent: float, takes: float | None = None, *, is_rehearsal: bool = False
) -> TankNumbers:
    """Where a budget stands; sums are of decimals as they are written, so that 1 − 0.39 is 0.61."""
    whole, gone = as_written(promised), as_written(spent)
    left = max(whole - gone, Fraction(0))
    then = left if takes is None else max(left - as_written(takes), Fraction(0))
    return TankNumbers(promised, spent, takes, _plain(left), _plain(then), is_rehearsal)


def _plain(exact: Fraction) -> float:
    """What is left as a double: the decimal that it is, or the next one below."""
    found = written_up(exact)
    return found if as_written(found) == exact else rounded_down(exact)


@dataclass(frozen=True, slots=True)
class TankSaid:
    """A title, two lines, and all of it as one sentence, plain."""

    title: str
    lines: tuple[str, str]
    alt: str


def say(found: TankNumbers) -> TankSaid:
    """The words of the tank, by what is about to happen."""
    promised, left, then = (
        _three(one, ROUND_FLOOR) for one in (found.promised, found.left, found.then)
    )
    spent = _three(found.spent, ROUND_CEILING)
    if found.is_too_low and found.takes is not None:
        more = f"{_three(found.takes, ROUND_CEILING)} is more than the {left} left"
        title = _title(found)
        return TankSaid(title, (f"promised {promised}, spent {spent}", more), f"{title}: {more}")
    if found.is_rehearsal and found.takes is not None:
        takes = _three(found.takes, ROUND_CEILING)
        lines = (f"takes {takes} of a", f"promise of {promised}")
        return TankSaid(
            "A rehearsal", lines, f"A rehearsal takes {takes} of a promise of {promised}"
        )
    first = f"promised {promised}, spent {spent}"
    last = f"{left} is left" if found.takes is None else f"then {then} is left"
    title = _title(found)
    return TankSaid(title, (first, last), f"{title}: {first}, {last}")


def _title(found: TankNumbers) -> str:
    return "A rehearsal" if found.is_rehearsal else "Budget of this file"


def _three(number: float, rounding: str) -> str:
    """A number in three digits: what was spent rounded up, what is left rounded down."""
    value = Decimal(repr(float(number)))
    if not value:
        return "0"
    step = Decimal(1).scaleb(value.adjusted() - 2)
    return epsilon_text(float((value / step).to_integral_value(rounding) * step))
