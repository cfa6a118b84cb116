"""What a price says: the end of the sentence, and the line about the method below it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dpviz.answers.decide.needs import PEOPLE, PLACES, NeedNames, unit_word
from dpviz.answers.decide.price import MOST, Price
from dpviz.answers.number_text import counted, number
from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.answers.said import true
from dpviz.experiments.planning.answers import round_up

MISSING = {"column": "a column of numbers", "bounds": "two bounds", "people": "a number of people"}
NO_STAND_IN = "No stand-in is needed: the noise is the same whatever the data."
ON_SAMPLE = "Computed on the sample: it is public."
DUST = 1e-6  # by which a number may lie above a whole one and still be it
TAKES, SQUARED = "that takes ", "²"
WORKED_OUT = "being worked out"
ROUNDED = 2  # digits of a computed need, rounded up: no promise is made smaller


@dataclass(frozen=True, slots=True)
class Ending:
    """The computed words of a sentence: text where they stand, computed in place of numbers.

    spoken is all of it, for who does not see the numbers; lead stands before it, in ink. is_note:
    it says why there is no number.
    """

    text: str
    spoken: str
    lead: str = ""
    computed: Mapping[str, str] = field(default_factory=dict)
    is_note: bool = False


def missing_text(missing: Sequence[str]) -> str:
    """What has to be declared before there is an answer: "two bounds are missing"."""
    plural = len(missing) > 1 or "bounds" in missing
    return f"{' and '.join(MISSING[one] for one in missing)} {'are' if plural else 'is'} missing"


def per_people(found: Price, people: int, symbol: str, names: NeedNames) -> Ending:
    """The answer for any number of people, from the one for so many: errors go as 1 / people.

    In places of the ranking they are the same for all; ρ goes as ε².
    """
    if found.size is None:  # of more people it may be kept
        return answer(found if found.is_about else None, symbol, ("people",), "", names)
    if found.need.unit == PLACES:
        said = f"about {symbol} = {amount_text(found.size)}"
    else:
        power = 2 if symbol == "ρ" else 1
        size = float(f"{found.size * people**power:.{ROUNDED + 1}g}")
        said = f"about {symbol} = {size:,.10g} / {names.people.many}{SQUARED if power == 2 else ''}"
    return Ending(said, said, TAKES, {"eps": ""})


def basis_for_any(found: Price, people: int, symbol: str, names: NeedNames) -> str:
    """What an answer for any number of people is reckoned on, and how it goes on from there."""
    twice = "a quarter" if symbol == "ρ" else "half"
    more = "as much" if found.need.unit == PLACES else f"about {twice}"
    return f"reckoned on {people:,} made-up {names.people.many}; twice as many take {more}"


def answer(
    found: Price | None,
    symbol: str,
    missing: Sequence[str],
    problem: str,
    names: NeedNames,
    *,
    is_given: bool = False,
) -> Ending:
    """The end of the sentence: the budget that a need takes, or the need that a budget keeps.

    A problem comes before what is missing. is_given: without an answer it is the budget that was
    typed, so that no need is seen.
    """
    if found is None:
        said = within(problem) if problem or not missing else missing_text(missing)
        text, unseen = (f"{said}: ", "off") if is_given else (said, "eps")
        return Ending(text, said, computed={unseen: ""}, is_note=True)
    if found.is_given and found.off is not None and math.isinf(found.off):  # without a curve
        said = WORKED_OUT if found.is_about else "no method can answer at this budget"
        return Ending(f"{said}: ", said, computed={"off": ""}, is_note=True)
    if found.is_given and found.off is not None:
        amount = rounded_off(found.off, found.need.unit)
        unit = unit_word(found.need.unit, names, amount)
        about = "about " if found.is_about else ""
        spoken = f"off by at most {about}{amount_text(amount)} {unit}"
        return Ending("", spoken, about, {"off": f"{amount:.10g}"})
    if found.size is None and found.is_about:
        return Ending(WORKED_OUT, WORKED_OUT, computed={"eps": ""}, is_note=True)
    if found.size is None:
        said = f"no {symbol} up to {MOST:g} does that"
        return Ending(said, said, computed={"eps": ""}, is_note=True)
    about = "about " if found.is_about else ""
    spoken = f"{about}{symbol} = {amount_text(found.size)}"
    return Ending(f"{about}{symbol} =", spoken, TAKES, {"eps": f"{found.size:.10g}"})


def within(problem: str) -> str:
    """A sentence as a part of another one: without its capital letter, unless that is of a name."""
    first = problem.partition(" ")[0]
    lower = f"{problem[:1].lower()}{problem[1:]}" if first[1:] == first[1:].lower() else problem
    return lower.removesuffix(".")


def rounded_off(off: float, unit: str) -> float:
    """What a budget keeps, rounded up: people and places are whole, all else has two digits."""
    if unit in (PEOPLE, PLACES):
        return float(math.ceil(off - DUST))
    return round_up(off, ROUNDED)


def asked(found: Price) -> float:
    """The amount that a sentence says: as it was typed, or what its budget keeps, rounded up."""
    need = found.need
    is_computed = found.is_given and math.isfinite(need.amount)
    return rounded_off(need.amount, need.unit) if is_computed else need.amount


def line_name(found: Price, symbol: str) -> str:
    """Whose line an amount is in a picture: the need's that was typed, or what a budget keeps."""
    return f"your {symbol}" if found.is_given else "your need"


def amount_text(amount: float) -> str:
    """An amount as it was typed or rounded up, with the digits that it has and no others."""
    return f"{amount:,.10g}"


def spent(found: Price, symbol: str, *, is_rehearsal: bool) -> str:
    """The end of a sentence that was published."""
    assert found.size is not None
    size = f"{symbol} = {amount_text(found.size)}"
    return f"{size} would be spent." if is_rehearsal else f"{size} is spent."


def ranked(basis: str, places: int | None, people: int) -> str:
    """What an answer is reckoned on, and the need in places of the ranking, where it is known."""
    if places is None:
        return basis
    return f"{basis} In the ranking: at most {places:,} of {counted(people, 'place')}."


def method(found: Price, words: Callable[[str], str], basis: str, *, brief: bool = False) -> str:
    """The method, what it is level with, what comes next; basis says what it is reckoned on."""
    chosen = f"By {_article(words(found.chosen.key))}"
    if brief:
        return f"{chosen}, {basis}."
    parts = [chosen]
    if found.level:
        listed = " and ".join(true(words(one.key)) for one in found.level)
        parts.append(f", level with {listed}")
    elif len(found.ways) > 1:
        parts.append(f", the thriftiest of {number(len(found.ways))} methods")
    other = found.runner_up
    if other is not None and other.size is not None:
        parts.append(f"; {true(words(other.key))} would take {epsilon_text(other.size)}")
    return f"{''.join(parts)}. {basis}"


def too_low(left: float, takes: float) -> str:
    """That more is taken than is left of a promise."""
    return f"{epsilon_text(takes)} is more than the {epsilon_text(left)} left of the promise."


def instead(ask: str, size: float, symbol: str, *, is_about: bool = False) -> str:
    """What could be asked instead, and what it takes: "three quartiles, for ε = 0.2"."""
    return f"{ask}, for {'about ' if is_about else ''}{symbol} = {amount_text(size)}"


def drawn(word: str, *, is_secret: bool) -> str:
    """How a release came about."""
    by = f"By {_article(word)}"
    if not is_secret:
        return f"{by}, from a seed that anybody can repeat: a rehearsal protects nobody."
    return (
        f"{by}, with random bits under a key that nobody keeps. There is no second draw: asked "
        "again, this page shows the same numbers."
    )


def _article(word: str) -> str:
    """A method as one speaks of it: "a **noisy tree**", "**all at once**"."""
    bare = word.split(maxsplit=1)[0] in {"all", "recursive", "one"} or word[:1].isupper()
    article = "" if bare else "an " if word[:1] in "aeiou" else "a "
    return f"{article}{true(word)}"
