"""What a picture of a tree shows, and which part of it can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray

READABLE = 32  # nodes side by side that still have room for a number


@dataclass(frozen=True, slots=True, eq=False)
class TreeView:
    """What is drawn, one array (fanout**l,) a level, root first; edges (leaves + 1,).

    shade is what colours show (a variance, an error, a weight), named by shade_name; signed says
    that 0 is its middle. truth is confidential. chosen is (level, index) of one node.
    """

    fanout: int
    counts: Sequence[FloatArray]
    shade: Sequence[FloatArray]
    edges: FloatArray
    shade_name: str = "variance"
    signed: bool = False
    truth: Sequence[FloatArray] | None = None
    chosen: tuple[int, int] | None = None

    @property
    def height(self) -> int:
        """The level of the leaves."""
        return len(self.counts) - 1

    def level_edges(self, level: int) -> FloatArray:
        """Edges of the nodes of a level."""
        return self.edges[:: self.fanout ** (self.height - level)]

    def middles(self, level: int) -> FloatArray:
        """Middles of the nodes of a level."""
        edges = self.level_edges(level)
        return np.asarray((edges[:-1] + edges[1:]) / 2)


def readable_depth(fanout: int, height: int) -> int:
    """The deepest level whose nodes still have room for their numbers."""
    return max(level for level in range(height + 1) if level == 0 or fanout**level <= READABLE)


def level_raster(values: FloatArray, columns: int) -> FloatArray:
    """A level (nodes,) as `columns` equally wide cells: each shows the node at its middle."""
    at = (np.arange(columns) + 0.5) / columns * values.size
    return np.asarray(values[at.astype(np.int64)])


def ancestors(fanout: int, level: int, index: int) -> list[tuple[int, int]]:
    """The path from the root to a node, both included."""
    return [(at, index // fanout ** (level - at)) for at in range(level + 1)]
