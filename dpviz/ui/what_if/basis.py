"""What the page computes on: a sample with its true values, or a stand-in that is nobody's data."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.experiments.planning.beforehand import FINE, SIZES, key_of
from dpviz.experiments.planning.stand_ins import SHAPES, STAND_IN_SEED, shape_of, stand_in
from dpviz.intake.samples import ANYBODY, Noun
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.job_panel import source
from dpviz.ui.visit import data
from dpviz.ui.visit.page import Visit

WHY_FILE = "Computed on a stand-in: an ε read off your file would itself be about the people in it."
WHY_OFF = "Computed on a stand-in: errors on the data itself are as confidential as the data."
SAMPLE, STAND_IN = "the sample itself", "a stand-in"
OTHER = 0  # people: another number than those that answers are stored for


@confidential("key", "title", "is_stand_in")
@dataclass(frozen=True, slots=True)
class Basis:
    """What is computed on. key names stored results, or is empty where there are none.

    n is the number of people, people what they are called; why says why it is a stand-in.
    """

    key: str
    title: str
    n: int
    people: Noun
    about: Hashable
    column: Callable[[], Column]
    is_stand_in: bool = False
    why: str = ""


def must_stand_in(now: Visit) -> bool:
    """Whether the data in use must not be computed on."""
    return session.is_upload() or not now.truth


def named(now: Visit) -> str:
    """What the stand-in is called, before its widgets are drawn; empty for a sample itself."""
    if not must_stand_in(now) and st.session_state.get("w_basis", SAMPLE) == SAMPLE:
        return ""
    return _title(str(st.session_state.get("w_shape", SHAPES[0].key)))


def _title(shape: str) -> str:
    return f"Stand-in: {shape_of(shape).title.lower()}"


def basis_picker(now: Visit) -> Basis:
    """The choice of what to compute on; for files, and with the truth off, of the stand-in alone.

    Raises: DpvizError for a sample whose declarations cannot be.
    """
    if must_stand_in(now):
        # no sentence of the page is about the data then: what it looks like is not asked
        why = WHY_FILE if session.is_upload() else WHY_OFF
        st.caption(why)
        return _stand_in(why)
    chosen = choices.segments(
        "Computed on",
        (SAMPLE, STAND_IN),
        "w_basis",
        "A sample is public, so its own errors may be looked at. Real data are not: for them a "
        "stand-in of a similar shape and a public number of people takes their place.",
    )
    if chosen == STAND_IN:
        return _stand_in("Computed on a stand-in, as for data of your own.")
    return _sample()


def _sample() -> Basis:
    bounds, own = session.declared_bounds(), session.chosen_sample()
    low, high, resolution = session.default_declarations()
    declared = bounds.low, bounds.high, float(session.declared("resolution") or 0.0)
    is_stored = len(own.columns) == 1 and declared == (low, high, resolution)
    return Basis(
        key=own.key if is_stored else "",
        title=own.title,
        n=own.n,  # the values are read only for a run
        people=session.words().people,
        about=source(),
        column=session.column,
    )


def _stand_in(why: str) -> Basis:
    key = choices.menu(
        "Shape of the stand-in",
        {shape.key: f"{shape.title}: {shape.says}" for shape in SHAPES},
        "w_shape",
        "What everyone could know about values of this kind. Errors in ranks depend little on it.",
    )
    n = _people()
    bounds = _declared()
    resolution = session.declared("resolution") if bounds else None

    def made() -> Column:
        rng = np.random.default_rng(STAND_IN_SEED)
        return stand_in(key, n, rng, bounds, resolution)

    named: tuple[Hashable, ...] = ("stand-in", key, n, bounds, resolution)
    return Basis(
        key=key_of(key, n) if n in SIZES else "",
        title=_title(key),
        n=n,
        people=ANYBODY.people,
        about=named,
        column=lambda: memory.remembered(named, made),
        is_stand_in=True,
        why=why,
    )


def _people() -> int:
    sizes = {n: f"{n:,}" for n in SIZES} | {OTHER: "another number"}
    size = session.declared("size")
    n = choices.segments(
        "About how many people, from public knowledge",
        sizes,
        "w_people",
        "A guess that everyone could make. Where their exact number is confidential, a rounded "
        "one serves: ten times the people need a tenth of the ε.",
        default=FINE,
    )
    if n != OTHER:
        return int(n)
    return choices.whole_number(
        "People", 10, 1_000_000, "w_people_exact", default=int(size or FINE), bind=session.link()
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
