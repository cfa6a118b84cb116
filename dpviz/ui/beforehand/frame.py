"""The frame of a page whose draw nobody has asked for yet: what it would cost, how exact it would be."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.core.trees.shape import Levels
from dpviz.figures.studies.expected import Expected, expected_picture
from dpviz.ui.bench.headline import headline, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.release import ask_button
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.visit.page import Visit

SURE = 1.96  # standard errors that hold about 19 of 20 draws
OTHERWISE = "How exact it will be is not reckoned for these settings."
Reckoned = tuple[Expected | None, str]  # the errors to expect, and what is said of them


def frame_of(page: str, now: Visit, waits: NotAsked, reckon: Callable[[], Reckoned]) -> None:
    """Headline, button and the error to expect; what refuses says so once it is asked for."""
    try:
        expected, said = reckon()
    except DpvizError:
        expected, said = None, OTHERWISE
    head = st.container()
    cost = ask_button(waits)
    spends = "this draw spends" if len(waits.waiting) == 1 else "these draws spend"
    with head:
        headline(page, f"Nothing is drawn yet: {spends} {private(cost)}.", said)
    if expected is not None:
        rows = "; ".join(map(expected.text, range(len(expected.names))))
        hero(expected_picture(expected, now.look), "expected", f"{said} {rows}.", slides="expected")


def by_level(levels: Levels, part: str) -> Expected:
    """A row a level that is known: about 19 of 20 of its counts lie so near; part is what they count."""
    names = ["all", *(f"one of {counts.shape[-1]:,} {part}" for counts in levels.counts[1:])]
    errors = [
        SURE * math.sqrt(np.median(levels.node_variances(level))) for level in range(len(names))
    ]
    known = [(name, one) for name, one in zip(names, errors, strict=True) if math.isfinite(one)]
    halves = np.array([one for _, one in known])
    return Expected(tuple(name for name, _ in known), halves, session.words().people.many)


def noise_alone(expected: Expected, what: str) -> Reckoned:
    """What is said of errors that do not depend on data: of the finest counts."""
    return expected, (
        f"About 19 of 20 of its {what} will be off by at most {expected.size()}, whoever is in the "
        "data: it is the noise alone."
    )
