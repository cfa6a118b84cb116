"""What the pages of this room remember in a visit, row by row, and say in their links.

Three pages share questions and people, and a widget key cannot stand on two pages: the values lie in
the visit's memory, from where each page shows them. Names and texts are those of older links.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from dpviz.core.randomness.noise import Noise
from dpviz.experiments.twins.twins import BY_KEY
from dpviz.intake.samples import samples
from dpviz.ui.bench.tanks import PROMISE, PROMISED
from dpviz.ui.kit import session
from dpviz.ui.links import arriving
from dpviz.ui.visit import data, state
from dpviz.ui.visit.fields import LARGEST, LEAST, Field, number, short

LINE, LOWEST, MIDDLE, HIGHEST, AT_RANK = "line", "least", "median", "greatest", "at a rank"
LEAVES, JOINS = "removed", "added"
LOWER, UPPER, ANY = "lower bound", "upper bound", "a value"
OVER, UP_TO = "over", "up to"
COUNT, QUANTILE, TREE = "count", "quantile", "tree"
OWN, HARD = "this column", "a hard pair"
OUTPUTS, WHOLE = "where outputs fall", "the whole range"
ANSWERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
RUNS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
CONFIDENCES = {"95 %": 0.95, "99.9 %": 0.999}
FARTHEST = 10**12  # an answer that a link supposes


def _one_of(options: Iterable[Any]) -> Callable[[str], Any]:
    texts = {str(one): one for one in options}
    return texts.__getitem__


def _within(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        found = number(text)
        if not low <= found <= high:
            raise ValueError(text)
        return found

    return read


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        found = int(text)
        if not low <= found <= high:
            raise ValueError(text)
        return found

    return read


def _switch(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


_TINY = math.nextafter(0.0, 1.0)
FIELDS: tuple[Field, ...] = (
    Field("n_noise", None, Noise),
    Field("n_side", OVER, _one_of((OVER, UP_TO))),
    Field("n_quantile", 0.5, _within(0.001, 0.999), short),
    Field("n_way", LEAVES, _one_of((LEAVES, JOINS))),
    Field("n_which", LINE, _one_of((LINE, LOWEST, MIDDLE, HIGHEST, AT_RANK))),
    Field("n_share", 25, _whole(0, 100)),
    Field("n_where", None, _one_of((LOWER, UPPER, ANY))),
    Field("n_prior", 50, _whole(1, 99)),
    Field("n_offset", 1, _whole(-FARTHEST, FARTHEST)),
    Field("n_at", 1e-6, _within(_TINY, 1 - 1e-9), short),
    Field("n_range", OUTPUTS, _one_of((OUTPUTS, WHOLE))),
    Field("b_eps", 0.1, _within(LEAST, LARGEST), short),
    Field("b_rho", 0.005, _within(LEAST, LARGEST), short),
    Field("b_k", None, _one_of(ANSWERS)),
    Field(PROMISED, PROMISE, _within(LEAST, LARGEST), short),
    Field("b_ask", COUNT, _one_of((COUNT, QUANTILE))),
    Field("a_ask", COUNT, _one_of((COUNT, QUANTILE, TREE))),
    Field("n_runs", 1_000, _one_of(RUNS)),
    Field("n_confidence", "95 %", _one_of(CONFIDENCES)),
    Field("n_twin", True, _switch, lambda on: "true" if on else "false"),
    Field("n_mistake", None, _one_of(BY_KEY)),
    Field("n_columns", None, _one_of((OWN, HARD))),
)
ROWS = {row.key: row for row in FIELDS}


def get(key: str) -> Any:
    """What holds now."""
    return state.store().get(key, ROWS[key].first)


def put(key: str, value: Any) -> None:
    """Let a value hold from now on."""
    state.put(key, value)


def offset(*, own: bool) -> int:
    """How far the supposed answer is from the count that it is about."""
    return int(state.store().get(_offset_key(own), ROWS["n_offset"].first))


def put_offset(value: int, *, own: bool) -> None:
    """Let a supposed answer hold: of a file in this session alone.

    Beside a published answer the distance would tell the exact count, so no link ever holds it.
    """
    state.put(_offset_key(own), value)


def _offset_key(own: bool) -> str:
    return f"n_{session.scope()}_offset" if own else "n_offset"


def widget(
    key: str, value: Any = None, settled: Callable[[Any], None] | None = None
) -> dict[str, Any]:
    """Key and callback of a widget that shows a setting, or a value that stands for it."""
    return state.widget(key, get(key) if value is None else value, settled)


def arrives() -> bool:
    """Whether a visit opens a page of this room for the first time, or goes back in its history."""
    is_first = "_understand_opened" not in st.session_state
    st.session_state["_understand_opened"] = True
    return is_first or arriving.decides()


def take_link() -> None:
    """Take over what the link says, and refuse what it cannot mean."""
    for row in FIELDS:
        texts = arriving.linked(row.key)
        if not texts:
            continue
        try:
            (text,) = texts
            put(row.key, row.read(text))
        except (ValueError, KeyError, OverflowError):
            arriving.refuse(row.key)
    for key in map(_threshold, (scope for one in samples() for scope in data.sample_scopes(one))):
        texts = arriving.linked(key)
        if not texts:
            continue
        try:
            (text,) = texts
            put(key, number(text))
        except ValueError:
            arriving.refuse(key)
            state.write({key: None})


def write_link(keys: Iterable[str]) -> None:
    """Make the address say those settings that a page reads; a file's threshold is in none."""
    wanted = set(keys)
    texts: dict[str, str | None] = {
        row.key: None
        if row.key not in wanted or get(row.key) == row.first
        else row.write(get(row.key))
        for row in FIELDS
    }
    line = state.store().get(threshold_key())
    if session.link() is not None:
        texts[threshold_key()] = None if line is None else short(line)
    state.write(texts)


def threshold_key() -> str:
    """Where the threshold of the column in use is kept."""
    return _threshold(session.scope())


def _threshold(scope: str) -> str:
    return f"n_{scope}_threshold"
