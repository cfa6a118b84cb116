"""Widgets whose choice follows the visitor and stands in the link: one function for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

Choice = TypeVar("Choice")
Options = Mapping[Choice, str] | Sequence[Choice]

KEPT: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}


def _shown(options: Options[Choice]) -> dict[str, Any]:
    """How options are written: by the texts of a mapping, else as they are."""
    if isinstance(options, Mapping):
        return {"options": list(options), "format_func": lambda one: options[one]}
    return {"options": list(options)}


def segments(
    label: str,
    options: Options[Choice],
    key: str,
    help: str,  # noqa: A002  Streamlit's own word
    *,
    default: Choice | None = None,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """Exactly one of a few options, side by side; the first by default."""
    chosen = (place or st).segmented_control(
        label,
        **_shown(options),
        key=key,
        default=next(iter(options)) if default is None else default,
        required=True,
        help=help,
        **KEPT,
        **others,
    )
    return cast("Choice", chosen)


def menu(
    label: str,
    options: Options[Choice],
    key: str,
    help: str,  # noqa: A002
    *,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """Exactly one of many options, in a list that opens; the first by default."""
    chosen = (place or st).selectbox(label, **_shown(options), key=key, help=help, **KEPT, **others)
    return cast("Choice", chosen)


def steps(
    label: str,
    options: Sequence[Choice],
    key: str,
    help: str,  # noqa: A002
    *,
    default: Choice,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """One of ordered options, on a slider."""
    chosen = (place or st).select_slider(
        label, options, value=default, key=key, help=help, **KEPT, **others
    )
    return cast("Choice", chosen)


def whole_number(
    label: str,
    least: int,
    most: int,
    key: str,
    help: str,  # noqa: A002
    *,
    default: int | Literal["kept"] = "kept",
    place: DeltaGenerator | None = None,
    **others: Any,
) -> int:
    """A whole number in least … most; "kept" where memory.start_with set the first value."""
    if default != "kept":
        others["value"] = default
    chosen = (place or st).number_input(label, least, most, key=key, help=help, **KEPT, **others)
    return int(chosen)


def switch(
    label: str,
    key: str,
    help: str,  # noqa: A002
    *,
    default: bool = False,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> bool:
    """On or off."""
    return bool((place or st).toggle(label, value=default, key=key, help=help, **KEPT, **others))
