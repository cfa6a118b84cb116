"""JointExp's tables a block of intervals at a time, for columns whose whole tables are too large.

A run of equal intervals stays inside one interval, so all that a block needs of the intervals
before it is, for each quantile, ln f on the ranks within one gap and one sum of everything
further away. The gaps add up to n: with about √m blocks, the memory is O(n √m) and not O(n m).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.forward import kernel_step, log_sum
from dpviz.mechanisms.quantiles.joint_exp.runs import RunSums
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows


@confidential()
@dataclass(frozen=True, eq=False)
class Past:
    """What a block that begins at one interval needs of all intervals before it.

    near[j] is ln f_j on its last intervals, from since[j] on: all within ⌊gap j+1⌋ ranks of the
    block. far[j] is the log-sum of f_j on all earlier ones, times the kernel into the block's
    first interval. Shapes: near, m arrays; since, far (m,).
    """

    begin: int
    near: tuple[FloatArray, ...]
    since: IntArray
    far: FloatArray

    @classmethod
    def none(cls, m: int) -> Past:
        """Nothing: the past of the first block."""
        return cls(0, (np.empty(0),) * m, np.zeros(m, dtype=np.int64), np.full(m, -np.inf))

    def rank(self, problem: JointProblem, j: int) -> FloatArray:
        """The ranks of near[j]."""
        return problem.rank[self.since[j] : self.since[j] + self.near[j].size]


@confidential()
@dataclass(frozen=True, eq=False)
class Block:
    """ln f and ln G on intervals begin..end−1, of the quantiles rows.start..rows.stop−1.

    Shapes: f, g (rows, end − begin), −inf outside the windows.
    """

    past: Past
    end: int
    rows: range
    f: FloatArray
    g: FloatArray

    @property
    def begin(self) -> int:
        """The first interval."""
        return self.past.begin


def block_length(problem: JointProblem) -> int:
    """Intervals a block, so that blocks and pasts need about the same memory."""
    return max(1, math.ceil(problem.rank.size / math.ceil(math.sqrt(3 * problem.m))))


def filled(problem: JointProblem, windows: Windows, past: Past, end: int) -> Block:
    """The tables of the intervals from the past's end to end − 1."""
    begin = past.begin
    inside = Windows(
        np.clip(windows.first, begin, end) - begin, np.clip(windows.stop, begin, end) - begin
    )
    rows = range(
        int(np.searchsorted(windows.stop, begin, side="right")),
        int(np.searchsorted(windows.first, end, side="left")),
    )
    part = replace(problem, width=problem.width[begin:end], rank=problem.rank[begin:end])
    f = np.full((len(rows), end - begin), -np.inf)
    g = f.copy()
    if not rows:
        return Block(past, end, rows, f, g)
    runs = RunSums(part, inside, first=rows.start)
    for row, j in enumerate(rows):
        here = slice(int(inside.first[j]), int(inside.stop[j]))
        left = slice(int(inside.first[j - 1]), int(inside.stop[j - 1])) if row else slice(0)
        rank = part.rank[here]
        if j == 0:
            entering = -problem.c * np.abs(rank - problem.gaps[0])
        else:
            entering = _entering(problem, past, j, rank, part.rank[left], f[row - 1, left])
        g[row, here] = entering
        f[row, here] = runs.step(j, entering)
    return Block(past, end, rows, f, g)


def _entering(
    problem: JointProblem, past: Past, j: int, here: FloatArray, rank: FloatArray, f: FloatArray
) -> FloatArray:
    """Ln G_j at ranks here, from quantile j − 1 in the past and in this block: its ranks, ln f."""
    before = np.concatenate((past.rank(problem, j - 1), rank))
    weights = np.concatenate((past.near[j - 1], f))
    entering = np.full(here.size, -np.inf)
    if before.size:
        entering = kernel_step(weights, before, here, float(problem.gaps[j]), problem.c)
    away = here - problem.rank[past.begin]
    return np.asarray(np.logaddexp(entering, past.far[j - 1] - problem.c * away))


def past_of(problem: JointProblem, windows: Windows, block: Block) -> Past:
    """What the next block needs of this one and of all before."""
    m, old = problem.m, block.past
    near, since, far = [np.empty(0)] * m, np.zeros(m, dtype=np.int64), np.full(m, -np.inf)
    at = problem.rank[block.end]
    moved = problem.c * (at - problem.rank[block.begin])
    # quantile rows.start − 1 lies before the block, but the next one may still follow it
    for j in range(max(block.rows.start - 1, 0), min(block.rows.stop, m - 1)):
        first = int(np.clip(windows.first[j], block.begin, block.end))
        begin = int(old.since[j]) if old.near[j].size else first
        weights = old.near[j]
        if j in block.rows:
            row = block.f[j - block.rows.start]
            stop = int(min(windows.stop[j], block.end))
            weights = np.concatenate((weights, row[first - block.begin : stop - block.begin]))
        rank = problem.rank[begin : begin + weights.size]
        gap = problem.gaps[j + 1]
        kept = int(np.searchsorted(rank, at - np.floor(gap)))
        lost = weights[:kept] - problem.c * (at - gap - rank[:kept])
        far[j] = np.logaddexp(old.far[j] - moved, log_sum(lost[:, None])[0] if kept else -np.inf)
        near[j], since[j] = weights[kept:].copy(), begin + kept
    return Past(block.end, tuple(near), since, far)
