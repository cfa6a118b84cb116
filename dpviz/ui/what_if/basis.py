"""What the page computes on: a sample with its true values, or a stand-in that is nobody's data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import Curve
from dpviz.experiments.planning.beforehand import FINE, SIZES, key_of
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, shape_of, stand_in
from dpviz.intake.samples import ANYBODY, Words
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.job_panel import source
from dpviz.ui.model.fields import Field, Number, Values

WHY_FILE = "Computed on a stand-in: an ε read off your file would tell of its people."
WHY_SAMPLE = "Computed on a stand-in, as for data of your own."
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


def stands_in(values: Values) -> bool:
    """Whether a stand-in is computed on."""
    return session.is_upload() or values["w_basis"] == STAND_IN


def named(values: Values) -> str:
    """What the stand-in is called; empty for a sample itself."""
    return _title(values["w_shape"]) if stands_in(values) else ""


def in_menu(shape: str) -> str:
    """What a shape is called among others."""
    return f"{shape_of(shape).title}: {shape_of(shape).says}"


def _title(shape: str) -> str:
    return f"Stand-in: {shape_of(shape).title.lower()}"


class DeclaredPeople(Number):
    """How many people a stand-in for a file is to have: what is declared of the file."""

    def draw(self, place: DeltaGenerator, row: Field, _: Values, __: Any) -> None:
        """The field of all pages for it."""
        data_choice.people_field(place, str(row.help))


def basis_of(values: Values) -> Basis:
    """What was chosen to compute on; for files a stand-in alone.

    Raises: DpvizError for a sample whose declarations cannot be.
    """
    if session.is_upload():  # no sentence of the page is about the data then
        size = session.declared("size")
        return _stand_in(values, None if size is None else max(1, round(size)), WHY_FILE)
    if stands_in(values):
        return _stand_in(values, values["w_people"], WHY_SAMPLE)
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


def _stand_in(values: Values, people: int | None, why: str) -> Basis:
    """So many people of a shape; of a number that nobody told where it is None."""
    key = values["w_shape"]
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
