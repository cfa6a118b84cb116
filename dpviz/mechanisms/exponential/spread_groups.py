"""Groups of tied values, and the ranges they are spread over."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.mechanisms.exponential.ties import counted_ranges

LEAST_RESOLUTION = 1e6  # in units of rounding; a smaller range would be seen to lose its ends


@confidential()
@dataclass(frozen=True, eq=False)
class SpreadGroups:
    """Groups of tied records and the disjoint ranges that they are spread over.

    Shapes: low (d,) and high (d,), ascending; ranks (d+1,), the records below each group, and n.
    """

    low: FloatArray
    high: FloatArray
    ranks: IntArray

    @classmethod
    def of(cls, column: Column) -> "SpreadGroups | None":
        """The groups of a column, or None if there are none or ranges overlap beyond rounding.

        Values read from decimals and their range ends are each off by half a unit in the last
        place or less, so that neighbours on a grid may seem to overlap by two. A column made of
        counts always has groups, for its values stand on the declared grid (counted_ranges).
        """
        if column.n == 0:
            return None
        if column.counted:
            return cls._on_grid(column)
        values, up_to = column.steps
        half = column.resolution / 2
        low, high = values - half, values + half
        rounding = 2 * np.spacing(max(-low[0], high[-1]))
        overlap = (high[:-1] - low[1:]).max(initial=0.0)
        if overlap > rounding or rounding * LEAST_RESOLUTION > column.resolution:
            return None
        low[1:] = np.maximum(low[1:], high[:-1])
        return cls(low, high, np.concatenate(([0], up_to)))

    @classmethod
    def _on_grid(cls, column: Column) -> "SpreadGroups":
        cells, counts = column.cell_counts
        low, high = counted_ranges(column, cells)
        return cls(low, high, np.concatenate(([0], np.cumsum(counts))))
