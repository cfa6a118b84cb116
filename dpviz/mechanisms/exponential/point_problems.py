"""One-quantile problems in whole numbers: records and outputs are points, ranks have units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.point_records import Records, records_below

UNIT_BITS = 30
UNITS = 1 << UNIT_BITS  # of one record, and of the quantile 1


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

    def take(self, rows: IntArray | BoolArray | slice) -> PointProblems:
        """The problems at some rows."""
        return PointProblems(
            self.first[rows],
            self.last[rows],
            self.low[rows],
            self.high[rows],
            self.quantile[rows],
            self.eta[rows],
            self.offset[rows],
        )

    @property
    def target(self) -> IntArray:
        """The target t = q n in units of 2^-30 record, below 2^61 for n < 2^31."""
        return self.quantile * (self.last - self.first)

    def distance(self, below: IntArray, up_to: IntArray) -> IntArray:
        """The distance max(0, a − t, t − b), a records below a point, b up to it; in 2^-30 record.

        An added or removed record moves a − t and t − b by at most max(q, 1 − q), a replaced one
        by at most 1, hence also the largest of them and 0.
        """
        target = self.target
        over, under = (below << UNIT_BITS) - target, target - (up_to << UNIT_BITS)
        return np.asarray(np.maximum(0, np.maximum(over, under)))

    def ranks(self, records: Records, points: IntArray) -> tuple[IntArray, IntArray]:
        """Records of each problem below its point, and up to it."""
        at = points + self.offset
        below = np.clip(records_below(records, at), self.first, self.last)
        up_to = np.clip(records_below(records, at + 1), self.first, self.last)
        return below - self.first, up_to - self.first


def quantile_units(quantiles: FloatArray) -> IntArray:
    """Quantiles as multiples of 2^-30: rounded before anything is worked out from them."""
    return np.rint(np.asarray(quantiles, dtype=np.float64) * UNITS).astype(np.int64)


def sensitivity(quantile: IntArray) -> FloatArray:
    """max(q, 1 − q) for added and removed records; a double holds it exactly."""
    return np.maximum(quantile, UNITS - quantile) / UNITS
