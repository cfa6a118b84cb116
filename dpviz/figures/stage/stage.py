"""A stage: the marks of a picture, for wide and narrow screens, in all of its states."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.places import Mark

State = Mapping[str, str]  # a value for each control: {"epsilon": "1", "ida": "in"}
Fields = Mapping[str, Mapping[str, Any]]  # what changes: mark → field → value
Key = TypeVar("Key", bound=tuple[str, ...])
KINDS = (
    "alt",
    "axis",
    "band",
    "barrier",
    "beam",
    "boxes",
    "card",
    "cells",
    "curve",
    "dots",
    "errorbar",
    "frame",
    "grains",
    "grip",
    "guess",
    "handle",
    "label",
    "law",
    "people",
    "person",
    "phones",
    "piles",
    "rule",
    "tank",
    "tap",
    "tiles",
)


@dataclass(frozen=True, slots=True)
class View:
    """Marks for pictures up to `until` px of width, or for all that are wider; back to front."""

    marks: tuple[Mark, ...]
    until: int | None = None

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for mark in self.marks:
            if mark["kind"] not in KINDS:
                raise InvalidParameter(f"There is no mark '{mark['kind']}': {', '.join(KINDS)}.")
            if mark["id"] in seen:
                raise InvalidParameter(f"Two marks are called '{mark['id']}'.")
            missing = set(_axes(mark)) - seen
            if missing:
                raise InvalidParameter(
                    f"'{mark['id']}' stands on {sorted(missing)}, which come after it or nowhere."
                )
            seen.add(mark["id"])


@dataclass(frozen=True, slots=True)
class Layer:
    """Fields of marks that follow some of the controls; keys join their values with '|'."""

    by: tuple[str, ...]
    states: Mapping[str, Fields]


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that draw.js needs, for every state; k makes words larger for a back row."""

    views: tuple[View, ...]
    state: State
    layers: tuple[Layer, ...] = ()
    k: float = 1.0

    def __post_init__(self) -> None:
        names = {mark["id"] for view in self.views for mark in view.marks}
        for layer in self.layers:
            if not set(layer.by) <= set(self.state):
                raise InvalidParameter(f"{layer.by} are not all in the state {dict(self.state)}.")
            unknown = {name for fields in layer.states.values() for name in fields} - names
            if unknown:
                raise InvalidParameter(f"No view has the marks {sorted(unknown)}.")
            if "|".join(self.state[name] for name in layer.by) not in layer.states:
                raise InvalidParameter(f"No layer knows the state {dict(self.state)}.")

    def at(self, **state: str) -> "Stage":
        """The same stage in another state."""
        return replace(self, state={**self.state, **state})

    def to_dict(self) -> dict[str, Any]:
        """As draw.js reads it."""
        views = [{"until": view.until, "marks": list(view.marks)} for view in self.views]
        layers = [{"by": list(layer.by), "states": dict(layer.states)} for layer in self.layers]
        return {"k": self.k, "views": views, "layers": layers, "state": dict(self.state)}


def layer(by: Sequence[str], states: Mapping[Key, Sequence[Mark]]) -> Layer:
    """A layer from whole marks of every state; fields that never change are left out.

    What a view says of those that are kept is overruled in every state.
    """
    first = {mark["id"]: mark for mark in next(iter(states.values()))}
    moving = {
        (mark["id"], field)
        for marks in states.values()
        for mark in marks
        for field, value in mark.items()
        if first[mark["id"]].get(field) != value
    }
    return Layer(
        tuple(by), {"|".join(key): _fields(marks, moving) for key, marks in states.items()}
    )


def _fields(marks: Sequence[Mark], moving: set[tuple[str, str]]) -> Fields:
    found = {
        mark["id"]: {key: value for key, value in mark.items() if (mark["id"], key) in moving}
        for mark in marks
    }
    return {name: fields for name, fields in found.items() if fields}


def _axes(mark: Mark) -> Iterator[str]:
    """The axes that a mark stands on."""
    if "axis" in mark:
        yield mark["axis"]
    yield from mark.get("axes", ())
    if mark.get("most"):
        yield mark["most"]["axis"]
    for field in ("at", "from", "to", "base", "top", "gaps", "overAt"):
        yield from _named(mark.get(field))


def _named(place: Any) -> Iterator[str]:
    """The axes in a place, or in lists of places."""
    if isinstance(place, dict):
        yield place["axis"]
    elif isinstance(place, list):
        for one in place:
            yield from _named(one)
