"""Whatever there is one of is said in the singular: a net that holds what functions of words say.

Every call of such a function in a test is made once more with all its numbers a one.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from dpviz.answers.said import unmarked

NOUNS = (
    "buckets bins places parts quantiles counts runs draws releases records cells points levels "
    "values columns rows steps scenes answers methods trials leaves numbers averages pairs people "
    "students homes visits marks nodes sets dots rectangles times ones queries intervals"
)
VERBS = "are were have do lie live say take stand"
ADJECTIVES = "noisy other real made-up measured median further equal running"
ONE = r"(?<![\w.,^/−-])(?<!× )(?<!= )(?<!each of )1"
OF, MANY, DO = (words.replace(" ", "|") for words in (ADJECTIVES, NOUNS, VERBS))
PLURAL = re.compile(rf"{ONE} (?:(?:(?:{OF}) )*(?:{MANY})|{DO})\b")


def ones(value: Any) -> Any:
    """The same numbers, each of them a one; whatever cannot be that is as it was."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return type(value)(1)
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(ones, value))
    if is_dataclass(value) and not isinstance(value, type):
        changed = {one.name: ones(getattr(value, one.name)) for one in fields(value) if one.init}
        try:
            return replace(value, **changed)
        except Exception:
            return value
    return value


def texts(said: Any) -> Iterator[str]:
    """All texts of what is said, however they are held; a strip's word and number are apart."""
    if isinstance(said, str):
        yield unmarked(said)
    elif is_dataclass(said) and not isinstance(said, type):
        for one in fields(said):
            yield from texts(getattr(said, one.name))
    elif isinstance(said, list | tuple):
        for one in said:
            yield from texts(one)


def plurals(said: Any) -> list[str]:
    """What follows a one in it and is a plural."""
    return [found.group() for text in texts(said) for found in PLURAL.finditer(text)]


def checked(say: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which also says all of it of ones."""

    def call(*given: Any, **others: Any) -> Any:
        said = say(*given, **others)
        assert not plurals(said), plurals(said)
        try:
            once = say(*map(ones, given), **others)
        except Exception:  # ones that cannot be together
            return said
        assert not plurals(once), plurals(once)
        return said

    return call


def hold(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold what a test module takes from modules of words, and these themselves."""
    for name, one in list(vars(module).items()):
        if isinstance(one, ModuleType) and one.__name__.endswith("_said"):
            for inner, function in list(vars(one).items()):
                if _speaks(function):
                    monkeypatch.setattr(one, inner, checked(function))
        elif _speaks(one):
            monkeypatch.setattr(module, name, checked(one))


def _speaks(one: Any) -> bool:
    return callable(one) and getattr(one, "__module__", "").endswith(("_said", ".words"))
