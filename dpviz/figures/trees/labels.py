"""The numbers printed at the nodes of a tree: only where they fit on the narrowest screen."""

from __future__ import annotations

import numpy as np

from dpviz.figures.trees.view import TreeView

NARROW = 300  # pixels of the drawing area at 390 px, the narrowest screen
GLYPH = 7  # pixels of a digit in SIZE, at most
GAP = 4  # pixels between two labels
SIZE = 11  # pixels
EDGE = 0.16  # share of the width within which a label in one line would leave the picture


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


def path_label(view: TreeView, level: int, index: int) -> str:
    """The label of a chosen node in one line; empty where its whole level is labelled anyway."""
    return "" if level_labels(view, level) else node_label(view, level, index, between=" ")


def path_position(view: TreeView, level: int, index: int) -> str:
    """Where a label in one line stays inside the picture."""
    across = (index + 0.5) / view.counts[level].size
    side = "right" if across < EDGE else "left" if across > 1 - EDGE else "center"
    return f"top {side}"
