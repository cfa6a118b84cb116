"""What the page computes on: a sample with its true values, or a stand-in that is nobody's data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import Curve
from dpviz.experiments.planning.beforehand import FINE, SIZES, key_of
from dpviz.experiments.planning.stand_ins import SHAPES, STAND_IN_SEED, shape_of, stand_in
from dpviz.intake.samples import ANYBODY, Words
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.job_panel import source
from dpviz.ui.visit import data

WHY_FILE = "Computed on a stand-in: an ε read off your file would tell of its people."
SAMPLE, STAND_IN = "the sample itself", "a stand-in"
FEWEST, MOST = 10, 1_000_000  # people of a stand-in for a sample


@confidential("key", "title", "shape", "n", "is_declared")
@dataclass(frozen=True, slots=True)
class Basis:
    """What is computed on. key names stored results, or is empty where there are none.

    values are those of few people for a stand-in, whose law is the same: n may be of any size.
    n is the number of people, words how they are spoken of; shape is that of a stand-in, empty for
    a sample itself; why says why it is one. is_declared says whether anybody told n: if not, n is
    only that of the picture.
    """

    key: str
    title: str
    n: int
    words: Words
    about: Hashable
    column: Callable[[], Column]
    values: Callable[[], Column]
    shape: str = ""
    why: str = ""
    is_declared: bool = True

    @property
    def is_stand_in(self) -> bool:
        """Whether it is nobody's data."""
        return bool(self.shape)

    @property
    def is_between(self) -> bool:
        """Whether curves are reckoned from those of other numbers of people."""
        return self.is_stand_in and not self.key

    @property
    def map_key(self) -> str:
        """Names the stored map: one of a stand-in has numbers of people on an axis of its own."""
        return key_of(self.shape, FINE) if self.is_stand_in else self.key

    @property
    def map_title(self) -> str:
        """What the stored map was computed on."""
        return f"{_title(self.shape)}, {FINE:,} people" if self.is_stand_in else self.title

    def curves(self, question: str) -> Mapping[str, Curve]:
        """The stored curves of a question, for any number of people in a stand-in."""
        if self.is_between:
            return stored.curves_between(self.shape, self.n, question)
        return stored.curves(self.key, question)


def stands_in() -> bool:
    """Whether a stand-in is computed on, before its widgets are drawn."""
    return session.is_upload() or _asked_for() == STAND_IN


def _asked_for() -> str:
    return choices.expected("w_basis", (SAMPLE, STAND_IN), SAMPLE)


def named() -> str:
    """What the stand-in is called, before its widgets are drawn; empty for a sample itself."""
    if not stands_in():
        return ""
    shapes = {_menu(shape.key): shape.key for shape in SHAPES} | {
        one.key: one.key for one in SHAPES
    }
    return _title(shapes[choices.expected("w_shape", shapes, SHAPES[0].key)])


def _menu(shape: str) -> str:
    return f"{shape_of(shape).title}: {shape_of(shape).says}"


def _title(shape: str) -> str:
    return f"Stand-in: {shape_of(shape).title.lower()}"


def _people(place: DeltaGenerator) -> int | None:
    """How many people a stand-in is to have: declared, never counted."""
    label = "About how many people (public)"
    if session.is_upload():
        data_choice.people_field(place, "Ten times the people need a tenth of the ε.")
        size = session.declared("size")
        return None if size is None else max(1, round(size))
    meaning = "A guess that everyone could make: ten times the people need a tenth of the ε."
    return choices.whole_number(label, FEWEST, MOST, "w_people", meaning, default=FINE, place=place)


def basis_picker(beside: DeltaGenerator | None = None) -> Basis:
    """The choice of what to compute on; for files of the stand-in alone.

    beside takes the number of its people: a place of the dock, or none to have it here.
    Raises: DpvizError for a sample whose declarations cannot be.
    """
    if session.is_upload():
        # no sentence of the page is about the data then: what it looks like is not asked
        st.caption(WHY_FILE)
        return _stand_in(beside, WHY_FILE)
    chosen = choices.segments(
        "Computed on",
        (SAMPLE, STAND_IN),
        "w_basis",
        "A sample is public, so its own errors may be looked at. Real data are not: for them a "
        "stand-in of a similar shape and a public number of people takes their place.",
    )
    if chosen == STAND_IN:
        return _stand_in(beside, "Computed on a stand-in, as for data of your own.")
    return _sample()


def _sample() -> Basis:
    bounds, own = session.declared_bounds(), session.chosen_sample()
    low, high, resolution = session.default_declarations()
    declared = bounds.low, bounds.high, float(session.declared("resolution") or 0.0)
    is_stored = len(own.columns) == 1 and declared == (low, high, resolution)
    return Basis(
        key=own.key if is_stored else "",
        title=own.title,
        n=own.n,
        words=session.words(),
        about=source(),
        column=session.column,
        values=session.column,
    )


def _stand_in(beside: DeltaGenerator | None, why: str) -> Basis:
    key = choices.menu(
        "Shape of the stand-in",
        {shape.key: _menu(shape.key) for shape in SHAPES},
        "w_shape",
        "What everyone could know about values of this kind. Errors in ranks depend little on it.",
    )
    people = _people(beside or st.container())
    n = people or FINE
    bounds = _declared()
    resolution = session.declared("resolution") if bounds else None

    def made(people: int = n) -> Column:
        rng = np.random.default_rng(STAND_IN_SEED)
        return stand_in(key, people, rng, bounds, resolution)

    named: tuple[Hashable, ...] = ("stand-in", key, n, bounds, resolution)
    return Basis(
        key=key_of(key, n) if n in SIZES else "",
        title=f"{_title(key)}, {n:,} people",
        n=n,
        words=ANYBODY,
        about=named,
        column=lambda: memory.remembered(named, made),
        values=lambda: memory.remembered((*named, FINE), lambda: made(FINE)),
        shape=key,
        why=why,
        is_declared=people is not None,
    )


def _declared() -> Bounds | None:
    """The declared bounds of a file: public, and what its stand-in is stretched to."""
    if not session.is_upload():
        return None
    try:
        return session.declared_bounds()
    except DpvizError:
        return None


def is_plane() -> bool:
    """Whether the set in use has two columns, of which one is looked at."""
    key = str(st.session_state.get(data.KEY))
    return not session.is_upload() and data.is_plane(key)
