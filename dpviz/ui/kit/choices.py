"""Widgets whose choice follows the visitor and stands in the link: one function for each kind.

A default of "kept" is the value that memory.start_with named, for widgets that callbacks set as
well: going back, a person finds it where the link of that page does not hold the key. What else a widget takes goes on to Streamlit, bind and persist_state included. What a
link brings is checked first, and falls back to the default where it cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.kit import memory
from dpviz.ui.links import arriving, readable
from dpviz.ui.visit import folded

Choice = TypeVar("Choice")
Options = Mapping[Choice, str] | Sequence[Choice]

KEPT: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}


def _shown(options: Options[Choice]) -> dict[str, Any]:
    """How options are written: by the texts of a mapping, else as they are."""
    if isinstance(options, Mapping):
        return {"options": list(options), "format_func": lambda one: options[one]}
    return {"options": list(options)}


def _check(key: str, others: Mapping[str, Any], is_readable: arriving.Reads) -> None:
    """Check what a link brings to a widget, if the widget is bound to the link."""
    if others.get("bind", KEPT["bind"]) is not None:
        arriving.check(key, is_readable)


def _start(key: str, default: Any, others: dict[str, Any], name: str = "value") -> None:
    """Give a widget its own default, which also holds where a link of the history has no value."""
    if default != "kept":
        others[name] = default
    elif memory.starts(key):
        others[name] = memory.first(key)


def _rests(key: str, default: Any, others: Mapping[str, Any]) -> bool:
    """Whether nobody sees the widget, in a closed popover, and it says what it says at first.

    Then it is not drawn: what it says is known, and stands in no link.
    """
    return (
        folded.is_closed()
        and not arriving.linked(key)
        and others.get("bind", KEPT["bind"]) is not None
        and bool(st.session_state.get(key, default) == default)
    )


def _first(key: str, default: Any, others: Mapping[str, Any], name: str = "value") -> Any:
    """What a widget says at first."""
    return others.get(name, default if default != "kept" else st.session_state.get(key))


def _texts(shown: Mapping[str, Any]) -> list[str]:
    """What options are called in a link: their texts on screen."""
    return [shown.get("format_func", str)(one) for one in shown["options"]]


def expected(key: str, options: Collection[str], first: str) -> str:
    """What a choice further down will say, for words that are written before it is drawn.

    Never a text that a link alone holds: that one may be Markdown, and what expects it may be a label.
    """
    texts = (str(st.session_state.get(key)), *arriving.linked(key)[:1])
    return next((text for text in texts if text in options), first)


def segments(
    label: str,
    options: Options[Choice],
    key: str,
    help: str | None = None,  # noqa: A002  Streamlit's own word
    *,
    default: Choice | Literal["kept"] | None = None,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """Exactly one of a few options, side by side; the first by default."""
    if default is None:
        default = next(iter(options))
    _start(key, default, others, "default")
    if _rests(key, first := _first(key, default, others, "default"), others):
        return cast("Choice", first)
    shown = _shown(options)
    _check(key, others, readable.one_of(_texts(shown)))
    chosen = (place or st).segmented_control(
        label, **shown, key=key, required=True, help=help, **KEPT | others
    )
    return cast("Choice", chosen)


def menu(
    label: str,
    options: Options[Choice],
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """Exactly one of many options, in a list that opens; the first by default."""
    shown = _shown(options)
    place_of_first = others.get("index", 0)
    if place_of_first is not None and _rests(key, shown["options"][place_of_first], others):
        return cast("Choice", shown["options"][place_of_first])
    _check(key, others, readable.one_of(_texts(shown)))
    chosen = (place or st).selectbox(label, **shown, key=key, help=help, **KEPT | others)
    return cast("Choice", chosen)


def steps(
    label: str,
    options: Sequence[Choice],
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: Choice | Literal["kept"] = "kept",
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Choice:
    """One of ordered options, on a slider; numbers are written as short as they can be."""
    _start(key, default, others)
    if _rests(key, first := _first(key, default, others), others):
        return cast("Choice", first)
    if all(isinstance(one, int | float) for one in options):
        others.setdefault("format_func", "{:g}".format)
    _check(key, others, readable.one_of(_texts({"options": options} | others)))
    chosen = (place or st).select_slider(label, options, key=key, help=help, **KEPT | others)
    return cast("Choice", chosen)


def whole_number(
    label: str,
    least: int,
    most: int,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: int | Literal["kept"] = "kept",
    place: DeltaGenerator | None = None,
    **others: Any,
) -> int:
    """A whole number in least … most."""
    _start(key, default, others)
    if _rests(key, first := _first(key, default, others), others):
        return int(first)
    _check(key, others, readable.whole(least, most))
    chosen = (place or st).number_input(label, least, most, key=key, help=help, **KEPT | others)
    return int(chosen)


def optional_whole(
    label: str,
    least: int,
    most: int,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> int | None:
    """A whole number in least … most, or None while the field is empty, as it is at first."""
    if _rests(key, None, others):
        return None
    _check(key, others, readable.whole(least, most))
    chosen = (place or st).number_input(
        label, least, most, key=key, help=help, value=None, step=1, **KEPT | others
    )
    return None if chosen is None else int(chosen)


def switch(
    label: str,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: bool = False,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> bool:
    """On or off."""
    if _rests(key, default, others):
        return default
    _check(key, others, readable.yes_or_no)
    return bool((place or st).toggle(label, value=default, key=key, help=help, **KEPT | others))


def slide(
    label: str,
    least: int,
    most: int,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> int:
    """A whole number on a slider; memory.start_with gives its first value."""
    _start(key, "kept", others)
    if _rests(key, first := _first(key, "kept", others), others):
        return int(first)
    _check(key, others, readable.whole(least, most))
    chosen = (place or st).slider(label, least, most, key=key, help=help, **KEPT | others)
    return int(chosen)


def anything(_: float) -> bool:
    """Accepts every finite number."""
    return True


def number(
    label: str,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: float | Literal["kept"] | None = "kept",
    place: DeltaGenerator | None = None,
    accepts: Callable[[float], bool] = anything,
    **others: Any,
) -> float:
    """Any number; accepts says which of those that a link may bring are of use."""
    found = field(label, key, help, default=default, place=place, accepts=accepts, **others)
    assert found is not None, f"{key} has a value from the start"
    return float(found)


def field(
    label: str,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: float | Literal["kept"] | None = None,
    place: DeltaGenerator | None = None,
    accepts: Callable[[float], bool] = anything,
    **others: Any,
) -> float | None:
    """A number, or None while the field is empty; accepts as for number."""
    _start(key, default, others)
    if _rests(key, first := _first(key, default, others), others):
        return cast("float | None", first)
    settings = KEPT | {"format": "%.10g"} | others
    _check(key, settings, readable.number(settings, accepts))
    chosen = (place or st).number_input(label, key=key, help=help, **settings)
    return cast("float | None", chosen)


def several(
    label: str,
    options: Sequence[Choice],
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> list[Choice]:
    """Any of a few options, side by side; all of them by default."""
    if _rests(key, list(options), others):
        return list(options)
    _check(key, others, readable.some_of([str(one) for one in options]))
    chosen = (place or st).segmented_control(
        label,
        options,
        selection_mode="multi",
        key=key,
        default=list(options),
        help=help,
        **KEPT | others,
    )
    return list(chosen)


def text(
    label: str,
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    is_readable: arriving.Reads,
    lines: bool = False,
    **others: Any,
) -> str:
    """A text, of one line or of several; a link's is taken only if it can be read."""
    _start(key, "kept", others)
    if _rests(key, first := _first(key, "kept", others), others):
        return str(first)
    _check(key, others, is_readable)
    write = st.text_area if lines else st.text_input
    return str(write(label, key=key, help=help, **KEPT | others))


def pills(
    label: str,
    options: Mapping[Choice, str],
    key: str,
    help: str | None = None,  # noqa: A002
    *,
    default: Sequence[Choice],
    **others: Any,
) -> list[Choice]:
    """Any of several options, as pills."""
    if _rests(key, list(default), others):
        return list(default)
    shown = _shown(options)
    _check(key, others, readable.some_of(_texts(shown)))
    chosen = st.pills(
        label,
        **shown,
        selection_mode="multi",
        key=key,
        default=default,
        wrap=True,
        help=help,
        **KEPT | others,
    )
    return list(chosen)
