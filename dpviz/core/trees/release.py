"""The release of a noisy count tree over an interval."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.errors import DpvizError, InvalidParameter, InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.releases import budget_from_dict, budget_to_dict
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class TreeRelease:
    """Noisy counts of a complete tree with everything needed to interpret them.

    Shapes: counts[l] is (fanout**l,), root first; scales has one entry a level, ∞ where a level is
    not released (its counts are NaN). Units: records; bounds in the column's. total is N where it
    is public, else None. parameters may be nested plain values. Nothing here is confidential.
    Raises: InvalidRelease when the parts do not fit together.
    """

    mechanism: str
    parameters: Mapping[str, Any]
    fanout: int
    counts: tuple[FloatArray, ...]
    noise: Noise
    scales: tuple[float, ...]
    root: Root
    total: float | None
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scales", tuple(float(scale) for scale in self.scales))
        if len(self.counts) != len(self.scales):
            raise InvalidRelease(
                f"A tree needs one scale a level, got {len(self.scales)} for {len(self.counts)}."
            )
        if not all(scale > 0 for scale in self.scales):  # also rejects NaN
            raise InvalidRelease(f"Noise scales must be positive, got {self.scales}.")
        if (self.total is not None) != (self.root is Root.PUBLIC):
            raise InvalidRelease(f"A {self.root} root does not go with total = {self.total}.")
        if self.root is not Root.RELEASED and not math.isinf(self.scales[0]):
            raise InvalidRelease(f"A {self.root} root has no noisy count, yet one was given.")
        object.__setattr__(self, "counts", self._checked_counts())

    def _checked_counts(self) -> tuple[FloatArray, ...]:
        """Copies, with nothing but NaN on the levels that are not released."""
        copies = tuple(
            np.full(level.shape, np.nan) if math.isinf(scale) else np.array(level, dtype=np.float64)
            for level, scale in zip(map(np.asarray, self.counts), self.scales, strict=True)
        )
        try:
            levels = Levels(self.fanout, copies, self.variances)
        except InvalidParameter as error:
            raise InvalidRelease(f"This is not a tree: {error}") from None
        if levels.counts[0].ndim != 1:
            raise InvalidRelease("A release holds one tree, not a batch of runs.")
        return levels.counts

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of the noise on a node of each level, shape () each; ∞ where left out."""
        return self.tree_noise.variances

    @property
    def tree_noise(self) -> TreeNoise:
        """The law of the noise on every node, which says all that errors depend on."""
        return TreeNoise(self.fanout, self.noise, self.scales, self.root)

    @property
    def levels(self) -> Levels:
        """Counts and variances in the form that estimators take."""
        return Levels(self.fanout, self.counts, self.variances)

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return TreeShape(self.fanout, len(self.counts) - 1)

    def edges(self, level: int | None = None) -> FloatArray:
        """Node edges of a level (the leaves by default), shape (fanout**level + 1,)."""
        shape = self.shape if level is None else TreeShape(self.fanout, level)
        return shape.edges(self.bounds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeRelease) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # holds arrays; equality is by content

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; None stands for a level that is not released."""
        return {
            "kind": "tree",
            "dpviz": self.version,
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "neighbours": self.neighbours.value,
            "spent": budget_to_dict(self.spent),
            "bounds": [self.bounds.low, self.bounds.high],
            "resolution": self.resolution,
            "root": self.root.value,
            "total": self.total,
            "fanout": self.fanout,
            "noise": self.noise.value,
            "scales": _or_none(self.scales, self.scales),
            "variances": _or_none([float(v) for v in self.variances], self.scales),
            "counts": _or_none([level.tolist() for level in self.counts], self.scales),
        }

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal release, to the last digit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> TreeRelease:
        """Read a release written by to_json; variances are computed again from the scales.

        Raises: InvalidRelease when the text is not such a release.
        """
        try:
            stored = json.loads(text)
            if stored["kind"] != "tree":
                raise InvalidRelease(f"Expected a release of a tree, got '{stored['kind']}'.")
            fanout = int(stored["fanout"])
            return cls(
                mechanism=stored["mechanism"],
                parameters=stored["parameters"],
                fanout=fanout,
                counts=_read_counts(stored["counts"], fanout),
                noise=Noise(stored["noise"]),
                scales=tuple(math.inf if s is None else float(s) for s in stored["scales"]),
                root=Root(stored["root"]),
                total=stored["total"],
                bounds=Bounds(*stored["bounds"]),
                resolution=float(stored["resolution"]),
                neighbours=Neighbours(stored["neighbours"]),
                spent=budget_from_dict(stored["spent"]),
                version=stored["dpviz"],
            )
        except InvalidRelease:
            raise
        except (DpvizError, KeyError, TypeError, ValueError) as error:
            raise InvalidRelease(f"This is not a dpviz release of a tree: {error!r}.") from None


def _or_none(entries: Sequence[Any], scales: Sequence[float]) -> list[Any]:
    return [
        None if math.isinf(scale) else entry for entry, scale in zip(entries, scales, strict=True)
    ]


def _read_counts(stored: list[list[float] | None], fanout: int) -> tuple[FloatArray, ...]:
    shape = TreeShape(fanout, len(stored) - 1)  # refuses a tree that is too large to build
    return tuple(
        np.full(shape.nodes(level), np.nan) if counts is None else np.array(counts, dtype=float)
        for level, counts in enumerate(stored)
    )
