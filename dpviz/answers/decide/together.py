"""Several columns within the same words: each is released by itself, and their budgets add up."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal

from dpviz.answers.decide.price import MOST, Need, Price, Way
from dpviz.answers.decide.price_said import TAKES, amount_text
from dpviz.answers.number_text import number
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.grid import as_written, written_up

DIGITS = 6  # of a part, rounded down; the last part is what is left


def whole_of(each: float, columns: int) -> float:
    """What so many columns spend together, as the decimal that it is."""
    return written_up(columns * as_written(each))


def parts_of(whole: float, columns: int) -> tuple[float, ...]:
    """Equal parts of a size, whose sum is the size itself: what is left over goes to the last."""
    exact = as_written(whole)
    share = exact / columns
    decimal = Decimal(share.numerator) / Decimal(share.denominator)
    step = Decimal(1).scaleb(decimal.adjusted() - DIGITS + 1)
    each = float((decimal / step).to_integral_value(ROUND_FLOOR) * step)
    last = exact - (columns - 1) * as_written(each)
    return (*[each] * (columns - 1), float(last))


def budgets_of(whole: Budget, columns: int) -> tuple[Budget, ...]:
    """What each column spends of a budget; δ is shared as ε is."""
    sizes = parts_of(whole.size, columns)
    if isinstance(whole, ApproxDP):
        both = zip(sizes, parts_of(whole.delta, columns), strict=True)
        return tuple(ApproxDP(size, delta) for size, delta in both)
    return tuple(whole.resized(size) for size in sizes)


def price_of(one: Price, columns: int, size: float | None = None) -> Price:
    """The price of all columns, of that of one; size is what was given for all.

    No size where the sum is more than MOST.
    """
    ways = [Way(way.key, _sum(way.size, columns)) for way in one.ways]
    if size is not None:
        ways[0] = Way(ways[0].key, size)
    size = ways[0].size
    off = None if size is None else one.off
    return Price(tuple(ways), one.need, size, off, one.is_about, one.is_given)


def _sum(each: float | None, columns: int) -> float | None:
    whole = None if each is None else whole_of(each, columns)
    return None if whole is None or whole > MOST else whole


class Shared:
    """A form of one column, asked with the budget of all: as price.Form says."""

    def __init__(self, form: object, columns: int) -> None:
        self.form, self.columns = form, columns

    def __getattr__(self, name: str) -> object:
        return getattr(self.form, name)

    def off(self, way: str, size: float, need: Need) -> float:
        """What each column is off by, with its part of a size."""
        found: float = self.form.off(way, size / self.columns, need)  # type: ignore[attr-defined]
        return found


def lead(each: float, columns: int) -> str:
    """What stands before the sum: "that takes 3 × 0.53, in all"."""
    return f"{TAKES}{columns} × {amount_text(each)}, in all "


def stated(sizes: Sequence[float], symbol: str) -> str:
    """That budgets of columns add up, and what each is."""
    each = f"{symbol} = {amount_text(sizes[0])} for each of the {number(len(sizes))} columns"
    if sizes[-1] != sizes[0]:
        each += f", {amount_text(sizes[-1])} for the last"
    return f"{each}, which add up: a person may be in all of them."


def shortly(first: str, others: Sequence[str]) -> str:
    """Several columns as a word of the sentence: "salary and age", "salary and 2 more"."""
    return f"{first} and {others[0] if len(others) == 1 else f'{len(others)} more'}"
