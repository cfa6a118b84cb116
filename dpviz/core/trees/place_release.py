"""The release of named places: noisy counts by level, with everything needed to interpret them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class PlaceRelease:
    """Noisy counts of the places of a public list, root first. Nothing here is confidential.

    Shapes: counts has an array a level, (places,), in records, NaN where the level is not measured;
    scales are those of the noise of each level, ∞ there. parameters has the levels' shares.
    """

    parameters: Mapping[str, Any]
    levels: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    counts: tuple[FloatArray, ...]
    noise: Noise
    scales: tuple[float, ...]
    neighbours: Neighbours
    spent: Budget
    randomness: str

    def to_json(self) -> str:
        """Plain values, level by level."""
        levels = [
            {
                "level": level,
                "scale": scale if np.isfinite(scale) else None,
                "places": list(names),
                "counts": counts.tolist() if np.isfinite(scale) else None,
            }
            for level, scale, names, counts in zip(
                self.levels, self.scales, self.names, self.counts, strict=True
            )
        ]
        stored = {
            "kind": "places", "version": __version__, "spent": self.spent.to_dict(),
            "neighbours": self.neighbours.value, "noise": self.noise.value,
            "parameters": dict(self.parameters), "randomness": self.randomness, "levels": levels,
        }  # fmt: skip
        return json.dumps(stored, indent=1, ensure_ascii=False)
