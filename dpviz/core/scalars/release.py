"""The release of one noisy number: a count, a clipped sum, or a mean of publicly many records."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
from dpviz.version import __version__


@dataclass(frozen=True, slots=True)
class NumberRelease(ShowsItself):
    """One noisy number with everything needed to interpret it.

    value is in the column's units, that of a count in records; scale is that of its noise (Noise
    says what it means). Nothing here is confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    mechanism: str
    parameters: Mapping[str, Any]
    value: float
    noise: Noise
    scale: float
    bounds: Bounds
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of a number"):
            settle_declared(
                self,
                value=finite,
                noise=a(Noise),
                scale=finite,
                bounds=a(Bounds),
                spent=spent_budget,
            )
        if not self.scale > 0:
            raise InvalidRelease(f"The noise scale must be positive, got {self.scale}.")

    @property
    def standard_error(self) -> float:
        """Of the noise alone, in the units of value; what clipping cut off is not in it."""
        return math.sqrt(self.noise.variance(self.scale))

    def _columns(self) -> Columns:
        return {"value": [self.value], "standard_error": [self.standard_error]}

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        return {
            "kind": "number",
            "dpviz": self.version,
            "randomness": self.randomness,
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "value": self.value,
            "noise": self.noise.value,
            "scale": self.scale,
            "bounds": [self.bounds.low, self.bounds.high],
            "neighbours": self.neighbours.value,
            "spent": self.spent.to_dict(),
        }

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal release, to the last digit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> NumberRelease:
        """Read a release written by to_json.

        Raises: InvalidRelease when the text is not such a release.
        """
        return read_release(text, "number", "release of a number", cls._from_dict)

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> NumberRelease:
        return cls(
            mechanism=stored["mechanism"],
            parameters=stored["parameters"],
            value=stored["value"],
            noise=Noise(stored["noise"]),
            scale=stored["scale"],
            bounds=Bounds(*stored["bounds"]),
            neighbours=Neighbours(stored["neighbours"]),
            spent=budget_from_dict(stored["spent"]),
            randomness=stored.get("randomness", SEEDED),  # before 0.4 it was not said
            version=stored["dpviz"],
        )
