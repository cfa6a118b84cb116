"""One release of quantiles beside the truth, or alone: every number that its view says."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.quantiles.answers import SURE, Answers
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.metrics.quantiles import gaps


@confidential("quantile", "published")
@dataclass(frozen=True, slots=True)
class Told:
    """One quantile as it was published, and as it is: confidential."""

    quantile: float
    published: float
    true: float


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class OneNumbers:
    """A release beside the truth: confidential.

    quantiles (k,) are distinct and ascend; middle is the one nearest to the median, worst the one
    that is off most. off is the mean error; nearly what 19 of 20 errors of the further draws stay
    within, None without draws; missed the mean distance in people, of so many people.
    """

    quantiles: FloatArray
    middle: Told
    worst: Told
    off: float
    nearly: float | None
    missed: float
    people: int


def answer(found: Answers, column: Column) -> OneNumbers:
    """What is said of a release beside the truth of its column, which is not empty."""
    assert found.truth is not None
    errors = np.abs(found.errors)
    others = np.abs(found.other_errors)
    return OneNumbers(
        quantiles=found.quantiles,
        middle=_told(found, found.truth, found.middle),
        worst=_told(found, found.truth, int(errors.argmax())),
        off=float(errors.mean()),
        nearly=None if found.draws is None else float(np.quantile(others, SURE)),
        missed=float(gaps(column, found.quantiles, found.published).mean()),
        people=column.n,
    )


@dataclass(frozen=True, slots=True)
class AloneNumbers:
    """A release alone, about the quantile nearest to the median: nothing here is confidential.

    many is how many quantiles there are. half is how far the published value may be off, 19 times
    in 20; least and most are those of all quantiles. None where nothing can be said.
    """

    many: int
    quantile: float
    published: float
    half: float | None
    least: float | None
    most: float | None


def alone(found: Answers, half: FloatArray | None) -> AloneNumbers:
    """About the release alone; half (k,) is how far each published value may be off, or None."""
    at = found.middle
    return AloneNumbers(
        many=found.quantiles.size,
        quantile=float(found.quantiles[at]),
        published=float(found.published[at]),
        half=None if half is None else float(half[at]),
        least=None if half is None else float(half.min()),
        most=None if half is None else float(half.max()),
    )


def _told(found: Answers, truth: FloatArray, at: int) -> Told:
    return Told(float(found.quantiles[at]), float(found.published[at]), float(truth[at]))
