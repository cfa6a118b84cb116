"""What a visit remembers, row by row: its name in links, its first value, and how a link says it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.core.budgets import Neighbours
from dpviz.intake.samples import samples

SEEDS = 10**9
LARGEST, LEAST = 1e6, 1e-6  # of a budget that the app takes
NOTIONS = {"pure": "pure ε", "approx": "(ε, δ)", "zcdp": "zCDP ρ"}
RELATIONS = {Neighbours.ADD_REMOVE: "add/remove", Neighbours.REPLACE_ONE: "replace"}


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of the visit.

    read raises ValueError or KeyError for a text that a link cannot mean; write gives the text.
    first is what holds until a person or a link says otherwise, and is left out of links.
    """

    key: str
    first: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _size(text: str) -> float:
    found = float(text)
    if not LEAST <= found <= LARGEST:
        raise ValueError(text)
    return found


def _chance(text: str) -> float:
    found = float(text)
    if not 0 < found < 1:
        raise ValueError(text)
    return found


def _seed(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and int(text) <= SEEDS):
        raise ValueError(text)
    return int(text)


def _switch(text: str) -> bool:
    return {"true": True, "1": True, "false": False, "0": False}[text.lower()]


def _notion(text: str) -> str:
    return {name: name for name in NOTIONS}[text]


def _relation(text: str) -> Neighbours:
    return {name: relation for relation, name in RELATIONS.items()}[text]


def _axis(text: str) -> str:
    if text not in {name for one in samples() for name in one.columns}:
        raise ValueError(text)
    return text


def number(text: str) -> float:
    """A finite number as a link writes it. Raises: ValueError for any other text."""
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(text)
    return found


def short(number: float) -> str:
    """A number as links write it."""
    return f"{number:.10g}"


FIELDS: tuple[Field, ...] = (
    Field("notion", "pure", _notion),
    Field("eps", None, _size, short),
    Field("delta", 1e-6, _chance, short),
    Field("rho", None, _size, short),
    Field("neighbours", Neighbours.ADD_REMOVE, _relation, RELATIONS.__getitem__),
    Field("truth", True, _switch, lambda on: "true" if on else "false"),
    Field("seed", 1, _seed),
    Field("axis", None, _axis),
    Field("present", False, _switch, lambda on: "1" if on else "0"),
)
KEYS = {field.key: field for field in FIELDS}
