"""The release of running counts by the square-root factorisation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, finite, optional
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import SEEDED, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.trees.prefix_noise import PrefixNoise, shape_of
from dpviz.core.trees.square_root import MOST_BINS
from dpviz.version import __version__

SCALES = 1e-150, 1e150  # beyond, a variance is no double


@dataclass(frozen=True, slots=True, eq=False)
class PrefixRelease(DrawsItself, Stored):
    """Noisy running counts of equal bins with everything needed to interpret them.

    Shapes: counts (K,), read-only: records below edges 1 … K; bounds are in the column's units.
    scale is that of z in the noise M z; total is N where it is public, and then the last count.
    Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "prefixes", "release of running counts"

    mechanism: str
    parameters: Mapping[str, Any]
    counts: FloatArray
    scale: float
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    total: float | None = None
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of running counts"):
            settle_declared(
                self,
                scale=finite,
                bounds=a(Bounds),
                resolution=finite,
                spent=spent_budget,
                total=optional(finite),
            )
            counts = np.array(self.counts, dtype=np.float64)
        object.__setattr__(self, "counts", frozen(counts))
        if counts.ndim != 1 or not 1 <= counts.size <= MOST_BINS or not np.isfinite(counts).all():
            raise InvalidRelease(
                f"A release of running counts needs 1 … {MOST_BINS:,} finite numbers."
            )
        if not SCALES[0] < self.scale < SCALES[1]:
            raise InvalidRelease(
                f"The noise scale must lie in {SCALES[0]:g} … {SCALES[1]:g}, got {self.scale}."
            )
        if self.total is not None and self.total != counts[-1]:
            raise InvalidRelease(f"The last count must be the public N, {self.total:g}.")
        if self.total is not None and self.neighbours is not Neighbours.REPLACE_ONE:
            raise InvalidRelease("A public N means replace-one neighbours.")

    @property
    def bins(self) -> int:
        """K, the number of equal bins."""
        return self.counts.size

    @property
    def edges(self) -> FloatArray:
        """Edges of the bins, (K + 1,): edge 0 is the lower bound."""
        return shape_of(self.bins).edges(self.bounds)

    @property
    def noise(self) -> PrefixNoise:
        """The law of the noise, which says all that errors depend on."""
        return PrefixNoise(self.bins, self.scale, self.total is not None)

    @property
    def standard_errors(self) -> FloatArray:
        """Of the running counts at edges 1 … K, (K,)."""
        return self.noise.standard_errors

    def _columns(self) -> Columns:
        errors = self.standard_errors
        return {"below": self.edges[1:], "count": self.counts, "standard_error": errors}
