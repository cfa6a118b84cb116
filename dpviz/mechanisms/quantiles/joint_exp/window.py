"""JointExp's input, and which ranks each of its quantiles can need: certified, not assumed.

A tuple of intervals in which some quantile lies R ranks or more from its target has utility at
most −2R, because the records before and after it add up to n. All such tuples together weigh at
most e^{−2cR} (b − a)^m / m!. Against a lower bound on the whole mass this fixes R beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential

CUT = 60 * math.log(2)  # what the windows leave out weighs at most 2^-60 of the mass


@confidential()
@dataclass(frozen=True, eq=False)
class JointProblem:
    """One draw of m quantiles: density ∝ exp(−c Σ_j |records between neighbours − t_j|).

    Shapes: low, width (> 0) and rank (N,), the intervals between distinct values and the records
    below each, as floats; gaps (m+1,), the t_j; targets (m,), their running sum n·q. c = ε/(2Δ).
    span is b − a. Intervals that no window needs may be left out.
    """

    low: FloatArray
    width: FloatArray
    rank: FloatArray
    gaps: FloatArray
    targets: FloatArray
    c: float
    span: float

    @classmethod
    def of(
        cls, values: FloatArray, bounds: Bounds, quantiles: FloatArray, c: float
    ) -> JointProblem:
        """From ascending values (n,) inside bounds and ascending distinct quantiles (m,)."""
        jumps = np.flatnonzero(values[1:] != values[:-1]) + 1  # records below a new value
        distinct = values[np.append(0, jumps)] if values.size else values
        up_to = np.append(jumps, values.size) if values.size else jumps
        return cls.of_steps(distinct, up_to, bounds, quantiles, c)

    @classmethod
    def of_steps(
        cls, distinct: FloatArray, up_to: IntArray, bounds: Bounds, quantiles: FloatArray, c: float
    ) -> JointProblem:
        """From ascending distinct values (d,) and the records up to each (d,), however many."""
        edges = np.concatenate(([bounds.low], distinct, [bounds.high]))
        rank, records = np.append(0, up_to), int(up_to[-1]) if up_to.size else 0
        width = np.diff(edges)
        wide = width > 0  # values on a bound leave an end interval without width
        return cls(
            low=edges[:-1][wide],
            width=width[wide],
            rank=rank[wide].astype(np.float64),
            gaps=records * np.diff(quantiles, prepend=0.0, append=1.0),
            targets=records * quantiles,
            c=c,
            span=bounds.width,
        )

    @property
    def m(self) -> int:
        """Number of quantiles."""
        return int(self.targets.size)


@confidential()
@dataclass(frozen=True, eq=False)
class Windows:
    """Quantile j needs intervals first[j]..stop[j]−1 only. Shapes: (m,), both ascending."""

    first: IntArray
    stop: IntArray

    @classmethod
    def certified(cls, problem: JointProblem) -> Windows:
        """The windows outside of which all tuples together weigh below 2^-60 of the mass."""
        return cls.within(problem, certified_radius(problem))

    @classmethod
    def within(cls, problem: JointProblem, radius: float) -> Windows:
        """All intervals of the problem whose rank lies within a radius of the target."""
        return cls(
            np.searchsorted(problem.rank, problem.targets - radius, side="left").astype(np.int64),
            np.searchsorted(problem.rank, problem.targets + radius, side="right").astype(np.int64),
        )

    @classmethod
    def everything(cls, problem: JointProblem) -> Windows:
        """No truncation: every quantile may lie in every interval."""
        m, count = problem.m, problem.rank.size
        return cls(np.zeros(m, dtype=np.int64), np.full(m, count, dtype=np.int64))

    @property
    def size(self) -> int:
        """Entries of one table over all windows."""
        return int((self.stop - self.first).sum())

    @property
    def start(self) -> IntArray:
        """Where each quantile's window begins (m,) when all are laid one behind the other."""
        lengths = self.stop - self.first
        return np.asarray(np.cumsum(lengths) - lengths)

    def oldest(self) -> IntArray:
        """The first quantile (m,) whose run can reach each: a run lies in all its windows."""
        return np.searchsorted(self.stop, self.first, side="right").astype(np.int64)


def certified_radius(problem: JointProblem) -> float:
    """R = (60 ln 2 + ln((b−a)^m / m!) − ln Z_low) / (2c), in ranks.

    It holds for the whole column, whichever intervals the problem has: fewer only lower ln Z_low.
    """
    log_volume = problem.m * math.log(problem.span) - math.lgamma(problem.m + 1)
    return (CUT + log_volume - log_mass_at_least(problem)) / (2 * problem.c)


def certified_radii(problem: JointProblem, width: FloatArray) -> FloatArray:
    """certified_radius of columns with interval widths (b, N) in place of the problem's own.

    Infinite where an interval has no width or a target no interval in its cell.
    """
    cells = _Cells.of(problem)
    if cells.filled.size < problem.m or not width.size:
        return np.full(width.shape[0], np.inf)
    log_volume = problem.m * math.log(problem.span) - math.lgamma(problem.m + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = cells.log_sums(problem, width).sum(axis=1)
    mass[~(width > 0).all(axis=1)] = -np.inf
    return np.asarray((CUT + log_volume - mass) / (2 * problem.c))


@confidential()
@dataclass(frozen=True, eq=False)
class _Cells:
    """The intervals nearer by rank to one target than to any other: of which cell each is.

    Shapes: edges (m + 1,), where each cell begins, and N; filled, the cells that hold any.
    """

    edges: IntArray
    filled: IntArray

    @classmethod
    def of(cls, problem: JointProblem) -> _Cells:
        rank, targets = problem.rank, problem.targets
        middles = (targets[1:] + targets[:-1]) / 2
        edges = np.concatenate(([0], np.searchsorted(rank, middles), [rank.size]))
        return cls(edges, np.flatnonzero(np.diff(edges)))

    @property
    def cell(self) -> IntArray:
        """The cell of each interval."""
        return np.repeat(np.arange(self.edges.size - 1), np.diff(self.edges))

    def log_sums(self, problem: JointProblem, width: FloatArray) -> FloatArray:
        """Ln of each filled cell's sum of w e^{−2c|k − T|}, for widths (b, N): (b, filled)."""
        starts, sizes = self.edges[self.filled], np.diff(self.edges)[self.filled]
        weight = np.log(width)
        weight -= 2 * problem.c * np.abs(problem.rank - problem.targets[self.cell])
        top = np.maximum.reduceat(weight, starts, axis=1)
        weight -= np.repeat(top, sizes, axis=1)
        np.exp(weight, out=weight)
        return np.asarray(top + np.log(np.add.reduceat(weight, starts, axis=1)))


def log_mass_at_least(problem: JointProblem) -> float:
    """A lower bound of ln Z: the mass of tuples that keep each quantile in its own cell of ranks.

    Cells end midway between neighbouring targets, and |d_j − t_j| is at most the sum of both
    ends' distances from their targets, so the cells' sums of w e^{−2c|k − T|} multiply. With
    heavy ties a cell may hold no interval: its quantile goes to the interval nearest by rank, a
    target in whose cell that interval lies goes to its own nearest one, alone, and r targets in
    one interval count w^r/r!. Cells of neither kind keep their sums.
    """
    rank, targets, cells = problem.rank, problem.targets, _Cells.of(problem)
    edges, cell = cells.edges, cells.cell
    sums = np.full(problem.m, -np.inf)
    sums[cells.filled] = cells.log_sums(problem, problem.width[None])[0]
    empty = np.diff(edges) == 0
    if not empty.any():
        return float(sums.sum())
    nearest = _nearest(rank, targets, np.zeros(problem.m, int), np.full(problem.m, rank.size))
    alone = empty.copy()
    alone[cell[nearest[empty]]] = True
    inside = alone & ~empty
    nearest[inside] = _nearest(rank, targets[inside], edges[:-1][inside], edges[1:][inside])
    used, times = np.unique(nearest[alone], return_counts=True)
    crowd = times * np.log(problem.width[used]) - np.array([math.lgamma(r + 1) for r in times])
    away = 2 * problem.c * np.abs(rank[nearest[alone]] - targets[alone]).sum()
    return float(sums[~alone].sum() + crowd.sum() - away)


def _nearest(rank: FloatArray, target: FloatArray, first: IntArray, stop: IntArray) -> IntArray:
    """The interval nearest by rank to each target among first..stop−1."""
    above = np.clip(np.searchsorted(rank, target), first, stop - 1)
    below = np.maximum(above - 1, first)
    return np.where(target - rank[below] <= rank[above] - target, below, above).astype(np.int64)
