"""JointExp's draw when its tables are made a block at a time: once forwards, once backwards.

Forwards, only what each block needs of its past is kept. Backwards, a block's tables are made
anew, and each draw that has come down to it either places its next quantile there, and goes on, or
is left to the blocks before: with the chances that the whole tables would give.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.blocks import (
    Block,
    Past,
    block_length,
    filled,
    past_of,
)
from dpviz.mechanisms.quantiles.joint_exp.forward import log_sum
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
