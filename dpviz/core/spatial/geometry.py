"""Where the nodes of a tree of rectangles lie: one of three answers, each with what it needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Box
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import checked_levels, midpoint_boxes, midpoint_rows, places_of
from dpviz.core.spatial.hilbert import pieces
from dpviz.core.spatial.hilbert_boxes import curve_boxes


@dataclass(frozen=True, slots=True)
class Midpoints:
    """Every node is cut at its middles: the quadtree of a box, of any height."""

    box: Box

    def fits(self, height: int) -> bool:  # noqa: ARG002  a quadtree has every height
        """Whether a tree of this height has its rectangles here."""
        return True

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4), computed here."""
        return midpoint_boxes(self.box, level)

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4), without making those of all."""
        return midpoint_rows(self.box, level, *places_of(nodes, level))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return {"boxes": None, "curve_edges": None, "curve_order": None}


@dataclass(frozen=True, slots=True, eq=False)
class Rectangles:
    """Rectangles of all levels, root first: a kd-tree.

    Shapes: boxes[l] is (4**l, 4), read-only, with columns x_low, x_high, y_low, y_high; children of
    node i are 4i .. 4i + 3 in the order (low x, low y), (low x, high y), (high x, low y),
    (high x, high y).
    Raises: InvalidParameter unless the root is box and every node lies in its parent.
    """

    box: Box
    boxes: tuple[FloatArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", checked_levels(self.boxes, self.box))

    def fits(self, height: int) -> bool:
        """Whether a tree of this height has its rectangles here."""
        return len(self.boxes) == height + 1

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4)."""
        return self.boxes[level]

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4)."""
        return np.asarray(self.boxes[level][nodes])

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        boxes = [level.tolist() for level in self.boxes]
        return {"boxes": boxes, "curve_edges": None, "curve_order": None}


@dataclass(frozen=True, slots=True, eq=False)
class HilbertCut:
    """Leaves that are ranges of cells on a Hilbert curve: a Hilbert R-tree.

    Shapes: edges (4**h + 1,), read-only, are the ends of the leaves, from 0 to 4**order. A node's
    rectangle is the bounding box of its range; boxes follow from edges and are worked out here.
    Raises: InvalidParameter for an order that no curve has, or for ends that are no such leaves.
    """

    box: Box
    edges: FloatArray
    order: int
    boxes: tuple[FloatArray, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pieces(self.order)  # refuses an order that no curve has
        edges = np.array(self.edges, dtype=np.float64)
        if not _are_ends(edges, 4**self.order):
            raise InvalidParameter(
                "The leaves of a Hilbert R-tree of height h need 4**h + 1 ascending ends, "
                f"from 0 to 4**order = {4**self.order} on its curve."
            )
        boxes = curve_boxes(edges.astype(np.int64), self.order, self.box)
        object.__setattr__(self, "boxes", tuple(frozen(level) for level in boxes))
        object.__setattr__(self, "edges", frozen(edges))

    def fits(self, height: int) -> bool:
        """Whether a tree of this height has its rectangles here."""
        return len(self.boxes) == height + 1

    def level_boxes(self, level: int) -> FloatArray:
        """Rectangles of a level, (4**level, 4); siblings may overlap."""
        return self.boxes[level]

    def node_boxes(self, level: int, nodes: IntArray) -> FloatArray:
        """Rectangles of some nodes of a level, (m, 4)."""
        return np.asarray(self.boxes[level][nodes])

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, without the rectangles, which follow from them."""
        return {"boxes": None, "curve_edges": self.edges.tolist(), "curve_order": self.order}


Geometry = Midpoints | Rectangles | HilbertCut


def geometry_from_dict(box: Box, stored: Mapping[str, Any]) -> Geometry:
    """The geometry whose to_dict gave these values.

    Raises: InvalidParameter when the parts do not fit together, KeyError if a key is missing.
    """
    match stored["boxes"], stored["curve_edges"], stored["curve_order"]:
        case None, None, None:
            return Midpoints(box)
        case boxes, None, None:
            return Rectangles(box, tuple(np.array(level, dtype=np.float64) for level in boxes))
        case None, edges, order if edges is not None and order is not None:
            return HilbertCut(box, edges, order)
        case None, _, _:
            raise InvalidParameter("The ends of leaves on a curve and its order go together.")
        case _:
            raise InvalidParameter(
                "Rectangles of a Hilbert R-tree follow from its curve; give one or the other."
            )


def _are_ends(edges: FloatArray, cells: int) -> bool:
    """Whether edges cut the cells of a curve into 4**h ranges, some of which may be empty."""
    leaves = edges.size - 1
    if edges.ndim != 1 or leaves < 1 or 4 ** ((leaves.bit_length() - 1) // 2) != leaves:
        return False
    return bool(edges[0] == 0 and edges[-1] == cells and (np.diff(edges) >= 0).all())
