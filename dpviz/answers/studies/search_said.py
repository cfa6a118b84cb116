"""What is said of an exact search: the smallest budgets, their intervals, and the fresh checks."""

import math

from dpviz.answers.number_text import counted, upper
from dpviz.answers.privacy.amounts import least
from dpviz.answers.said import Line, Said, Table, plain
from dpviz.answers.studies.names import Sentence, StudyNames, method, often_text, target_text
from dpviz.answers.studies.search import SearchAnswer, SearchNumbers
from dpviz.experiments.planning.smallest_epsilon import RANGE

HOW = (
    "Bisection over the same random numbers at every budget. The interval holds the true smallest "
    "budget with 95 % confidence wherever success grows with it; the check is by fresh runs at its "
    "upper end."
)
MEANWHILE = "the frontier of the sentence, without a search"


def say(found: SearchNumbers, names: StudyNames) -> Said:
    """About answers, one at least: the thriftiest method, what was searched for, all methods."""
    headline = sentence(found)
    second = f"{names.what} of {names.title} {_searched(found)}."
    return Said(
        Line(headline.marked),
        Line(plain(second)),
        [("took", f"{found.seconds:.0f} s")],
        headline.bare,
        tables=[table(found)],
    )


def sentence(found: SearchNumbers) -> Sentence:
    """The thriftiest method's smallest budget and its interval."""
    first, symbol = found.answers[0], found.symbol
    if not first.is_found:
        return Sentence(f"No {symbol} up to {RANGE[1]:g} reaches the target.")
    between = f", between {size_text(first.low)} and {size_text(first.high)}."
    needs = f"{upper(method(first.key).name)} needs "
    return Sentence(needs, f"{symbol} = {first.said:g}", between)


def _searched(found: SearchNumbers) -> str:
    near, often = target_text(found.percent), often_text(found.probability)
    return f"within {near}, {often} releases"


def table(found: SearchNumbers) -> Table:
    """One line a method, the thriftiest first."""
    columns = ("Method", f"Smallest {found.symbol}", "95 % interval", "Fresh check")
    rows = tuple(
        (method(one.key).name, size_text(one.size), _interval(one), _check(one))
        for one in found.answers
    )
    alt = f"Smallest {found.symbol} of each method, with intervals"
    return Table("", alt, columns, rows, notes=(HOW,))


def _interval(one: SearchAnswer) -> str:
    return f"{size_text(one.low)} to {size_text(one.high)}"


def _check(one: SearchAnswer) -> str:
    """The share of the fresh runs, and what it proves: rounded down."""
    if not one.runs:
        return "none"
    return (
        f"{one.rate:.1%} of {counted(one.runs, 'run')} (at least {least(100 * one.at_least, 1)}%)"
    )


def size_text(size: float) -> str:
    """A budget with three digits, or that the search ended below it."""
    if not math.isfinite(size):
        return f"more than {RANGE[1]:g}"
    return "0" if size == 0 else f"{size:.3g}"


def so_far(found: SearchNumbers) -> str:
    """The answers that are there while others are still searched for; empty without one."""
    return " ".join(f"{method(one.key).name}: {size_text(one.size)}." for one in found.answers)


def before(names: StudyNames, percent: float, probability: float, symbol: str) -> Said:
    """What a search would find, and what the picture shows meanwhile."""
    near, often = target_text(percent), often_text(probability)
    second = f"For {names.what} within {near}, {often} releases. The picture is {MEANWHILE}."
    return Said(
        Line(f"Search for the exact {symbol} of each method, with an interval."),
        Line(plain(f"{second} {names.why}".rstrip())),
        [],
        "",
    )
