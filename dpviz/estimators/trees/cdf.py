"""A CDF from a noisy tree, and made monotone: costs no budget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.card import Card
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.quantiles import running_counts

CARD = Card(
    key="cdf",
    title="CDF from a tree, smoothed",
    family="Estimators",
    role="post-processing",
    summary="Running counts at the leaf edges, then the closest monotone ones in squares (isotonic "
    "regression). Quantiles, mean, variance, mode and range counts are read from it.",
    guarantee="post-processing: spends nothing",
    neighbours="as the tree",
    cost="linear in the number of edges",
    good_for="any number of quantiles from one release",
    watch_out="after smoothing only the simultaneous band keeps its meaning",
    source="Manohar 2014; Barlow and Brunk 1972",
)


@dataclass(frozen=True, slots=True, eq=False)
class Cdf:
    """Running counts: counts[..., i] records lie below edges[i]; the last is the estimate n̂ of N.

    Shapes: edges (t + 1,) ascending, counts (..., t + 1) starting with 0. Units: the column's, and
    records. monotone says whether the counts were smoothed.
    """

    edges: FloatArray
    counts: FloatArray
    monotone: bool = False

    @property
    def total(self) -> FloatArray:
        """n̂, shape (...)."""
        return np.asarray(self.counts[..., -1])

    @property
    def bins(self) -> FloatArray:
        """Counts of the intervals between edges, shape (..., t)."""
        return np.asarray(np.diff(self.counts, axis=-1))

    @property
    def middles(self) -> FloatArray:
        """Middles of the intervals, shape (t,)."""
        return np.asarray((self.edges[:-1] + self.edges[1:]) / 2)


def edge_positions(shape: TreeShape, step: int = 1) -> IntArray:
    """Every step-th leaf edge and the last: indices into the leaf edges, shape (t + 1,).

    Raises: InvalidParameter for a step outside 1 … leaves.
    """
    if not 1 <= step <= shape.leaves:
        raise InvalidParameter(f"The step must lie in 1 … {shape.leaves} leaves, got {step}.")
    return np.append(np.arange(0, shape.leaves, step), shape.leaves)


def cdf(levels: Levels, bounds: Bounds, total: float | None = None, *, step: int = 1) -> Cdf:
    """Running counts at the leaf edges, or at every step-th of them (and the last).

    levels may be raw or after any estimator; total is N where it is public. Not monotone yet.
    Guarantee: post-processing. Raises: as running_counts; InvalidParameter for the step.
    Source: Manohar 2014, binary tree algorithm.
    """
    kept = edge_positions(levels.shape, step)
    edges = levels.shape.edges(bounds)[kept]
    return Cdf(frozen(edges), running_counts(levels, total)[..., kept])


def monotone(raw: Cdf, *, public_total: bool, fit_total: bool = False) -> Cdf:
    """The closest running counts, in squares, that never fall, start at 0 and end at n̂.

    Isotonic regression, v'_k = min_{j≥k} max_{i≤j} mean(v_i..v_j), clipped to [0, n̂]; n̂, the last
    running count, stays as it is (0 if negative). fit_total lets it take part in the fit, as in the
    poster, unless N is public: with long flat tails that pulls n̂ up and doubles its error.
    No step moves a count further from the truth than the largest error there was, so a
    simultaneous band stays valid; a pointwise one does not.
    Source: Manohar 2014, smoothing algorithm; Barlow and Brunk 1972.
    """
    fitted = raw.counts.copy()
    inside = fitted[..., 1:] if fit_total and not public_total else fitted[..., 1:-1]
    if inside.size:
        inside[...] = _isotonic_rows(inside)
    highest = np.maximum(fitted[..., -1:], 0.0)
    np.clip(fitted, 0.0, highest, out=fitted)
    return Cdf(raw.edges, fitted, monotone=True)


def _isotonic_rows(rows: FloatArray) -> FloatArray:
    """Isotonic regression of each row in one call: rows lifted apart can never be pooled."""
    from scipy.optimize import isotonic_regression  # noqa: PLC0415  # half a second to import

    flat = rows.reshape(-1, rows.shape[-1])
    lift = np.arange(flat.shape[0])[:, None] * (float(np.ptp(flat)) + 1.0)
    fit = isotonic_regression((flat + lift).ravel())
    return np.asarray((fit.x.reshape(flat.shape) - lift).reshape(rows.shape))
