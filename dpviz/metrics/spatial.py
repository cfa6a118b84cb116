"""How far a decomposition's answers are from the truth, and why. Confidential: never exported."""

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.shape import Levels
from dpviz.counts.exact import ExactCells
from dpviz.estimators.spatial.boxes import Readable, estimated_counts
from dpviz.estimators.spatial.cell_ranges import exact_cell_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.estimators.spatial.prune import keep_only


def relative_errors(answers: ArrayLike, truth: ArrayLike) -> FloatArray:
    """|answer − truth| / truth, elementwise: PSD's convention, for queries that hold some record.

    Raises: InvalidParameter where the truth is 0; draw non-empty queries.
    Source: Cormode et al. 2012, §8.1 (600 queries with a non-zero answer, median over them).
    """
    right = np.asarray(truth, dtype=np.float64)
    if not (right > 0).all():
        raise InvalidParameter("Relative errors need queries that hold at least one record.")
    return np.asarray(np.abs(np.asarray(answers) - right) / right)


def noiseless_counts(tree: Readable, exact: ExactCells, boxes: ArrayLike) -> FloatArray:
    """What the same cells answer with their exact counts, (q,)."""
    if isinstance(tree, Cells):
        return exact_cell_counts(tree, exact.levels[0], boxes)
    release = tree if isinstance(tree, SpatialRelease) else tree.release
    known = Levels(FANOUT, exact.levels, (np.zeros(()),) * release.level_count)
    exact_tree = SpatialEstimate(release, known)
    if isinstance(tree, SpatialEstimate) and tree.kept is not None:
        exact_tree = keep_only(exact_tree, tree.kept)
    return estimated_counts(exact_tree, boxes)
