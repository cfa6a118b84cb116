"""What is said of the smallest budget for a wanted accuracy, and of budgets around it."""

from __future__ import annotations

from dpviz.answers.markup import plain, true
from dpviz.answers.number_text import upper
from dpviz.answers.privacy.amounts import up
from dpviz.answers.said import Line, Said
from dpviz.answers.studies.names import (
    Sentence,
    StudyNames,
    method,
    often_text,
    share_text,
    size_text,
    target_text,
)
from dpviz.answers.studies.needed import Card, MethodNeed, NeedNumbers

CARDS = ("Half the budget", "Your answer", "Twice the budget")


def say(found: NeedNumbers, names: StudyNames) -> Said:
    """The headline, how close that is, and the numbers behind it."""
    headline, brief = sentence(found, names), sentence(found, names, short=True)
    return Said(
        Line(headline.marked, brief.marked),
        Line(plain(second(found, names)), plain(second(found, names, others=False))),
        strip(found, names),
        headline.bare,
    )


def sentence(found: NeedNumbers, names: StudyNames, *, short: bool = False) -> Sentence:
    """What is needed, for what, and how; short is for large letters."""
    best, symbol = found.best, found.symbol
    what, near = names.what, f"within {target_text(found.percent)}"
    if found.product is not None and not found.is_declared:
        take = "takes" if found.quantiles == 1 else "take"
        product = f"{symbol} = {found.product:,.0f} / people"
        return Sentence(f"{upper(what)} {near} {take} about ", product, ".")
    if names.is_stand_in:
        near += f", if there are about {found.people:,}"
    if found.size is None:
        largest = "" if found.largest is None else f" up to {found.largest:g}"
        return Sentence(f"No {symbol}{largest} publishes {what} {near}.")
    about, size = "about " if found.is_about else "", f"{symbol} = {found.size:g}"
    way = method(best.key).way
    if best.is_first:
        return Sentence(about, size, f" is already enough to publish {what}, {way}, {near}.")
    aim = "for" if short or names.is_stand_in else "to publish"
    return Sentence(f"You need {about}", size, f" {aim} {what}, {way}, {near}.")


def second(found: NeedNumbers, names: StudyNames, *, others: bool = True) -> str:
    """How often, in places, of how many people; with others, what the next method needs."""
    people = names.people
    if not found.is_declared:
        return (
            f"Say about how many {people.many} there are, from public knowledge: more of them "
            f"need less. The picture is for {found.people:,} made-up ones. {names.why}"
        )
    where = "" if found.quantiles == 1 else ", at every one"
    if not found.is_largest:
        where = " on average"
    then = "were to be" if found.size is None else "are then"
    said = (
        f"{upper(often_text(found.probability))} releases {then} off by at most {found.places:,} "
        f"of {people.counted(found.people)}{where}{in_values(found, names)}."
    )
    if names.why:
        return f"{said} {names.why}"
    return f"{said}{_next(found)}" if others else said


def in_values(found: NeedNumbers, names: StudyNames) -> str:
    """What the target is in the column's own unit: at the median, and at the worst quantile."""
    far = found.reach
    if far is None:
        return ""
    worst = names.unit.after(far.writing.value(far.worst))
    if far.alone:
        return f", or {worst}"
    if far.median is None:
        return f", up to {worst}"
    median = names.unit.after(far.writing.value(far.median))
    return f": the median by {median}, none by more than {worst}"


def _next(found: NeedNumbers) -> str:
    """What the best of the other methods needs; nothing where only one was looked at."""
    if found.size is None or len(found.methods) == 1:
        return ""
    other = found.methods[1]
    name = upper(method(other.key).name)
    if other.needed is None:
        return f" {name} does not get there."
    if other.is_level:
        both = "is enough there, too" if other.is_first else "is level with it"
        return f" {name} {both}."
    return f" {name} would need {size_text(other.needed, found.symbol)}."


def strip(found: NeedNumbers, names: StudyNames) -> list[tuple[str, str]]:
    """What was computed, how often, in which unit; and what a formula says, if there is one."""
    fewest, most = found.runs
    each = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    rows = [
        ("computed on", names.title),
        ("releases each", each),
        ("measured in", "places of the ranking"),
    ]
    return [*rows, ("by formula", formula_text(*found.formula))] if found.formula else rows


def formula_text(even: float, apart: float) -> str:
    """The ε of one quantile on records evenly apart, and on independent ones if that differs."""
    if f"{even:.2g}" == f"{apart:.2g}":
        return f"ε = {even:.2g} without ties"
    return f"ε = {even:.2g} without ties, evenly apart; {apart:.2g} by chance"


def odds(found: NeedNumbers, names: StudyNames) -> str:
    """What the cards say of the answer, for a room: how far off, and the odds; as Markdown."""
    if not found.cards or found.cards[1].belief is None:
        return ""
    often = upper(often_text(found.probability))
    grows = _grows(found, found.cards[1].belief, names)
    return f"{plain(often)} releases are that close. {grows}."


def cards(found: NeedNumbers, names: StudyNames) -> list[tuple[str, str]]:
    """Half the budget, the answer, twice the budget: a head and a text each, as Markdown."""
    return [
        (f"{name}: {found.symbol} = {card.size:g}", _card(card, found, names))
        for name, card in zip(CARDS, found.cards, strict=False)
    ]


def _card(card: Card, found: NeedNumbers, names: StudyNames) -> str:
    off = "More than the picture shows."
    if card.error is not None:
        off = f"Off by at most {true(share_text(card.error))}."
    if card.belief is None:
        return off
    return f"{off} {_grows(found, card.belief, names, ' by their record')}."


def _grows(found: NeedNumbers, belief: float, names: StudyNames, why: str = "") -> str:
    """What a suspicion grows to at most, in per cent, one decimal, rounded up."""
    return (
        f"A suspicion of {plain(f'{found.suspicion:g} %')} that one {plain(names.people.one)} is "
        f"in the data grows{why} to at most {true(belief_text(belief))}"
    )


def belief_text(belief: float) -> str:
    """A belief that is not exceeded: in per cent, one decimal, rounded up."""
    return f"{up(100 * belief, 1):g} %"


def measured(found: NeedNumbers, names: StudyNames, *, brief: bool = False) -> str:
    """What the picture's errors are; brief is for a phone."""
    error = "Largest error" if found.is_largest else "Mean error"
    of = "" if brief else f" of {names.what}"
    return f"{error}{of}, as a share of the {names.people.many}"


def wanted(found: NeedNumbers, *, brief: bool = False) -> str:
    """What the line of the target is called."""
    return f"{'target' if brief else 'your target:'} {target_text(found.percent)}"


def label(one: MethodNeed, symbol: str, without: str = "not reached") -> str:
    """What a method needs, beside its name; without is said where it has no answer."""
    return without if one.needed is None else size_text(one.needed, symbol)


def so_far(found: NeedNumbers) -> str:
    """What the parts of a run that are done say already; empty before the first one."""
    known = [(one.key, one.needed) for one in found.methods if one.needed is not None]
    if known:
        key, needed = known[0]
        needs = size_text(needed, found.symbol)
        return f"{upper(method(key).name)} needs {needs} for {target_text(found.percent)}."
    if found.least is None:
        return ""
    return f"Budgets down to {found.symbol} = {found.least:g} are drawn."
