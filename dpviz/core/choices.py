"""Fields that hold one of a few named choices, given as a member or as its text."""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, TypeVar, cast

from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter

Thing = TypeVar("Thing")


class Choice(StrEnum):
    """A few named choices; a member can be had by its text too.

    Raises: InvalidParameter that lists the choices, for any other text.
    """

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise _refusal(cls, value, cls.__name__)


C = TypeVar("C", bound=Choice)


def choice(kind: type[C], value: str, name: str) -> C:
    """The member of an enumeration that a value is, or names.

    Raises: InvalidParameter that names the argument and lists the choices.
    """
    try:
        if isinstance(value, str):  # an enumeration would spell out any other value
            return kind(value)
    except InvalidParameter:
        pass  # the refusal below names the argument
    raise _refusal(kind, value, name)


def settle_choices(instance: object, **kinds: type[Choice]) -> None:
    """Turn the named fields of a frozen dataclass into members of their enumerations.

    Without this a text such as "replace-one" would silently compare unequal to every member.
    Raises: InvalidParameter that lists the choices.
    """
    for field, kind in kinds.items():
        object.__setattr__(instance, field, choice(kind, getattr(instance, field), field))


def _refusal(kind: type[Choice], value: object, name: str) -> InvalidParameter:
    choices = ", ".join(f"'{member}'" for member in kind)
    return InvalidParameter(f"{name} must be one of {choices}, got {found(value)}.")


def plain_values(instance: Any, *names: str) -> dict[str, Any]:
    """Fields of a frozen dataclass as JSON takes them: those named, or all but its neighbours.

    Choices become texts, and what has parameters of its own becomes those.
    """
    every = names or [one.name for one in fields(instance) if one.name != "neighbours"]
    return {name: _plain(getattr(instance, name)) for name in every}


def _plain(value: Any) -> Any:
    if isinstance(value, Choice):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value.to_dict() if hasattr(value, "to_dict") else getattr(value, "parameters", value)


def with_choices(instance: Thing, choices: Mapping[str, object]) -> Thing:
    """A copy of a frozen dataclass with those of the choices that are fields of it."""
    whole: Any = instance  # a dataclass, for which no type is precise enough
    named = {one.name for one in fields(whole)}
    taken = {name: value for name, value in choices.items() if name in named}
    return cast("Thing", replace(whole, **taken))
