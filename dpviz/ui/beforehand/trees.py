"""Trees before a draw: the errors of its counts, which the noise alone decides."""

from __future__ import annotations

import numpy as np

from dpviz.answers.studies.expected import by_level
from dpviz.core.data.column import Column
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.ui.beforehand.frame import Reckoned, frame_of, noise_alone, people
from dpviz.ui.kit.draws import STUDY_SEED, NotAsked
from dpviz.ui.trees.choice import TreeChoice
from dpviz.ui.visit.page import Visit

JOINED = "How exact it will be depends on the bins that are joined, too: only the draw tells."


def before(
    now: Visit, waits: NotAsked, choice: TreeChoice, column: Column, reading: TreeEstimator
) -> None:
    """The frame of the page. Of the column its declared bounds and steps are used, and no record."""

    def reckon() -> Reckoned:
        if now.view == "buckets":
            return None, JOINED
        nobody = Column.from_values([], column.bounds, column.resolution)
        release = choice.tree.release(nobody, choice.budget, np.random.default_rng(STUDY_SEED))
        levels = reading.apply(release.levels, release.total)
        return noise_alone(by_level(levels, "parts", people()), "finest counts")

    frame_of("Trees", now, waits, reckon)
