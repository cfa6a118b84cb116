"""The views of a page: rows that say what each one asks for and what it draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Row = TypeVar("Row", bound="View")


@dataclass(frozen=True, slots=True)
class View:
    """One view of a page.

    controls draws what this view alone asks for and returns it; panel draws the picture, and takes
    what the page hands to all its views. needs_truth: hidden while the truth is off.
    """

    title: str
    controls: Callable[..., Any]
    panel: Callable[..., None]
    needs_truth: bool = False


def nothing(*_: object) -> None:
    """The controls of a view that asks for nothing."""
