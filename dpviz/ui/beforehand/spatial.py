"""Map before a draw: the errors of its cells, which the noise alone decides."""

from __future__ import annotations

import numpy as np

from dpviz.answers.studies.expected import Expected, by_level
from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from dpviz.estimators.spatial.estimate import estimate
from dpviz.ui.beforehand.frame import Reckoned, frame_of, noise_alone, people
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.spatial.methods import MapChoice, method_of
from dpviz.ui.visit.page import Visit

FOUND = "How exact it will be depends on the cells that are found, too: only the draw tells."
SEVERAL = "How exact each method will be is reckoned when one of them is chosen alone."


def before(now: Visit, waits: NotAsked, choice: MapChoice, points: Plane) -> None:
    """The frame of the page. Of the points their declared box is used, and no record."""

    def reckon() -> Reckoned:
        if len(choice.methods) > 1:
            return None, SEVERAL
        expected = _levels(choice.methods[0], choice, points)
        return (None, FOUND) if expected is None else noise_alone(expected, "smallest cells")

    frame_of("Map", now, waits, reckon)


def _levels(name: str, choice: MapChoice, points: Plane) -> Expected | None:
    """A row a level of one method, from a map of nobody; None for cells that no level holds."""
    mechanism, budget = choice.mechanism(name, points.box), choice.budget

    def made() -> Expected | None:
        nobody = Points.from_xy([], [], points.box)
        release = mechanism.release(nobody, budget, np.random.default_rng(STUDY_SEED))
        if isinstance(release, Cells):
            return None
        levels = (estimate(release) if method_of(name).estimated else release).levels
        return by_level(levels, "cells", people())

    return memory.remembered(("expected", name, mechanism, points.box, budget), made)
