"""Which two data sets count as neighbours; it decides what a privacy parameter means."""

from __future__ import annotations

from enum import StrEnum


class Neighbours(StrEnum):
    """The neighbouring relation that a guarantee is stated under."""

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"
