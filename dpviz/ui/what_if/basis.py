"""What the page computes on: a sample with its true values, or a stand-in that is nobody's data."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning.beforehand import FINE, SIZES, key_of
from dpviz.experiments.planning.shaped import Shape
from dpviz.experiments.planning.stand_ins import MOST_PEOPLE, STAND_IN_SEED, shape_of, stand_in
from dpviz.intake.samples import ANYBODY, Words
from dpviz.ui.decide import stand_ins, words
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.job_panel import source

WHY_FILE = "Computed on a stand-in: an ε read off your file would tell of its people."
SHAPE_OF = {"money": "log-normal", "mark": "normal", "stars": "stars"}  # by kinds of number
ANY = "uniform"  # the shape of any other kind


@confidential("key", "title", "shape", "n")
@dataclass(frozen=True, slots=True)
class Basis:
    """What is computed on. key names stored results, or is empty where there are none.

    n is the number of people, words how they are spoken of; shape is that of a stand-in, empty for
    a sample itself; why says why it is one.
    """

    key: str
    title: str
    n: int
    words: Words
    about: Hashable
    column: Callable[[], Column]
    shape: str = ""
    why: str = ""

    @property
    def is_stand_in(self) -> bool:
        """Whether it is nobody's data."""
        return bool(self.shape)

    @property
    def map_key(self) -> str:
        """Names the stored map: one of a stand-in has numbers of people on an axis of its own."""
        return key_of(self.shape, FINE) if self.is_stand_in else self.key

    @property
    def map_title(self) -> str:
        """What the stored map was computed on."""
        return f"{_title(self.shape)}, {FINE:,} people" if self.is_stand_in else self.title


def _title(shape: str) -> str:
    return f"Stand-in: {shape_of(shape).title.lower()}"


def basis() -> Basis:
    """What the sentence is about: a sample, or in place of a file a stand-in.

    Raises: DpvizError for a sample whose declarations cannot be.
    """
    if not session.is_upload():
        return _sample()
    size = session.declared("size")
    return _stand_in(None if size is None else max(1, round(size)))


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
    )


def _stand_in(people: int | None) -> Basis:
    """So many people of the shape of the file's kind of number; FINE where nobody told how many."""
    key = SHAPE_OF.get(words.kind_of_number(), ANY)
    n, made_up = people or FINE, _made_up()

    def made() -> Column:
        rng = np.random.default_rng(STAND_IN_SEED)
        if made_up is None or n > MOST_PEOPLE:
            return stand_in(key, n, rng)
        return made_up.columns(rng, n, 1)[0]

    named: tuple[Hashable, ...] = ("stand-in", key, n, made_up)
    return Basis(
        key=key_of(key, n) if n in SIZES else "",
        title=f"{_title(key)}, {ANYBODY.people.counted(n)}",
        n=n,
        words=ANYBODY,
        about=named,
        column=lambda: memory.remembered(named, made),
        shape=key,
        why=WHY_FILE,
    )


def _made_up() -> Shape | None:
    """Whom the sentence is reckoned on, inside the declared bounds; None where that is nobody yet."""
    try:
        return stand_ins.shape()[0]
    except DpvizError:
        return None
