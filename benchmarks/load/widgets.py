"""What a widget says when nobody has touched it, as the browser tells the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

TRIGGER = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the id under which a component's events are sent


class UnknownWidget(Exception):
    """The page has a widget that this client cannot speak for."""


def _select(state: WidgetState, shown: Any) -> None:
    if shown.set_value and shown.HasField("raw_value"):
        state.string_value = shown.raw_value
    elif shown.HasField("default") and not shown.set_value:
        state.string_value = shown.options[shown.default]


def _slider(state: WidgetState, shown: Any) -> None:
    if shown.type == shown.SELECT_SLIDER:
        chosen = [shown.options[int(place)] for place in shown.default]
        state.string_array_value.data.extend(shown.raw_value if shown.set_value else chosen)
    else:
        state.double_array_value.data.extend(shown.value if shown.set_value else shown.default)


def _group(state: WidgetState, shown: Any) -> None:
    chosen = [shown.options[place].content for place in shown.default]
    state.string_array_value.data.extend(shown.raw_values if shown.set_value else chosen)
    state.string_array_value.SetInParent()  # nothing chosen is an answer, too


def _several(state: WidgetState, shown: Any) -> None:
    chosen = [shown.options[place] for place in shown.default]
    state.string_array_value.data.extend(shown.raw_values if shown.set_value else chosen)
    state.string_array_value.SetInParent()


def _text(state: WidgetState, shown: Any) -> None:
    field = "value" if shown.set_value else "default"
    if shown.HasField(field):
        state.string_value = getattr(shown, field)


def _number(state: WidgetState, shown: Any) -> None:
    field = "value" if shown.set_value else "default"
    if shown.HasField(field):
        put_number(state, shown, getattr(shown, field))


def _switch(state: WidgetState, shown: Any) -> None:
    state.bool_value = shown.value if shown.set_value else shown.default


def _files(state: WidgetState, shown: Any) -> None:  # noqa: ARG001  nothing is handed over yet
    state.file_uploader_state_value.SetInParent()


def put_number(state: WidgetState, shown: Any, value: float) -> None:
    """What a number input sends for a value that was typed."""
    if shown.data_type == shown.INT:
        state.int_value = int(value)
    else:
        state.double_value = value


# a widget that is not here says nothing until it is touched: buttons, charts, components
SAID: dict[str, Callable[[WidgetState, Any], None]] = {
    "slider": _slider,
    "selectbox": _select,
    "radio": _select,
    "checkbox": _switch,
    "button_group": _group,
    "multiselect": _several,
    "text_input": _text,
    "text_area": _text,
    "number_input": _number,
    "file_uploader": _files,
}


def state_of(kind: str, shown: Any) -> WidgetState | None:
    """What the widget says before anybody touches it; None for what says nothing by itself.

    Raises: UnknownWidget if the element holds a value and is of a kind that is not in the table.
    """
    if kind in SAID:
        state = WidgetState(id=shown.id)
        SAID[kind](state, shown)
        return state
    if "set_value" in shown.DESCRIPTOR.fields_by_name:
        raise UnknownWidget(f"The load client knows no {kind}. Add it to SAID in widgets.py.")
    return None
