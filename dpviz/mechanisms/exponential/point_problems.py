"""One-quantile problems in whole numbers: records and outputs are points, ranks have units."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.lazy_points import Records, records_below

UNIT_BITS = 30
UNITS = 1 << UNIT_BITS  # of one record, and of the quantile 1


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Rank:
    """Numbers of records that need not be whole: whole ones and units of 2^-30, both (p,).

    The units are at least 0 and fewer than 2^30, so that a word holds either part of any number up
    to 2^54 records.
    """

    whole: IntArray
    part: IntArray

    @property
    def rounded(self) -> FloatArray:
        """As doubles, off by 2^-53 of themselves or less."""
        return np.asarray(self.whole + self.part / UNITS)

    @property
    def column(self) -> "Rank":
        """The same with a second axis, to set them against numbers for each problem."""
        return Rank(self.whole[:, None], self.part[:, None])

    def exactly(self, index: int) -> Fraction:
        """One of them, exactly."""
        return int(self.whole[index]) + Fraction(int(self.part[index]), UNITS)


@confidential()
@dataclass(frozen=True, eq=False)
class PointProblems:
    """Independent one-quantile problems on ascending points: confidential.

    Shapes: all (p,). Records first .. last − 1 of the points lie in the range [low, high);
    quantile is the wanted one in units of 2^-30, eta is η, by how much the log of the weight falls
    for each record. offset is what the points of a problem's records are moved up by, so that the
    records of several problems ascend as one array.
    """

    first: IntArray
    last: IntArray
    low: IntArray
    high: IntArray
    quantile: IntArray
    eta: FloatArray
    offset: IntArray

    def take(self, rows: IntArray | BoolArray | slice) -> Self:
        """The problems at some rows."""
        return type(self)(*(one[rows] for one in vars(self).values()))

    @property
    def target(self) -> Rank:
        """The target t = q n; the two halves of n keep every product below 2^61."""
        records = self.last - self.first
        units = self.quantile * (records & (UNITS - 1))
        whole = self.quantile * (records >> UNIT_BITS) + (units >> UNIT_BITS)
        return Rank(whole, units & (UNITS - 1))

    def distance(self, below: IntArray, up_to: IntArray) -> Rank:
        """The distance max(0, a − t, t − b), a records below a point, b ≥ a up to it.

        An added or removed record moves a − t and t − b by at most max(q, 1 − q), a replaced one
        by at most 1, hence also the largest of them and 0.
        """
        target = self.target
        over = below > target.whole  # then a > t, for a is whole
        left = below - target.whole - (target.part > 0)
        whole = np.where(over, left, target.whole - up_to)
        part = np.where(over, -target.part & (UNITS - 1), target.part)
        beyond = whole >= 0  # else the point holds the target
        return Rank(np.where(beyond, whole, 0), np.where(beyond, part, 0))

    def ranks(self, records: Records, points: IntArray) -> tuple[IntArray, IntArray]:
        """Records of each problem below its point, and up to it."""
        at = points + self.offset
        both = records_below(records, np.stack((at, at + 1)))
        below, up_to = np.clip(both, self.first, self.last) - self.first
        return below, up_to


def quantile_units(quantiles: FloatArray) -> IntArray:
    """Quantiles as multiples of 2^-30: rounded before anything is worked out from them."""
    return np.rint(np.asarray(quantiles, dtype=np.float64) * UNITS).astype(np.int64)


def sensitivity(quantile: IntArray) -> FloatArray:
    """max(q, 1 − q) for added and removed records; a double holds it exactly."""
    return np.maximum(quantile, UNITS - quantile) / UNITS
