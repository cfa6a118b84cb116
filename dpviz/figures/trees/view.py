"""What a picture of a tree shows, and which part of it can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential

NARROW = 300  # pixels of the drawing area at 390 px, the narrowest screen
GLYPH = 7  # pixels of a digit in SIZE, at most
GAP = 4  # pixels between two labels
SIZE = 11  # pixels
READABLE = 32  # nodes side by side that still have room for a number


@confidential("fanout")
@dataclass(frozen=True, slots=True, eq=False)
class TreeView:
    """What is drawn, one array (fanout**l,) a level, root first; edges (leaves + 1,).

    shade is what colours show (a variance, an error, a weight), named by shade_name; signed says
    that 0 is its middle. truth is confidential.
    """

    fanout: int
    counts: Sequence[FloatArray]
    shade: Sequence[FloatArray]
    edges: FloatArray
    shade_name: str = "variance"
    signed: bool = False
    truth: Sequence[FloatArray] | None = None

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


def mark_size(nodes: int) -> float:
    """Pixels of the mark of a node on a level: neighbours do not cover each other."""
    return min(max(NARROW / nodes - 1, 6.0), 15.0)


def node_label(view: TreeView, level: int, index: int, *, between: str = "<br>") -> str:
    """A node's count, and in brackets the true one where it is shown."""
    count = float(view.counts[level][index])
    said = "–" if np.isnan(count) else f"{round(count):,}"
    return said if view.truth is None else f"{said}{between}({view.truth[level][index]:,.0f})"


def level_labels(view: TreeView, level: int) -> list[str] | None:
    """The labels of a level, or None if one of them might be wider than its node's interval.

    The width of the screen is not known here, so the narrowest decides.
    """
    size = view.counts[level].size
    most = (NARROW / size - GAP) / GLYPH  # characters in a line
    if most < 1:
        return None
    labels = [node_label(view, level, index) for index in range(size)]
    longest = max(len(line) for label in labels for line in label.split("<br>"))
    return labels if longest <= most or size == 1 else None
