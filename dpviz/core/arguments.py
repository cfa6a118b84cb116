"""Checks of arguments that a script may get wrong: what was found, and what to do."""

from __future__ import annotations

from types import UnionType

import numpy as np

from dpviz.core.errors import InvalidParameter


def checked_kind(
    value: object, kinds: type | UnionType, caller: str, wanted: str, remedy: str
) -> None:
    """Refuse a value of another type, in the name of the function that was called.

    The value itself is never shown: it may be confidential.
    Raises: InvalidParameter that says what was wanted, what was found and what to do.
    """
    if not isinstance(value, kinds):
        found = "None" if value is None else f"a value of type {type(value).__name__}"
        raise InvalidParameter(f"{caller} takes {wanted}, got {found}. {remedy}.")


def checked_rng(rng: object, caller: str) -> None:
    """Refuse anything but a random generator, a bare seed included.

    Raises: InvalidParameter.
    """
    remedy = "Pass numpy.random.default_rng(seed)"
    checked_kind(rng, np.random.Generator, caller, "a random generator", remedy)


def checked_whole(name: str, value: object) -> int:
    """A whole number as an int.

    Raises: InvalidParameter for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidParameter(f"{name} must be a whole number, got {value!r}.")
    return int(value)
