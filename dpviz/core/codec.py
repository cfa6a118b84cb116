"""How releases become JSON and come back: every field under its name, as its type is written."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from enum import Enum
from functools import lru_cache, reduce
from operator import or_
from types import NoneType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Budget, budget_from_dict
from dpviz.core.checks import found, short
from dpviz.core.errors import InvalidRelease

# what values from a stranger may raise; a DpvizError is a ValueError
DAMAGE = (
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)
# the order of a text: what is declared stands before what was drawn
HEAD = ("randomness", "mechanism", "parameters", "neighbours", "spent", "bounds", "resolution")


@contextmanager
def fitting(what: str) -> Iterator[None]:
    """Turn whatever the parts of a release raise into InvalidRelease, which names the release."""
    try:
        yield
    except InvalidRelease:
        raise
    except DAMAGE as error:
        raise InvalidRelease(f"This is not {what}: {short(error)}") from None


class Stored:
    """What is written as JSON and read back, equal to the last digit.

    _kind names it in a text, _words in an error. _older holds fields that texts of older versions
    lack, with what held then. The parts of the field _flat stand among the others. Two of a class
    are equal if they are written alike.
    """

    __slots__ = ()
    _kind: ClassVar[str]
    _words: ClassVar[str]
    _indent: ClassVar[int | None] = None
    _older: ClassVar[Mapping[str, Any]] = {}
    _flat: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        names = [name for name in _readers(type(self)) if name not in {"version", self._flat}]
        head = [name for name in HEAD if name in names]
        long = [name for name in names if isinstance(getattr(self, name), Box | np.ndarray)]
        rest = [name for name in names if name not in {*head, *long}]
        parts = {name: _written(getattr(self, name)) for name in (*head, *rest, *long)}
        flat = getattr(self, self._flat).to_dict() if self._flat else {}
        return {"kind": self._kind, "dpviz": self.version, **parts, **flat}  # type: ignore[attr-defined]

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal one, to the last digit."""
        return json.dumps(self.to_dict(), indent=self._indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what to_json wrote.

        Raises: InvalidRelease when the text is no JSON, of another kind, damaged or incomplete.
        """
        try:
            stored = json.loads(text)
            if stored["kind"] != cls._kind:
                raise InvalidRelease(f"Expected a {cls._words}, got {found(stored['kind'])}.")
            return cls._from_dict({**cls._older, **stored})
        except InvalidRelease:
            raise
        except DAMAGE as error:
            raise InvalidRelease(
                f"This is not a dpviz {cls._words}: {short(repr(error))}."
            ) from None

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Built from plain values; parts that are written otherwise are read by their class."""
        named = {**stored, "version": stored["dpviz"], cls._flat: stored}
        return cls(**{name: read(named[name]) for name, read in _readers(cls).items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_dict() == other.to_dict()

    __hash__: ClassVar[Any] = None  # most hold arrays; equality is by content


# by type, the first that fits; what is of none is a plain value
WRITERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: value.value),
    (Bounds, lambda value: [value.low, value.high]),
    (Box, lambda value: [value.x.low, value.x.high, value.y.low, value.y.high]),
    (np.ndarray, lambda value: value.tolist()),
    (Mapping, dict),
    (tuple, list),
)
# by the declared type of a field; modules of other parts add theirs
READERS: dict[Any, Callable[[Any], Any]] = {
    Bounds: lambda stored: Bounds(*stored),
    Box: lambda stored: Box(Bounds(*stored[:2]), Bounds(*stored[2:])),
    Budget: budget_from_dict,
}


def _written(value: Any) -> Any:
    for kind, write in WRITERS:
        if isinstance(value, kind):
            return write(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


@lru_cache(maxsize=64)
def _readers(cls: Any) -> dict[str, Callable[[Any], Any]]:
    """How each field of a class is read, by its declared type."""
    hints = get_type_hints(cls)
    return {one.name: _reader(hints[one.name]) for one in fields(cls)}


def _reader(hint: Any) -> Callable[[Any], Any]:
    if hint in READERS:
        return READERS[hint]
    options = get_args(hint)
    if NoneType in options:
        inner = _reader(reduce(or_, (one for one in options if one is not NoneType)))
        return lambda stored: None if stored is None else inner(stored)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if get_origin(hint) is tuple:
        return tuple
    return lambda stored: stored  # its class settles what it may be
