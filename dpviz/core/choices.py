"""Fields that hold one of a few named choices, given as a member or as its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, TypeVar, cast

from dpviz.core.errors import InvalidParameter

Thing = TypeVar("Thing")


def settle_choices(instance: object, **kinds: type[StrEnum]) -> None:
    """Turn the named fields of a frozen dataclass into members of their enumerations.

    Without this a text such as "replace-one" would silently compare unequal to every member.
    Raises: InvalidParameter that lists the choices.
    """
    for field, kind in kinds.items():
        value = getattr(instance, field)
        try:
            object.__setattr__(instance, field, kind(value))
        except ValueError:
            choices = ", ".join(f"'{member}'" for member in kind)
            raise InvalidParameter(f"{field} must be one of {choices}, got {value!r}.") from None


def with_choices(instance: Thing, choices: Mapping[str, object]) -> Thing:
    """A copy of a frozen dataclass with those of the choices that are fields of it."""
    whole: Any = instance  # a dataclass, for which no type is precise enough
    named = {one.name for one in fields(whole)}
    taken = {name: value for name, value in choices.items() if name in named}
    return cast("Thing", replace(whole, **taken))
