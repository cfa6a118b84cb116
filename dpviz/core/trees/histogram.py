"""The release of a histogram: noisy counts between declared edges."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, finite
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import SEEDED, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.trees.holds_tree import ends_of
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class HistogramRelease(DrawsItself, Stored):
    """Noisy counts of bins with everything needed to interpret them.

    Shapes: edges (k + 1,), ascending and declared; counts (k,), in records, read-only. Bin i holds
    the values in [edges[i], edges[i + 1]), the last one its upper edge, too. noise and scale are
    those of each count. Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "histogram", "release of a histogram"

    mechanism: str
    parameters: Mapping[str, Any]
    edges: FloatArray
    counts: FloatArray
    noise: Noise
    scale: float
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of a histogram"):
            settle_declared(
                self,
                noise=a(Noise),
                scale=finite,
                bounds=a(Bounds),
                resolution=finite,
                spent=spent_budget,
            )
            for name in ("edges", "counts"):
                array = np.array(getattr(self, name), dtype=np.float64)
                if array.ndim != 1 or not np.isfinite(array).all():
                    raise InvalidRelease(f"{name} of a histogram must be finite numbers in a row.")
                object.__setattr__(self, name, frozen(array))
        if self.counts.size < 1 or self.edges.size != self.counts.size + 1:
            raise InvalidRelease("A histogram has one edge more than it has counts.")
        low, high = self.bounds.low, self.bounds.high
        if not ((np.diff(self.edges) > 0).all() and low <= self.edges[0] < self.edges[-1] <= high):
            raise InvalidRelease("The edges of a histogram ascend within its bounds.")
        if not self.scale > 0:
            raise InvalidRelease(f"The noise scale must be positive, got {self.scale}.")

    @property
    def standard_error(self) -> float:
        """Of the noise on each count, in records."""
        return math.sqrt(self.noise.variance(self.scale))

    def _columns(self) -> Columns:
        errors = np.full(self.counts.size, self.standard_error)
        return {**ends_of(self.edges), "count": self.counts, "standard_error": errors}
