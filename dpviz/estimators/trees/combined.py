"""Several noisy measurements of one tree, each with variances of its own, made into one."""

from collections.abc import Sequence

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.checks import wanted
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels


def combined(surveys: Sequence[Levels]) -> Levels:
    """One measurement of every node: the inverse-variance mean of what the surveys say of it.

    Surveys of the same tree with independent noise; a node that none of them released stays
    unreleased. What comes out may have a variance of its own at every node, and the estimators of a
    tree read it as any other: the result is then the efficient estimate from all surveys.
    Units: records, records². Guarantee: post-processing; the surveys' budgets add up.
    Raises: InvalidParameter for no survey, or for surveys of different trees.
    Source: Honaker 2019, §2 and §3.1 (several measurements with errors of their own).
    """
    if not surveys:
        raise InvalidParameter("Nothing to combine: give the levels of at least one tree.")
    for one in surveys:
        wanted(Levels, one, "a survey")
    first = surveys[0]
    for other in surveys[1:]:
        if (other.fanout, other.height) != (first.fanout, first.height):
            raise InvalidParameter(
                f"Surveys of one tree have one shape, got fanout {first.fanout} and height "
                f"{first.height} beside fanout {other.fanout} and height {other.height}."
            )
        if other.counts[0].shape != first.counts[0].shape:
            raise InvalidParameter("Surveys of one tree hold equally many runs each.")
    merged = [_merged(surveys, level) for level in range(first.height + 1)]
    counts, variances = zip(*merged, strict=True)
    return Levels(first.fanout, tuple(counts), tuple(variances))


def _merged(surveys: Sequence[Levels], level: int) -> tuple[FloatArray, FloatArray]:
    counts = np.stack([one.counts[level] for one in surveys])
    spread = np.stack([one.node_variances(level) for one in surveys])
    known = spread == 0
    with np.errstate(divide="ignore"):
        precise = np.where(known.any(axis=0), known, np.where(known, 0.0, 1 / spread))
    whole = precise.sum(axis=0)
    shown = np.where(np.isinf(spread[(slice(None), *(None,) * (counts.ndim - 2))]), 0.0, counts)
    shares = np.divide(precise, whole, out=np.zeros_like(precise, dtype=float), where=whole > 0)
    mean = (shown * shares[(slice(None), *(None,) * (counts.ndim - 2))]).sum(axis=0)
    with np.errstate(divide="ignore"):
        variance = np.where(known.any(axis=0), 0.0, 1 / whole)
    return mean, np.asarray(variance)
