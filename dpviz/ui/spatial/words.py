"""Sentences about a node of a tree of rectangles: where it is cut, what its counts spend."""

from __future__ import annotations

from dpviz.core.spatial.geometry import HilbertCut
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.audit import level_spending


def split_of(release: SpatialRelease, level: int, node: int) -> str:
    """Where a node is cut: in x, then in y on either side."""
    if level == release.shape.height:
        return "a leaf"
    children = release.level_boxes(level + 1)[4 * node : 4 * node + 4]
    if isinstance(release.geometry, HilbertCut):
        return "cut on the Hilbert curve; the parts may overlap"
    return (
        f"cut at x = {children[0, 1]:,.6g}, then at y = {children[0, 3]:,.6g} on the left and "
        f"{children[2, 3]:,.6g} on the right"
    )


def budget_by_level(release: SpatialRelease) -> str:
    """What a count of each level spends, and the medians."""
    if "counts" in release.non_private:
        return "Exact counts: nothing is spent, and nothing is protected."
    spending = level_spending(release)
    shares = ", ".join(f"{part:.3g}" for part in spending.levels)
    steps = len(release.structure.steps)
    medians = (
        f" The {steps} median steps of a path take {release.structure.share:.0%} of the budget."
    )
    return (
        f"A count spends, level by level from the root: {shares} {spending.unit}."
        f"{medians if steps else ''}"
    )
