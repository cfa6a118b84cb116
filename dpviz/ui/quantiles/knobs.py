"""What may be set of the methods on the page: rows that the methods themselves name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz import catalogue
from dpviz.core import knobs
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.errors import DpvizError
from dpviz.core.knobs import Knob
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, Kind, Number, OneOf, Switch, Values
from dpviz.ui.quantiles import methods
from dpviz.ui.visit import state

AUTO = "auto"
WIDTHS = 140  # px of a field for a number


@dataclass(frozen=True, slots=True)
class Settings:
    """The relation, and what was set of every method, by the keys of their knobs."""

    neighbours: Neighbours
    chosen: Values

    def chips(self, name: str) -> list[str]:
        """What was set of a method, in words, where it is not as at first."""
        return knobs.chips(methods.kind_of(name).knobs, self.chosen)

    def build(self, name: str, budget: Budget) -> QuantileMechanism:
        """A mechanism by its name.

        Raises: InvalidParameter for a tree that cannot be, KeyError for a name without a row.
        """
        kind = methods.kind_of(name)
        others = {"neighbours": self.neighbours, "noise": Noise.for_budget(budget)}
        made: QuantileMechanism = knobs.set_on(kind(), kind.knobs, self.chosen, **others)
        return made


def every() -> list[Knob]:
    """One knob of each key, in the order in which methods name them."""
    found: dict[str, Knob] = {}
    for kind in catalogue.QUANTILES:
        for knob in kind.knobs:
            found.setdefault(knob.name, knob)
    return list(found.values())


def rows() -> list[Sequence[Field]]:
    """The rows of all knobs; those of numbers stand beside each other."""
    groups: list[list[Field]] = []
    numbers = False
    for knob in every():
        row = _row(knob)
        if numbers and knob.ends is not None and not knob.is_declared:
            groups[-1].append(row)
        else:
            groups.append([row])
        numbers = knob.ends is not None and not knob.is_declared
    return list(groups)


def _row(knob: Knob) -> Field:
    return Field(
        knob.name,
        knob.label,
        _kind(knob),
        knob.first,
        "expert",
        lambda values: _help(knob, values),
        when=lambda values: any(_owners(knob.name, values)),
        linked=(lambda: session.link() is not None) if knob.is_declared else lambda: True,
        under=None if knob.note is None else _note(knob.note),
        late=True,
    )


def _kind(knob: Knob) -> Kind:
    if knob.options is not None:
        return OneOf(knob.options, "menu" if len(knob.options) > 4 else "segments")
    if knob.ends is None:
        return Switch()
    least, most = map(float, knob.ends)
    grey = (lambda values: _usual(knob, values)) if knob.usual else None
    return Number(least, most, is_whole=True, placeholder=grey)


def _owners(key: str, values: Values) -> list[str]:
    """The methods in use that have a knob which means something now."""
    notion = state.get("notion")
    return [
        name
        for name in methods.used(values)
        for one in methods.kind_of(name).knobs
        if one.name == key and one.means(values) and one.promise in {"", notion}
    ]


def _help(knob: Knob, values: Values) -> str:
    """Its own words; where methods are compared, also whose it is."""
    if len(methods.used(values)) < 2:
        return knob.help
    return f"{knob.help} Of: {', '.join(map(methods.in_words, _owners(knob.name, values)))}."


def _usual(knob: Knob, values: Values) -> str:
    """What a method takes by itself where the field is empty, for what is declared."""
    assert knob.usual is not None
    try:
        bounds, step = session.declared_bounds(), session.declared("resolution") or 0.0
        return f"{AUTO}: {knob.usual(values, bounds, step, values['budget']):,}"
    except DpvizError:  # said where the picture would stand
        return AUTO


def _note(said: Callable[[Budget], str]) -> Callable[[Any, Values], None]:
    def under(_: Any, values: Values) -> None:
        if text := said(values["budget"]):
            st.caption(text)

    return under
