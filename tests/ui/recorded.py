"""What a module of the app writes, kept in place of drawn: Streamlit's calls in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import streamlit as st

WRITES = (
    *("title", "subheader", "markdown", "caption", "info", "metric", "image", "dataframe", "space"),
    *("button", "download_button", "link_button", "toggle", "checkbox", "radio", "selectbox"),
    *("pills", "segmented_control", "slider", "select_slider", "number_input", "text_input"),
    *("multiselect", "data_editor", "file_uploader", "container", "columns", "popover"),
    *("expander", "empty", "spinner", "rerun", "divider", "code", "tabs", "html", "write"),
)


@dataclass(frozen=True)
class Call:
    """One call: what was called, and with what."""

    name: str
    args: tuple[Any, ...]
    others: dict[str, Any]

    @property
    def text(self) -> str:
        """Its words, empty where the first argument is none."""
        said = self.args[0] if self.args else ""
        return said if isinstance(said, str) else ""


class Recorded:
    """Keeps what is written; state is the session's, and given what widgets return, by their keys.

    As a place it takes calls, too: `with left:`, `dock.buttons.button(…)`.
    """

    open = True

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[Call] = []
        self.state: dict[str, Any] = {}
        self.given: dict[str, Any] = {}
        for name in WRITES:
            monkeypatch.setattr(st, name, getattr(self, name))
        monkeypatch.setattr(st, "session_state", self.state)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **others: self._write(name, args, others)

    def _write(self, name: str, args: tuple[Any, ...], others: dict[str, Any]) -> Any:
        self.calls.append(Call(name, args, others))
        if name in {"columns", "tabs"}:
            many = args[0]
            return [self] * (many if isinstance(many, int) else len(many))
        return self.given.get(others.get("key", ""), self)

    def __enter__(self) -> Recorded:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def said(self, *names: str) -> list[str]:
        """The words of all calls in their order, or of those of these names."""
        return [one.text for one in self.calls if one.text and (not names or one.name in names)]

    def one(self, key: str) -> Call:
        """The call of a widget by its key."""
        (found,) = (call for call in self.calls if call.others.get("key") == key)
        return found

    def forget(self) -> None:
        """Begin anew."""
        self.calls.clear()
