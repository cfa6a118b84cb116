"""Runs of equal intervals in JointExp: r quantiles in one interval of width w have volume w^r/r!.

ln f_j(i) sums over the quantile s that opened the run ending with j. A run's weight against that
of any shorter one only falls as j grows, by 1/r!, so a run that is negligible beside a shorter
one stays so and is dropped for good. The check is made on the weights themselves.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows

CHUNK = 1024  # intervals that share one list of live runs; a table of them stays in the cache
END_CHUNKS = (8, 72)  # the widest intervals lie at the ends: they must not keep others' runs alive
PERIOD = 4  # quantiles between two looks at which runs are negligible


@confidential()
class RunSums:
    """ln f_j from the ln G of all quantiles up to j, asked for in ascending order.

    Row s of the table holds G_s(i) − s ln w_i + c (T_s − k_i), which does not depend on j, so each
    step only subtracts ln r! by row and sums. The table covers a stretch of quantiles and
    intervals twice as long as the windows need, and is moved on when they leave it.
    first is the first quantile that is asked for.
    cut is how far below the largest term (in logs) a run is dropped; infinity drops none.
    """

    def __init__(
        self, problem: JointProblem, windows: Windows, cut: float | None = None, first: int = 0
    ) -> None:
        self.problem, self.windows = problem, windows
        # m rows, m steps and m runs a tuple: together they lose at most 2^-60 of the mass
        self.cut = CUT + 2 * math.log(problem.m) if cut is None else cut
        self.oldest = windows.oldest()
        alive = np.arange(problem.m) - self.oldest + 1
        low, high = int(windows.first[0]), int(windows.stop[-1])
        length = int((windows.stop - windows.first).max())
        self.shape = (min(problem.m, 2 * int(alive.max())), min(high - low, 2 * length))
        self.row, self.column = first, low
        self.table = np.full(self.shape, -np.inf)
        self.log_factorial = gammaln(np.arange(problem.m, -1, -1) + 1.0)  # of m, m−1, …, 0
        self.edges = _chunk_edges(problem.rank.size)
        self.live_from = np.zeros(self.edges.size - 1, dtype=np.int64)

    def step(self, j: int, entering: FloatArray) -> FloatArray:
        """Add ln G_j on its window, return ln f_j there."""
        first, stop = int(self.windows.first[j]), int(self.windows.stop[j])
        self._make_room(j)
        log_width = np.log(self.problem.width[first:stop])
        ahead = self.problem.c * (self.problem.targets[j] - self.problem.rank[first:stop])
        row = self.table[j - self.row]
        row[first - self.column : stop - self.column] = entering - j * log_width + ahead
        sums = np.asarray((j + 1) * log_width - ahead)
        for chunk, begin, end in self._chunks(first, stop):
            sums[begin - first : end - first] += self._sum(j, chunk, begin, end)
        return sums

    def _sum(self, j: int, chunk: int, begin: int, end: int) -> FloatArray:
        """Log-sum Σ_s exp(row s − ln r!) over the live runs of one chunk."""
        since = max(int(self.oldest[j]), int(self.live_from[chunk]))
        rows = slice(since - self.row, j - self.row + 1)
        m = self.problem.m
        log_factorial = self.log_factorial[m - 1 - (j - since) : m, None]
        terms = self.table[rows, begin - self.column : end - self.column] - log_factorial
        top = terms.max(axis=0)
        terms -= top
        if j % PERIOD == 0:
            self.live_from[chunk] = since + int(np.argmax(terms.max(axis=1) >= -self.cut))
        np.exp(terms, out=terms)
        return np.asarray(np.log(terms.sum(axis=0)) + top)

    def _chunks(self, first: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Number and interval range of each chunk that meets first..stop−1."""
        chunk = int(np.searchsorted(self.edges, first, side="right")) - 1
        while first < stop:
            end = min(stop, int(self.edges[chunk + 1]))
            yield chunk, first, end
            first, chunk = end, chunk + 1

    def _make_room(self, j: int) -> None:
        rows, columns = self.shape
        if j - self.row < rows and self.windows.stop[j] - self.column <= columns:
            return
        oldest, first = int(self.oldest[j]), int(self.windows.first[j])
        kept = self.table[oldest - self.row : j - self.row, first - self.column :]
        moved = np.full(self.shape, -np.inf)
        moved[: kept.shape[0], : kept.shape[1]] = kept
        self.table, self.row, self.column = moved, oldest, first


def _chunk_edges(count: int) -> IntArray:
    """Chunk borders 0..count, with small chunks at both ends."""
    ends = np.array(END_CHUNKS)
    inner = np.arange(ends[-1] + CHUNK, count - ends[-1], CHUNK)
    edges = np.concatenate(([0], ends, inner, count - ends, [count]))
    return np.unique(np.clip(edges, 0, count)).astype(np.int64)
