"""Map before a draw: the errors of its cells, which the noise alone decides."""

from __future__ import annotations

import math

import numpy as np

from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from dpviz.estimators.spatial.estimate import estimate
from dpviz.figures.studies.expected import Expected
from dpviz.ui.beforehand.frame import frame_of
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.spatial.methods import MapChoice, method_of
from dpviz.ui.visit.page import Visit

SURE = 1.96  # standard errors that hold about 19 of 20 draws
FOUND = "How exact it will be depends on the cells that are found, too: only the draw tells."


def before(now: Visit, waits: NotAsked, choice: MapChoice, points: Plane) -> None:
    """The frame of the page. Of the points their declared box is used, and no record."""
    expected = _levels(choice.methods[0], choice, points)
    if expected is None:
        frame_of("Map", now, waits, None, FOUND)
        return
    said = (
        f"19 of 20 of its smallest cells will be off by at most {expected.text(-1)[2:]}, whoever is "
        "in the data: it is the noise alone."
    )
    frame_of("Map", now, waits, expected, said)


def _levels(name: str, choice: MapChoice, points: Plane) -> Expected | None:
    """A row a level of one method, from a map of nobody; None for cells that no level holds."""
    mechanism, budget = choice.mechanism(name, points.box), choice.budget

    def made() -> Expected | None:
        nobody = Points.from_xy([], [], points.box)
        release = mechanism.release(nobody, budget, np.random.default_rng(STUDY_SEED))
        if isinstance(release, Cells):
            return None
        levels = (estimate(release) if method_of(name).estimated else release).levels
        errors = [
            SURE * math.sqrt(np.median(levels.node_variances(level)))
            for level in range(len(levels.counts))
        ]
        parts = ["all", *(f"one of {counts.shape[-1]:,} cells" for counts in levels.counts[1:])]
        known = [(part, one) for part, one in zip(parts, errors, strict=True) if math.isfinite(one)]
        halves = np.array([one for _, one in known])
        return Expected(tuple(part for part, _ in known), halves, session.words().people.many)

    return memory.remembered(("expected", name, mechanism, budget), made)
