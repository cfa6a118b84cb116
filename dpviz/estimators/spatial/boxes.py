"""Counts of rectangles from any spatial decomposition: post-processing, costs no budget.

One descent answers rectangles on any tree of rectangles, all queries a level at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import FANOUT, checked_boxes
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.geometry import Midpoints
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.spatial.cell_ranges import cell_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.estimators.spatial.quadtree_ranges import (
    Spans,
    canonical_counts,
    consistent_counts,
    consistent_variances,
)
from dpviz.estimators.trees.readings import with_total
from dpviz.estimators.trees.workload import energies_variance

SpatialTree = SpatialRelease | SpatialEstimate
Readable = SpatialTree | Cells
Answers = tuple[FloatArray, FloatArray]
QUERIES = 64  # descended together; at height 10 each may reach ten thousand nodes


@dataclass(frozen=True, eq=False)
class Visited:
    """The nodes of one level that some query reached, one row for each pair (query, node).

    Shapes: all (m,). parent is the row of the level above; part the fraction of the node's area
    inside the query; ends says that the node answers, whole or, as a leaf, by its part.
    """

    level: int
    query: IntArray
    node: IntArray
    parent: IntArray
    part: FloatArray
    ends: BoolArray


def descend(
    tree: SpatialTree, boxes: FloatArray, released: Sequence[bool] | None = None
) -> Iterator[Visited]:
    """Levels from the root: whole nodes answer, others are opened, leaves answer by their part.

    boxes (q, 4). A level that is not released cannot answer, and passes the query on.
    Source: Cormode et al. 2012, §4.1.
    """
    height = tree.level_count - 1
    query = np.arange(boxes.shape[0])
    node, parent = np.zeros_like(query), np.zeros_like(query)
    for level in range(height + 1):
        part, touched, whole = _overlap(tree.node_boxes(level, node), boxes[query])
        query, node, parent = query[touched], node[touched], parent[touched]
        known = level == height or released is None or released[level]
        ends = (whole[touched] & known) | _leaves(tree, level, node)
        yield Visited(level, query, node, parent, part[touched], ends)
        opened = np.flatnonzero(~ends)
        query = np.repeat(query[opened], FANOUT)
        node = (FANOUT * node[opened][:, None] + np.arange(FANOUT)).ravel()
        parent = np.repeat(opened, FANOUT)


def _leaves(tree: SpatialTree, level: int, node: IntArray) -> BoolArray:
    last: BoolArray = np.full(node.shape, level == tree.level_count - 1)
    leaf = tree.is_leaf(level) if isinstance(tree, SpatialEstimate) else None
    return last if leaf is None else last | leaf[node]


def _overlap(nodes: FloatArray, queries: FloatArray) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Fractions of nodes (m, 4) inside queries (m, 4), whether they touch, whether all is in."""
    part_x, whole_x = _overlap_1d(nodes[:, 0], nodes[:, 1], queries[:, 0], queries[:, 1])
    part_y, whole_y = _overlap_1d(nodes[:, 2], nodes[:, 3], queries[:, 2], queries[:, 3])
    part = part_x * part_y
    return part, part > 0, whole_x & whole_y


def _overlap_1d(
    low: FloatArray, high: FloatArray, start: FloatArray, end: FloatArray
) -> tuple[FloatArray, BoolArray]:
    width, inside = high - low, np.minimum(high, end) - np.maximum(low, start)
    whole = (start <= low) & (high <= end)
    # a node without width is in or out as a whole
    part = np.divide(inside, width, out=whole.astype(np.float64), where=width > 0)
    return np.where(whole, 1.0, np.maximum(part, 0.0)), whole


def range_counts(tree: Readable, boxes: ArrayLike) -> Answers:
    """Private counts of rectangles and the exact variance of their noise, each (q,).

    A release is read by its canonical nodes, an estimate by any (they agree). Rectangles (q, 4),
    columns x_low, x_high, y_low, y_high; what sticks out of the box is cut off. A leaf on the
    border counts by the fraction of its area inside (the uniformity assumption), whose error no
    variance knows about. Variances of a pruned tree hold given what was kept.
    Units: records, records². Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter if tree is neither a release nor an estimate, if a rectangle has
    low > high or if a side is NaN or infinite.
    Source: Cormode et al. 2012, §4.1; variances after estimation: this project (methods.md §6).
    """
    rows = checked_boxes(boxes)
    if isinstance(tree, Cells):
        return cell_counts(tree, rows)
    if isinstance(tree, SpatialEstimate):
        return estimated_counts(tree, rows), estimated_variances(tree, rows)
    if not isinstance(tree, SpatialRelease):
        raise InvalidParameter(
            f"tree must be a release of a map or what estimate makes of one, got {found(tree)}."
        )
    noisy = with_total(tree.levels, tree.total)
    if isinstance(tree.geometry, Midpoints):
        return canonical_counts(noisy, Spans.of(tree.box, noisy.height, rows))
    return _canonical(tree, noisy, rows)


def estimated_counts(tree: SpatialEstimate, boxes: ArrayLike) -> FloatArray:
    """Counts alone (q,), as range_counts; on a quadtree one pass over the leaves serves all."""
    rows = checked_boxes(boxes)
    if isinstance(tree.release.geometry, Midpoints):
        spans = Spans.of(tree.release.box, tree.levels.height, rows)
        return consistent_counts(tree.levels.counts[-1], spans)
    counts = np.zeros(rows.shape[0])
    for start in range(0, rows.shape[0], QUERIES):
        part = rows[start : start + QUERIES]
        counts[start : start + QUERIES] = sum(
            _added(visited, tree.levels.counts[visited.level], part.shape[0])
            for visited in descend(tree, part)
        )
    return counts


def estimated_variances(tree: SpatialEstimate, boxes: ArrayLike) -> FloatArray:
    """Exact variances alone (q,), as range_counts."""
    rows, release = checked_boxes(boxes), tree.release
    public = release.total is not None
    if isinstance(release.geometry, Midpoints) and not tree.pruned:
        spans = Spans.of(release.box, tree.levels.height, rows)
        return consistent_variances(spans, release.variances, public_total=public)
    energies = box_energies(tree, rows)
    return energies_variance(energies, FANOUT, release.variances, public_total=public)


def box_energies(tree: SpatialTree, boxes: ArrayLike) -> FloatArray:
    """‖P_k c‖² of the leaf weights c of every rectangle, (q, h + 1), on any tree of rectangles."""
    rows = checked_boxes(boxes)
    pieces = [
        _energies(list(descend(tree, part)), part.shape[0])
        for part in (rows[start : start + QUERIES] for start in range(0, rows.shape[0], QUERIES))
    ]
    return np.concatenate([np.empty((0, tree.level_count)), *pieces])


def answering_nodes(tree: SpatialTree, box: ArrayLike) -> list[tuple[IntArray, FloatArray]]:
    """The nodes that answer one rectangle: for each level their numbers (m,) and fractions (m,).

    For a release those of the canonical answer; for an estimate the fewest that give its answer.
    """
    steps = descend(tree, checked_boxes(box)[:1], _released(tree))
    return [(step.node[step.ends], step.part[step.ends]) for step in steps]


def _released(tree: SpatialTree) -> list[bool] | None:
    if isinstance(tree, SpatialEstimate):
        return None
    levels = with_total(tree.levels, tree.total)
    return [bool(np.isfinite(variance).all()) for variance in levels.variances]


def _canonical(tree: SpatialRelease, noisy: Levels, rows: FloatArray) -> Answers:
    counts, variances = np.zeros(rows.shape[0]), np.zeros(rows.shape[0])
    for start in range(0, rows.shape[0], QUERIES):
        part = slice(start, start + QUERIES)
        for step in descend(tree, rows[part], _released(tree)):
            queries = counts[part].size
            counts[part] += _added(step, noisy.counts[step.level], queries)
            weights = step.part[step.ends] ** 2
            squares = np.bincount(step.query[step.ends], weights, minlength=queries)
            if squares.any():  # a level left out has variance ∞
                variances[part] += squares * noisy.variances[step.level]
    return counts, variances


def _added(step: Visited, values: FloatArray, queries: int) -> FloatArray:
    """Σ part · count of the nodes that answer on one level, (queries,)."""
    ends = step.ends
    weights = step.part[ends] * values[step.node[ends]]
    return np.asarray(np.bincount(step.query[ends], weights, minlength=queries), dtype=float)


def _energies(steps: list[Visited], queries: int) -> FloatArray:
    """Energies (queries, h + 1) of a finished descent, by sums of leaf weights from below."""
    height = len(steps) - 1
    energies = np.zeros((queries, height + 1))
    below = np.zeros(0)  # Σ c of the rows of the level below
    for step in reversed(steps):
        leaves = float(FANOUT) ** (height - step.level)
        weight = np.where(step.ends, step.part * leaves, 0.0)
        if step.level < height:
            lower = steps[step.level + 1]
            rows, at = step.node.size, step.query
            weight += np.bincount(lower.parent, below, minlength=rows)
            squares = np.bincount(lower.parent, below**2, minlength=rows)
            apart = np.where(step.ends, 0.0, squares - weight**2 / FANOUT)
            per_query = np.bincount(at, apart * FANOUT / leaves, minlength=queries)
            energies[:, step.level + 1] = np.maximum(per_query, 0.0)
        below = weight
    energies[steps[0].query, 0] = below**2 / float(FANOUT) ** height
    return energies
