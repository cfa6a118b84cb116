"""Fields that hold one of a few named choices, given as a member or as its text."""

from __future__ import annotations

from enum import StrEnum

from dpviz.core.errors import InvalidParameter


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
