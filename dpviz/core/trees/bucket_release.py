"""The release of a histogram in buckets that were chosen by the data, with noise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, finite, whole
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import SEEDED, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.trees.holds_tree import ends_of
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.version import __version__

MOST_BINS = 1 << 12


@dataclass(frozen=True, slots=True, eq=False)
class BucketRelease(DrawsItself, Stored):
    """Noisy counts of buckets of neighbouring bins, and where the buckets begin.

    Shapes: starts and counts (b,), read-only: bucket i holds bins starts[i] … starts[i + 1] − 1 of
    bins equal ones between the bounds. scale is that of the noise on a count. Both were drawn
    privately; nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "buckets", "release of buckets"

    mechanism: str
    parameters: Mapping[str, Any]
    bins: int
    starts: IntArray
    counts: FloatArray
    scale: float
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of buckets"):
            settle_declared(
                self,
                bins=whole(2, MOST_BINS),
                scale=finite,
                bounds=a(Bounds),
                resolution=finite,
                spent=spent_budget,
            )
            starts = np.array(self.starts, dtype=np.int64)
            counts = np.array(self.counts, dtype=np.float64)
        object.__setattr__(self, "starts", frozen(starts))
        object.__setattr__(self, "counts", frozen(counts))
        if starts.ndim != 1 or starts.shape != counts.shape or not starts.size:
            raise InvalidRelease("A release of buckets has a beginning and a count for each.")
        if starts[0] != 0 or (np.diff(starts) <= 0).any() or starts[-1] >= self.bins:
            raise InvalidRelease("Buckets begin at 0 and ascend inside the bins.")
        if not (np.isfinite(counts).all() and self.scale > 0):
            raise InvalidRelease("Counts must be finite, and the noise scale positive.")

    @property
    def lengths(self) -> IntArray:
        """Bins of each bucket, (b,)."""
        return np.diff(self.starts, append=self.bins)

    @property
    def spread(self) -> FloatArray:
        """Every bin with its even part of its bucket's count, (bins,)."""
        return np.repeat(self.counts / self.lengths, self.lengths)

    @property
    def edges(self) -> FloatArray:
        """Edges of the bins, (bins + 1,): edge 0 is the lower bound."""
        return shape_of(self.bins).edges(self.bounds)

    def _columns(self) -> Columns:
        ends = np.append(self.starts, self.bins)
        return {**ends_of(self.edges[ends]), "count": self.counts}
