"""Private record matching: how much secure comparison a released decomposition saves."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.card import Card
from dpviz.core.confidential import confidential
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.release import Decomposition, SpatialRelease
from dpviz.counts.point_index import PointIndex
from dpviz.counts.spatial import locate

CARD = Card(
    key="match_records",
    title="Private record matching",
    words="matching in secret",
    lead="Two parties compare only people that fall into the same noisy cell.",
    promises=("same",),
    price="some pairs are lost where a count is too low",
    use="fewer costly secret comparisons",
    family="Maps",
    role="use of a release",
    summary="Two parties compare only records that fall in the same cell, grown by the matching "
    "distance, of a decomposition of one side; padded to the noisy counts.",
    guarantee="that of the decomposition",
    neighbours="as the decomposition",
    cost="one search for each record",
    good_for="cutting the cost of a secure comparison",
    watch_out="a noisy count below the true one leaves records out",
    source="Inan et al. 2010; Cormode et al. 2012, §8.3",
)


@confidential()
@dataclass(frozen=True, slots=True)
class Matching:
    """What goes to the secure comparison; confidential, as it depends on both sides' points.

    compared counts pairs, dummies included; all_pairs is |first| · |second|. kept is the share of
    the first party's records that are compared at all: a noisy count below the true one leaves some
    out.
    """

    compared: float
    all_pairs: float
    kept: float

    @property
    def reduction_ratio(self) -> float:
        """1 − compared / all pairs; below 0, padding costs more than the tree saves."""
        return 1 - self.compared / self.all_pairs


def match_records(
    release: Decomposition, first: Points, second: Points, distance: tuple[float, float]
) -> Matching:
    """Pairs that two parties compare when only those of one leaf meet.

    release describes the first party's points. In each leaf that party sends as many records as the
    noisy count says, padded with dummies or cut; they meet all of the second party's points in the
    leaf's rectangle grown by distance (in x and in y), so that no match across a border is lost.
    With all count budget at the leaves there is nothing to estimate.
    Raises: InvalidParameter if a side has no records or a distance is negative.
    Source: Inan et al. 2010; Cormode et al. 2012, §8.3.
    """
    if first.n == 0 or second.n == 0:
        raise InvalidParameter("Record matching needs records on both sides.")
    if not (min(distance) >= 0 and np.isfinite(distance).all()):
        raise InvalidParameter(f"Matching distances must be finite and ≥ 0, got {distance}.")
    boxes, noisy, exact = _leaves(release, first)
    sent = np.maximum(np.rint(noisy), 0.0)
    met = PointIndex.of(second).count(_grown(boxes, distance))
    return Matching(
        compared=float(sent @ met),
        all_pairs=float(first.n) * second.n,
        kept=float(np.minimum(sent, exact).sum() / first.n),
    )


def _leaves(release: Decomposition, points: Points) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rectangles, noisy and exact counts of the leaves."""
    if isinstance(release, SpatialRelease):
        boxes = release.level_boxes(release.shape.height)
        exact = np.bincount(locate(release, points), minlength=boxes.shape[0])
        return boxes, release.counts[-1], exact.astype(np.float64)
    exact = PointIndex.of(points).count(release.boxes)
    return release.boxes, release.counts, exact.astype(np.float64)


def _grown(boxes: FloatArray, distance: tuple[float, float]) -> FloatArray:
    margin = np.array([-distance[0], distance[0], -distance[1], distance[1]])
    grown = boxes + margin
    grown[:, [1, 3]] = np.nextafter(grown[:, [1, 3]], np.inf)  # a match at the very distance counts
    return np.asarray(grown)
