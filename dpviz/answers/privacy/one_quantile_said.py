"""What is said of one person and one private quantile."""

import math
from dataclasses import dataclass

from dpviz.answers.privacy.amounts import epsilon_text, more, times
from dpviz.answers.privacy.one_quantile import QuantileOdds
from dpviz.answers.said import Line, Said, plain, private, unmarked
from dpviz.core.budgets import Budget, Neighbours, PureDP

SMALL = 0.4  # a log ratio up to here is told as per cent more


@dataclass(frozen=True, slots=True)
class QuantileOf:
    """What was asked and about whom, plain: "median", "Ida"; replaced: their number changes."""

    name: str
    who: str
    replaced: bool = False


def say(found: QuantileOdds, asked: QuantileOf, then: str, budget: Budget, true: str = "") -> Said:
    """Everything; then is the second sentence, true the quantile of the data, where it is shown."""
    first = headline(found, asked)
    items = [("this person uses", used(found))]
    if true:
        items.append((f"true {asked.name}", true))
    items.append(("one answer spends", str(budget)))
    return Said(Line(first), Line(then), items, unmarked(f"{first} {then}"))


def headline(found: QuantileOdds, asked: QuantileOf) -> str:
    """By how much this person can move the quantile's odds, and how much ε allows."""
    name, allowed = plain(asked.name), epsilon_text(found.epsilon)
    start = f"{plain(asked.who[:1].upper() + asked.who[1:])} can"
    if asked.replaced:
        start = f"Another number for {plain(asked.who)} can"
    if found.epsilon <= SMALL:
        by, most = private(more(found.largest)), plain(more(found.epsilon))
        return f"{start} move the private {name}'s odds by {by}; ε = {allowed} allows {most}."
    by, most = private(f"{times(found.largest)} times"), plain(times(found.epsilon))
    return f"{start} make a private {name} {by} as likely; ε = {allowed} allows {most}."


def second(neighbours: Neighbours, one: str, *, spreads: bool, tied: bool) -> str:
    """What is exact; one is the noun of a person, plain."""
    first = f"One {plain(one)} more or less moves every step a little."
    if neighbours is Neighbours.REPLACE_ONE:
        first = f"Another number for one {plain(one)} moves every step a little."
    if spreads:
        return f"{first} Both densities are exact, for one way of spreading tied values."
    if tied:
        return f"{first} Both are exact; equal values are kept, with no room between them."
    return f"{first} Both densities are exact, before the value is rounded."


def used(found: QuantileOdds) -> str:
    """The share of ε that this person uses, to the nearest per cent."""
    return f"{math.floor(100 * found.used + 0.5)} % of ε"


def facts(found: QuantileOdds, budget: Budget) -> list[tuple[str, str]]:
    """The numbers behind the limit, for those who ask."""
    rows = [
        ("largest |log ratio|:", f"{found.largest:.4g}"),
        ("ε, the limit:", f"{found.epsilon:.4g}"),
        ("share of ε used:", f"{found.used:.1%}"),
    ]
    if isinstance(budget, PureDP):
        return rows
    return [*rows, ("ε is that of the exponential mechanism bought by", str(budget))]
