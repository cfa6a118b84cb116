"""What stands in for a file: a law shaped by two public numbers, which are words of a line of theirs."""

from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from dpviz.answers.decide import misses_said
from dpviz.answers.decide.quantile_buys_said import StandIn
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning.shaped import BY_KIND, Shape, usual
from dpviz.figures.decide.sentence import Amount, Choice, Sentence
from dpviz.ui.data import declaring
from dpviz.ui.data.kinds import KINDS
from dpviz.ui.decide import words
from dpviz.ui.decide.component.sentence import sentence
from dpviz.ui.decide.words import FAR
from dpviz.ui.kit import session
from dpviz.ui.visit import state
from dpviz.ui.visit.fields import number, short

SEED = 34  # of the people that a picture shows
MOST_DRAWN = 200_000  # of them
HALF, TENTH, SOURCE = "half", "tenth", "source"
GUESS = "a guess"
SOURCES = (GUESS, "national statistics", "last year's table", "an earlier release")


def shape() -> tuple[Shape, StandIn | None]:
    """What is publicly assumed of the file in use, and its two numbers, where it has them.

    Raises: InvalidParameter for numbers that do not fit each other or the bounds.
    """
    bounds = session.declared_bounds()
    step = session.declared_step(bounds)
    found, source = usual(law(), bounds, step)
    if not found.has_numbers:
        return found, None
    typed = {name: _held(name) for name in (HALF, TENTH)}
    half, tenth = (getattr(found, name) if one is None else one for name, one in typed.items())
    is_typed = any(one is not None for one in typed.values())
    named = str(_held(SOURCE) or (GUESS if is_typed else source))
    return Shape(found.law, bounds, step, half, tenth), StandIn(half, tenth, named)


def law() -> str:
    """What the kind of number assumes of the file in use."""
    return BY_KIND.get(words.kind_of_number(), "flat")


def typed() -> StandIn | None:
    """Two numbers that were typed, though they do not fit: they can be typed anew."""
    half, tenth = _held(HALF), _held(TENTH)
    if half is None and tenth is None:
        return None
    low, high = session.declared("low") or 0.0, session.declared("high") or 0.0
    return StandIn(low if half is None else half, high if tenth is None else tenth, GUESS)


def column(people: int | None) -> Column | None:
    """Made-up people of that shape, to be drawn; None where none can be made up."""
    try:
        found, _ = shape()
    except DpvizError:
        return None
    count = min(people or 1_000, MOST_DRAWN)
    return found.columns(np.random.default_rng(SEED), count, 1)[0]


def line(found: StandIn | None, unit: str, *, is_reckoned: bool, is_drawn: bool) -> None:
    """The kind of number and the two numbers as words of a small sentence.

    Behind it stands what needs in a unit were worth on real columns, once something is reckoned,
    and what hollow marks mean, where there are some.
    """
    kinds = [(kind.key, kind.label.lower()) for kind in KINDS]
    kind = Choice("kind", "What kind of number it is", kinds)
    parts: list[str | Choice | Amount] = ["Reckoned on made-up ", kind]
    values = {"kind": words.kind_of_number()}
    if found is not None:
        refuses = "Type a number between the bounds."
        parts += [
            ": half below ",
            Amount(HALF, "Half of the people lie below", -FAR, FAR, refuses),
            ", one in ten above ",
            Amount(TENTH, "One in ten lies above", -FAR, FAR, refuses),
            " (from ",
            Choice(SOURCE, "From where the two numbers are", [(one, one) for one in SOURCES]),
            ").",
        ]
        values |= {HALF: short(found.middle), TENTH: short(found.tenth), SOURCE: found.source}
    if is_reckoned:
        hollow = " Hollow: not published." if is_drawn else ""
        kept = f" {misses_said.said(law(), unit)}".rstrip()
        parts.append(f"{'' if found else '.'}{hollow}{kept}")
    elif found is None:
        parts = ["The kind of number, ", kind, ", proposes bounds that anybody could name."]
    sentence("decide_stand_in", Sentence(parts, values, small=True), _take)


def _take(changed: Mapping[str, str], _: str) -> None:
    for name, text in changed.items():
        if name == "kind":
            _take_kind(text)
        elif name == SOURCE and text in SOURCES:
            state.put(_key(name), text)
        elif name in (HALF, TENTH):
            with suppress(ValueError):  # of what is no number
                state.put(_key(name), number(text))


def _take_kind(kind: str) -> None:
    """The kind proposes bounds and steps that anyone could name, where none are declared."""
    if kind not in {one.key for one in KINDS}:
        return
    scope = session.scope()
    for name in (HALF, TENTH, SOURCE):
        state.store().pop(_key(name), None)
    if session.declared("low") is None or session.declared("high") is None:
        declaring.propose(scope, kind)
    else:
        declaring.name_kind(scope, kind)


def _key(name: str) -> str:
    return f"decide_{name}_{session.scope()}"


def _held(name: str) -> float | None:
    found: float | None = state.store().get(_key(name))
    return found
