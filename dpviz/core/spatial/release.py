"""The release of a spatial decomposition: a complete tree of fanout 4 over a box."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.errors import DpvizError, InvalidParameter, InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.spatial.boxes import (
    FANOUT,
    checked_levels,
    midpoint_boxes,
    midpoint_rows,
    places_of,
)
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.curve_boxes import curve_boxes
from dpviz.core.spatial.fields import spatial_parts, spatial_to_dict
from dpviz.core.spatial.hilbert import pieces
from dpviz.core.spatial.structure_budget import (
    NON_PRIVATE,
    StructureBudget,
)
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.version import __version__


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialRelease:
    """Noisy counts of a complete tree of rectangles with everything needed to interpret them.

    Shapes: counts[l] is (4**l,), root first; scales has one entry a level, ∞ where a level is not
    released (its counts are NaN), 0 only where counts are marked non-private. boxes[l] is (4**l, 4)
    with columns x_low, x_high, y_low, y_high, children of node i being 4i .. 4i + 3 in the order
    (low x, low y), (low x, high y), (high x, low y), (high x, high y); None stands for midpoints
    throughout (a quadtree), read through level_boxes. curve_edges (4**h + 1,) are the ends of the
    leaves on a Hilbert curve of order curve_order, for Hilbert R-trees only; their boxes follow
    from them. total is N where it is public.
    spent is None only for exact counts. non_private names what was not protected, "structure" or
    "counts", and is empty for every private release. Units: records; boxes in the points'.
    Raises: InvalidRelease when the parts do not fit together.
    """

    mechanism: str
    parameters: Mapping[str, Any]
    box: Box
    counts: tuple[FloatArray, ...]
    noise: Noise
    scales: tuple[float, ...]
    neighbours: Neighbours
    spent: Budget | None
    boxes: tuple[FloatArray, ...] | None = None
    curve_edges: FloatArray | None = None
    curve_order: int | None = None
    root: Root = Root.RELEASED
    total: float | None = None
    structure: StructureBudget = field(default_factory=StructureBudget)
    non_private: tuple[str, ...] = ()
    version: str = __version__

    def __post_init__(self) -> None:
        object.__setattr__(self, "scales", tuple(float(scale) for scale in self.scales))
        object.__setattr__(self, "non_private", tuple(self.non_private))
        if len(self.counts) != len(self.scales):
            raise InvalidRelease(
                f"A tree needs one scale a level, got {len(self.scales)} for {len(self.counts)}."
            )
        self._check_noise()
        if (self.total is not None) != (self.root is Root.PUBLIC):
            raise InvalidRelease(f"A {self.root} root does not go with total = {self.total}.")
        if self.root is not Root.RELEASED and not math.isinf(self.scales[0]):
            raise InvalidRelease(f"A {self.root} root has no noisy count, yet one was given.")
        try:
            object.__setattr__(self, "counts", self._checked_counts())
            if self.boxes is not None and self.curve_edges is None:
                object.__setattr__(self, "boxes", self._checked_boxes(self.boxes))
            if self.curve_edges is not None or self.curve_order is not None:
                self._settle_curve()
        except InvalidParameter as error:
            raise InvalidRelease(f"This is not a tree of rectangles: {error}") from None

    def _check_noise(self) -> None:
        if not set(self.non_private) <= NON_PRIVATE:
            raise InvalidRelease(
                f"Only {', '.join(sorted(NON_PRIVATE))} can be non-private, got {self.non_private}."
            )
        exact = "counts" in self.non_private
        if not all(scale > 0 or (exact and scale == 0) for scale in self.scales):
            raise InvalidRelease(f"Noise scales must be positive, got {self.scales}.")
        if (self.spent is None) != exact:
            raise InvalidRelease("A release of private counts says what it spent, no other does.")

    def _checked_counts(self) -> tuple[FloatArray, ...]:
        """Nothing but NaN on levels that are not released; copies unless already read-only."""
        settled = tuple(
            np.full(level.shape, np.nan) if math.isinf(scale) else _owned(level)
            for level, scale in zip(map(np.asarray, self.counts), self.scales, strict=True)
        )
        if settled[0].ndim != 1:
            raise InvalidRelease("A release holds one tree, not a batch of runs.")
        return Levels(FANOUT, settled, self.variances).counts

    def _checked_boxes(self, boxes: tuple[FloatArray, ...]) -> tuple[FloatArray, ...]:
        if len(boxes) != len(self.counts):
            raise InvalidRelease(
                f"A tree needs rectangles for each level, got {len(boxes)} for {len(self.counts)}."
            )
        return checked_levels(boxes, self.box)

    def _settle_curve(self) -> None:
        if self.curve_edges is None or self.curve_order is None:
            raise InvalidRelease("The ends of leaves on a curve and its order go together.")
        pieces(self.curve_order)  # refuses an order that no curve has
        ends = np.asarray(self.curve_edges, dtype=np.float64)
        right = ends.shape == (self.shape.leaves + 1,) and (np.diff(ends) >= 0).all()
        if not (right and ends[0] == 0 and ends[-1] == 4**self.curve_order):
            raise InvalidRelease(
                "The leaves of a Hilbert R-tree need ascending ends from 0 to 4^order on its curve."
            )
        boxes = curve_boxes(ends.astype(np.int64), self.curve_order, self.box)
        if self.boxes is not None and not all(map(np.array_equal, boxes, self.boxes)):
            raise InvalidRelease(
                "Rectangles of a Hilbert R-tree follow from its curve, these do not."
            )
        object.__setattr__(self, "boxes", tuple(frozen(level) for level in boxes))
        object.__setattr__(self, "curve_edges", frozen(np.array(ends)))

    @property
    def shape(self) -> TreeShape:
        """Fanout 4 and the height."""
        return TreeShape(FANOUT, len(self.counts) - 1)

    @property
    def level_count(self) -> int:
        """Levels from the root to the leaves, h + 1."""
        return len(self.counts)

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of the noise on a node of each level, shape () each; ∞ where left out."""
        return tuple(np.asarray(self.noise.variance(s) if s > 0 else 0.0) for s in self.scales)

    @property
    def levels(self) -> Levels:
        """Counts and variances in the form that estimators take."""
        return Levels(FANOUT, self.counts, self.variances)

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4); those of midpoints are computed here."""
        return midpoint_boxes(self.box, level) if self.boxes is None else self.boxes[level]

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4), without making those of all."""
        if self.boxes is not None:
            return np.asarray(self.boxes[level][nodes])
        return midpoint_rows(self.box, level, *places_of(nodes, level))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpatialRelease) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # holds arrays; equality is by content

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; None stands for a level that is not released."""
        return spatial_to_dict({one.name: getattr(self, one.name) for one in fields(self)})

    def to_json(self) -> str:
        """JSON text; from_json gives back an equal release, to the last digit."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> SpatialRelease:
        """Read a release written by to_json; variances are computed again from the scales.

        Raises: InvalidRelease when the text is not such a release.
        """
        try:
            return cls(**spatial_parts(json.loads(text)))
        except InvalidRelease:
            raise
        except (DpvizError, KeyError, TypeError, ValueError) as error:
            raise InvalidRelease(f"This is not a dpviz spatial release: {error!r}.") from None


Decomposition = SpatialRelease | Cells


def _owned(level: FloatArray) -> FloatArray:
    """A read-only array that nobody else can write to; copying a million counts takes time."""
    if level.dtype == np.float64 and not level.flags.writeable and level.base is None:
        return level
    return frozen(np.array(level, dtype=np.float64))
