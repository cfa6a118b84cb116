"""Private record matching between two halves of the points: what one party's cells spare."""

from dataclasses import dataclass

from dpviz.core.confidential import confidential
from dpviz.core.data.points import Points
from dpviz.core.spatial.release import Decomposition
from dpviz.metrics.record_matching import match_records


@confidential("name", "distance")
@dataclass(frozen=True, slots=True, eq=False)
class MatchingQuestion:
    """The first party's release and both parties' points, which are confidential.

    distance is the share of the box's sides within which two records may match.
    """

    name: str
    release: Decomposition
    first: Points
    second: Points
    distance: float


@confidential("name")
@dataclass(frozen=True, slots=True)
class MatchingNumbers:
    """Pairs that are compared, dummies included, out of every pair: confidential.

    share is compared / every, spared what is left of 1; kept is the share of the first party's
    records that are compared at all.
    """

    name: str
    compared: float
    every: float
    kept: float

    @property
    def share(self) -> float:
        """The part of all pairs that is compared; above 1, padding costs more than cells save."""
        return self.compared / self.every

    @property
    def spared(self) -> float:
        """The part that need not be compared."""
        return 1 - self.share


def halves(points: Points) -> tuple[Points, Points]:
    """Two parties that hold every second person each."""
    first, second = (
        Points.from_xy(points.x[start::2], points.y[start::2], points.box) for start in (0, 1)
    )
    return first, second


def answer(asked: MatchingQuestion) -> MatchingNumbers:
    """One method's cells. Raises: InvalidParameter if a party has no records."""
    x, y = asked.first.box.x, asked.first.box.y
    distance = (asked.distance * x.width, asked.distance * y.width)
    found = match_records(asked.release, asked.first, asked.second, distance)
    return MatchingNumbers(asked.name, found.compared, found.all_pairs, found.kept)
