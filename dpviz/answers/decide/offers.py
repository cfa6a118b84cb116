"""What can a budget publish? One line for each thing, each spending all of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.answers.decide.needs import NeedNames, unit_word
from dpviz.answers.decide.price import Price
from dpviz.answers.decide.price_said import amount_text, rounded_off
from dpviz.answers.number_text import number
from dpviz.answers.said import plain, true

COARSE_PERCENT = 10.0  # of a value or of the people: more than that is of little use
EXACT = "exactly right"
PERCENTS = ("value", "share")


@dataclass(frozen=True, slots=True)
class Offered:
    """One thing to publish: its first word, its price, and what it is in detail; plain texts.

    price is None where it cannot be asked of these data, and why says so in words.
    """

    what: str
    name: str
    detail: str
    price: Price | None
    method: str = ""
    is_exact: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: texts, and whether it is too coarse to be of use."""

    what: str
    name: str
    detail: str
    how: str
    off: str
    is_coarse: bool


def lines(offered: Sequence[Offered], names: NeedNames, people: int | None) -> list[Line]:
    """The rows, those of use first as they were asked; what cannot be asked is left out."""
    found = [_line(one, names, people) for one in offered if _is_answered(one)]
    return [*(one for one in found if not one.is_coarse), *(one for one in found if one.is_coarse)]


def _is_answered(one: Offered) -> bool:
    """Whether it can be asked, and there is an answer yet."""
    off = None if one.price is None else one.price.off
    return off is not None and math.isfinite(off)


def _line(one: Offered, names: NeedNames, people: int | None) -> Line:
    assert one.price is not None
    assert one.price.off is not None
    off, unit = one.price.off, one.price.need.unit
    shown = rounded_off(off, unit)
    share = 100 * off / people if people and unit in ("people", "places") else None
    percent = off if unit in PERCENTS else share
    about = "about " if one.price.is_about else ""
    how = "noise alone: exact" if one.is_exact else one.method
    text = f"{about}{amount_text(shown)} {unit_word(unit, names, shown)}"
    if not shown:
        text = f"likely {EXACT}" if about else EXACT
    coarse = percent is not None and percent > COARSE_PERCENT
    return Line(one.what, one.name, one.detail, how, text, coarse)


def headline(found: Sequence[Line]) -> str:
    """How many lines there are to choose from, as the end of the sentence."""
    useful = sum(not one.is_coarse for one in found)
    return f"One of these {number(useful)}." if useful > 1 else "Very little."


def method(basis: str) -> str:
    """The line below the sentence, in Markdown."""
    first = f"Each line spends {true('all of it')}; two lines need two budgets."
    return f"{first} Pick one and it becomes the sentence. {plain(basis)}"
