"""Trees before a draw: the errors of its counts, which the noise alone decides."""

from __future__ import annotations

import math

import numpy as np

from dpviz.core.data.column import Column
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.studies.expected import Expected
from dpviz.ui.beforehand.frame import frame_of
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.trees.choice import TreeChoice
from dpviz.ui.visit.page import Visit

SURE = 1.96  # standard errors that hold about 19 of 20 draws
JOINED = "How exact it will be depends on the bins that are joined, too: only the draw tells."


def before(
    now: Visit, waits: NotAsked, choice: TreeChoice, column: Column, reading: TreeEstimator
) -> None:
    """The frame of the page. Of the column its declared bounds and steps are used, and no record."""
    if now.view == "buckets":
        frame_of("Trees", now, waits, None, JOINED)
        return
    nobody = Column.from_values([], column.bounds, column.resolution)
    expected = _levels(choice, nobody, reading)
    said = (
        f"19 of 20 of its finest counts will be off by at most {expected.text(-1)[2:]}, whoever is "
        "in the data: it is the noise alone."
    )
    frame_of("Trees", now, waits, expected, said)


def _levels(choice: TreeChoice, nobody: Column, reading: TreeEstimator) -> Expected:
    """A row a level, as the page reads them."""
    release = choice.tree.release(nobody, choice.budget, np.random.default_rng(STUDY_SEED))
    levels = reading.apply(release.levels, release.total)
    errors = [
        SURE * np.sqrt(np.median(levels.node_variances(level)))
        for level in range(len(levels.counts))
    ]
    names = ["all", *(f"one of {counts.shape[-1]:,} parts" for counts in levels.counts[1:])]
    known = [
        (name, error) for name, error in zip(names, errors, strict=True) if math.isfinite(error)
    ]
    people = session.words().people.many
    return Expected(tuple(name for name, _ in known), np.array([one for _, one in known]), people)
