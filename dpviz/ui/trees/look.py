"""What the views of the Trees page ask for: the reading of the counts, and what colours mean."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.choices import segments

ERROR = "standard error"
TRUE_ERROR = "true error"


@dataclass(frozen=True, slots=True)
class TreeLook:
    """How the picture of the tree looks."""

    reading: TreeEstimator
    colour: str


def look_picker() -> TreeLook:
    """The reading, and what colours mean; the true error is offered with the truth only."""
    reading = reading_picker()
    if not session.shows_truth():
        return TreeLook(reading, ERROR)
    colour = segments(
        "Colour",
        (ERROR, TRUE_ERROR),
        "t_colour",
        "The standard error of every count is public: it depends on the noise alone. The true "
        "error of this draw is confidential.",
        bind=None,
    )
    return TreeLook(reading, colour)


def reading_picker() -> TreeEstimator:
    """How the noisy counts are read."""
    memory.start_with("t_reading", TreeEstimator.EFFICIENT)
    reading = segments(
        "Estimator",
        {one: TITLES[one] for one in TreeEstimator},
        "t_reading",
        "How the noisy counts are read: as they are, combined with those below, with those above "
        "and beside, or with all (least squares). Post-processing.",
        default="kept",
        wrap=True,
    )
    return TreeEstimator(reading)
