"""JointExp's draw when its tables are made a block at a time: once forwards, once backwards.

Forwards, only what each block needs of its past is kept. Backwards, a block's tables are made
anew, and each draw that has come down to it either places its next quantile there, and goes on, or
is left to the blocks before: with the chances that the whole tables would give.

A run of equal intervals stays inside one interval, so all that a block needs of the intervals
before it is, for each quantile, ln f on the ranks within one gap and one sum of everything
further away. The gaps add up to n: with about √m blocks, the memory is O(n √m) and not O(n m).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.forward import kernel_step, log_sum
from dpviz.mechanisms.quantiles.joint_exp.runs import RunSums
from dpviz.mechanisms.quantiles.joint_exp.sampler import ELEMENTS, pick
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows


def sample_intervals_in_blocks(
    problem: JointProblem,
    windows: Windows,
    rng: np.random.Generator,
    runs: int,
    length: int | None = None,
) -> IntArray:
    """The interval of each quantile, shape (runs, m), ascending along each row.

    The law is that of sampler.sample_intervals; the draws of a seed are others.
    """
    return _Descent(problem, windows, rng, runs, length or block_length(problem)).intervals()


@confidential()
class _Descent:
    """Independent draws on their way from the last quantile and block to the first."""

    def __init__(
        self,
        problem: JointProblem,
        windows: Windows,
        rng: np.random.Generator,
        runs: int,
        length: int,
    ) -> None:
        self.problem, self.windows, self.rng = problem, windows, rng
        count = problem.rank.size
        self.ends = [*range(length, count, length), count]
        self.chosen = np.full((runs, problem.m), count, dtype=np.int64)
        self.above = np.full(runs, count)  # the interval that each draw has last chosen
        self.at = np.full(runs, problem.m - 1)  # the quantile that it has come down to

    def intervals(self) -> IntArray:
        pasts, ending = self._forwards()
        # the block of the last quantile is drawn first: no interval above says where to look
        starts = pick(np.array([ending]), np.zeros(self.at.size, dtype=np.int64), self.rng)
        for number in range(len(self.ends) - 1, -1, -1):
            block = filled(self.problem, self.windows, pasts.pop(), self.ends[number])
            for j in reversed(block.rows):
                self._place(block, j, starts == number)
        # a run is marked at its last quantile only; intervals ascend, so the next mark is the least
        return np.minimum.accumulate(self.chosen[:, ::-1], axis=1)[:, ::-1]

    def _forwards(self) -> tuple[list[Past], list[float]]:
        """The past of every block, and the log-mass of all tuples that end in it."""
        problem, last = self.problem, self.problem.m - 1
        pasts, ending = [Past.none(problem.m)], []
        for end in self.ends:
            block = filled(problem, self.windows, pasts[-1], end)
            mass = -np.inf
            if last in block.rows:
                mass = float(log_sum(self._last(block)[:, None])[0])
            ending.append(mass)
            if end < problem.rank.size:
                pasts.append(past_of(problem, self.windows, block))
        return pasts, ending

    def _last(self, block: Block) -> FloatArray:
        """Ln of f times the kernel to the end of the column, of the last quantile."""
        away = np.abs(self.problem.rank[block.begin : block.end] - self.problem.targets[-1])
        return np.asarray(block.f[-1] - self.problem.c * away)

    def _place(self, block: Block, j: int, started: np.ndarray) -> None:
        """Draw the interval of quantile j, if it lies in this block, and who opened its run."""
        ready = self.at == j
        if j == self.problem.m - 1:
            ready &= started
        here = np.flatnonzero(ready)
        step = max(1, ELEMENTS // (block.end - block.begin + block.past.near[j].size + 1))
        for begin in range(0, here.size, step):
            rows = here[begin : begin + step]
            if j == self.problem.m - 1:
                place = pick(self._last(block)[None], np.zeros(rows.size, np.int64), self.rng)
            else:
                place = self._below(block, j, self.above[rows])
            rows, place = rows[place >= 0], place[place >= 0]
            self.chosen[rows, j] = self.above[rows] = block.begin + place
            self.at[rows] = self._opening(block, j, place) - 1

    def _below(self, block: Block, j: int, above: IntArray) -> IntArray:
        """The place of quantile j in the block, below the interval above; −1 for before it."""
        problem, past = self.problem, block.past
        distinct, row = np.unique(above, return_inverse=True)
        rank = problem.rank[distinct, None]
        gap = problem.gaps[j + 1]
        near = past.near[j] - problem.c * np.abs(rank - past.rank(problem, j) - gap)
        far = past.far[j] - problem.c * (rank - problem.rank[block.begin])
        apart = rank - problem.rank[block.begin : block.end]
        inside = block.f[j - block.rows.start] - problem.c * np.abs(apart - gap)
        inside[apart <= 0] = -np.inf
        before = log_sum(np.concatenate((far, near), axis=1).T)
        return pick(np.concatenate((before[:, None], inside), axis=1), row, self.rng) - 1

    def _opening(self, block: Block, j: int, place: IntArray) -> IntArray:
        """The quantile that opened the run ending with j in the interval at each place."""
        problem, first = self.problem, block.rows.start
        distinct, row = np.unique(place, return_inverse=True)
        opener = np.arange(first, j + 1)
        length = j + 1.0 - opener
        weights = block.g[: opener.size, distinct].T.copy()
        weights += length * np.log(problem.width[block.begin + distinct])[:, None]
        weights -= gammaln(length + 1)
        weights -= problem.c * (problem.targets[j] - problem.targets[opener])
        return first + pick(weights, row, self.rng)


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
