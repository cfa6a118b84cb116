"""The release of a histogram: noisy counts between declared edges."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, budget_from_dict
from dpviz.core.checks import a, finite
from dpviz.core.errors import InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import (
    SEEDED,
    Columns,
    ShowsItself,
    fitting,
    read_release,
    settle_declared,
    spent_budget,
)
from dpviz.core.trees.holds_tree import ends_of
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class HistogramRelease(ShowsItself):
    """Noisy counts of bins with everything needed to interpret them.

    Shapes: edges (k + 1,), ascending and declared; counts (k,), in records, read-only. Bin i holds
    the values in [edges[i], edges[i + 1]), the last one its upper edge, too. noise and scale are
    those of each count. Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HistogramRelease) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # holds arrays; equality is by content

    @property
    def standard_error(self) -> float:
        """Of the noise on each count, in records."""
        return math.sqrt(self.noise.variance(self.scale))

    def _columns(self) -> Columns:
        errors = np.full(self.counts.size, self.standard_error)
        return {**ends_of(self.edges), "count": self.counts, "standard_error": errors}

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        return {
            "kind": "histogram",
            "dpviz": self.version,
            "randomness": self.randomness,
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "neighbours": self.neighbours.value,
            "spent": self.spent.to_dict(),
            "bounds": [self.bounds.low, self.bounds.high],
            "resolution": self.resolution,
            "noise": self.noise.value,
            "scale": self.scale,
            "edges": self.edges.tolist(),
            "counts": self.counts.tolist(),
        }

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal release, to the last digit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> HistogramRelease:
        """Read a release written by to_json.

        Raises: InvalidRelease when the text is not such a release.
        """
        return read_release(text, "histogram", "release of a histogram", cls._from_dict)

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> HistogramRelease:
        return cls(
            mechanism=stored["mechanism"],
            parameters=stored["parameters"],
            edges=stored["edges"],
            counts=stored["counts"],
            noise=Noise(stored["noise"]),
            scale=stored["scale"],
            bounds=Bounds(*stored["bounds"]),
            resolution=float(stored["resolution"]),
            neighbours=Neighbours(stored["neighbours"]),
            spent=budget_from_dict(stored["spent"]),
            randomness=stored["randomness"],
            version=stored["dpviz"],
        )
