"""Choices of pages without a table: each a row that is settled, said by the address, and drawn."""

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.model import fields
from dpviz.ui.model.fields import Field, OneOf
from dpviz.ui.visit import folded, state

_NOW, _BEFORE = "alone_now", "alone_before"  # in the visit: keys by page, of this run and the last


def segments(
    key: str,
    label: str,
    options: Mapping[Any, str],
    help: str | None = None,  # noqa: A002  Streamlit's own word
    *,
    bare: bool = False,
) -> Field:
    """One of a few options side by side, the first at first; bare shows no label."""
    others: dict[str, Any] = {"label_visibility": "collapsed"} if bare else {"wrap": True}
    return Field(key, label, OneOf(options, "segments", others), next(iter(options)), "dock", help)


def settle(page: str, row: Field) -> Any:
    """What a row is in this run, which the address says."""
    value = fields.settled(f"{page} {row.key}", [row], {})[row.key]
    state.write_more(fields.links([row], {row.key: value}))
    state.store().setdefault(_NOW, {}).setdefault(page, set()).add(row.key)
    return value


def draw(row: Field, value: Any, place: DeltaGenerator | None = None) -> None:
    """Its control where it is called, or in a place; nothing in a popover that nobody sees."""
    if not folded.is_closed():
        fields.draw(row, place or cast("DeltaGenerator", st), {row.key: value})


def end(page: str) -> None:
    """At the end of a run the address says no more of what the page has no more."""
    now = state.store().setdefault(_NOW, {}).pop(page, set())
    before = state.store().setdefault(_BEFORE, {}).get(page, set())
    state.write_more(dict.fromkeys(before - now))
    state.store()[_BEFORE][page] = now
