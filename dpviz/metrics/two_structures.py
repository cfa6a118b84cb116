"""Private record matching when both parties release a structure, and what it costs in secret."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.checks import wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.release import SpatialRelease
from dpviz.counts.spatial import locate

LEAVES = 1024  # of the first party compared at a time with all of the second


@confidential()
@dataclass(frozen=True, slots=True)
class SecureWork:
    """What the secure comparison costs and what it can find; confidential but for `compared`.

    compared counts the pairs that are compared in secret, dummies included: both noisy structures
    are public, so anybody can work it out. all_pairs is |first| · |second|. encrypted counts the
    records that both parties prepare, dummies included. kept is the expected share of the true
    matches that are compared: a party sends no more records of a leaf than its noisy count says.
    """

    compared: float
    all_pairs: float
    encrypted: float
    kept: float

    @property
    def reduction_ratio(self) -> float:
        """1 − compared / all pairs; below 0, padding costs more than the structures save."""
        return 1 - self.compared / self.all_pairs


def match_structures(
    releases: tuple[SpatialRelease, SpatialRelease],
    sides: tuple[Points, Points],
    distance: tuple[float, float],
    matches: IntArray,
) -> SecureWork:
    """Both parties release a decomposition of their own points; leaves within reach are compared.

    Each party sends as many records of a leaf as its own noisy count says, padded with dummies or
    cut at random. All records of a leaf meet all records of the other party's leaves that lie
    within distance (in x and in y). matches (k, 2) are the true matches, as numbers of a record of
    the first and of the second party.
    Privacy: a party shows its release and as many records as that says, nothing else; the matches
    that the secure comparison puts out are outside this guarantee.
    Raises: InvalidParameter if a side has no records, a distance is negative or not finite, or
    matches name no records.
    Source: Cormode et al. 2012, §8.3, of Inan et al. 2010: areas of possible overlap, found from
    private structures, go to the secure comparison, whose saved share is the reduction ratio. That
    dummies and cut records follow the noisy count, and that every comparison costs the same: this
    project's reading, as that text does not say.
    """
    for release in releases:
        wanted(SpatialRelease, release, "a release")
    first, second = sides
    if first.n == 0 or second.n == 0:
        raise InvalidParameter("Record matching needs records on both sides.")
    if not (min(distance) >= 0 and np.isfinite(distance).all()):
        raise InvalidParameter(f"Matching distances must be finite and ≥ 0, got {distance}.")
    pairs = _checked_pairs(matches, first.n, second.n)
    own, other = (_Side.of(*one) for one in zip(releases, sides, strict=True))
    near = _near(own.boxes, other.boxes, distance)
    a, b = own.leaf[pairs[:, 0]], other.leaf[pairs[:, 1]]
    chance = own.chance[a] * other.chance[b] * near[a, b]
    return SecureWork(
        compared=float(own.sent @ near @ other.sent),
        all_pairs=float(first.n) * second.n,
        encrypted=float(own.sent[near.any(axis=1)].sum() + other.sent[near.any(axis=0)].sum()),
        kept=float(chance.mean()) if len(chance) else 1.0,
    )


@confidential()
@dataclass(frozen=True, slots=True)
class _Side:
    """One party: its leaves, the records that it sends of each, each record's leaf and chance."""

    boxes: FloatArray
    sent: FloatArray
    leaf: IntArray
    chance: FloatArray

    @classmethod
    def of(cls, release: SpatialRelease, points: Points) -> "_Side":
        boxes = release.level_boxes(release.shape.height)
        leaf = locate(release, points)
        held = np.bincount(leaf, minlength=len(boxes)).astype(np.float64)
        sent = np.maximum(np.rint(release.counts[-1]), 0.0)
        chance = np.minimum(np.divide(sent, held, out=np.ones_like(sent), where=held > 0), 1.0)
        return cls(boxes, sent, leaf, chance)


def _near(own: FloatArray, other: FloatArray, distance: tuple[float, float]) -> BoolArray:
    """Whether leaves (p,) and (r,) can hold records within distance of each other: (p, r)."""
    near = np.ones((len(own), len(other)), dtype=np.bool_)
    for start in range(0, len(own), LEAVES):
        part = slice(start, start + LEAVES)
        for axis, reach in enumerate(distance):
            low, high = own[part, 2 * axis, None], own[part, 2 * axis + 1, None]
            near[part] &= (other[:, 2 * axis] <= high + reach) & (
                other[:, 2 * axis + 1] >= low - reach
            )
    return near


def _checked_pairs(matches: IntArray, first: int, second: int) -> IntArray:
    pairs = np.asarray(matches)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise InvalidParameter(
            f"matches must be whole numbers in two columns, got shape {pairs.shape}."
        )
    if len(pairs) and not ((pairs >= 0) & (pairs < [first, second])).all():
        raise InvalidParameter(
            f"matches must name records of both sides, below {first} and {second}."
        )
    return pairs
