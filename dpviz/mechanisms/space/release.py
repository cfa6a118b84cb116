"""What a tree of boxes releases, and the counts of boxes that are read from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.releases import SEEDED
from dpviz.core.spatial.space import Space, checked_space_boxes, covered
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.workload import query_variance

BOXES = 64  # answered together


@dataclass(frozen=True, slots=True, eq=False)
class SpaceRelease:
    """A noisy tree over boxes; leaves (2^(d·h), 2d) are their rows, children beside each other."""

    mechanism: str
    parameters: dict[str, Any]
    space: Space
    leaves: FloatArray
    tree: NoisyTree
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED


def box_counts(release: SpaceRelease, boxes: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Private counts of boxes (q, 2d) after least squares, and the exact variance of their noise.

    Both (q,). A leaf that the border of a box cuts counts by the fraction of its volume inside, an
    error that no variance knows about. Units: records, records².
    Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter for rows that are not boxes of this space.
    Source: Cormode et al. 2012, §4.1 and §5; variances: this project.
    """
    rows = checked_space_boxes(boxes, release.space.dimensions)
    noisy, total = release.tree.levels, release.tree.total
    best = efficient_levels(noisy, total).counts[-1]
    counts, variances = np.empty(len(rows)), np.empty(len(rows))
    for start in range(0, len(rows), BOXES):
        part = slice(start, start + BOXES)
        weights = covered(release.leaves, rows[part])
        counts[part] = weights @ best
        variances[part] = query_variance(noisy, weights, total)
    return counts, variances
