"""Runs of equal intervals, as runs.py has them, in plain numbers for scaled.py.

From one quantile to the next, the volume w^r/r! of a run gains a factor of its interval, the same
for all runs there, and 1/r. Factors are gathered beside the table and worked into it now and then.

What underflows is beyond 2^-140 of its place, now and later: a place has at least 2^-540 when it
is checked (SMALLEST of scaled.py), what is lost had less than 2^-880, and a shorter run gains on a
longer one by the factorials alone: a ratio of binomial coefficients, below 2^MOST.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows

MOST = 200  # quantiles
FACTOR = 2.0**130  # gathered factors stay between 1/FACTOR and FACTOR
END_CHUNK = 8  # the widest intervals lie at the ends: they must not keep others' runs alive


@confidential()
class ScaledRuns:
    """The scaled rows f_j of b columns from the rows G_j, asked for in ascending order.

    width (b, N), at most 1. table[:, s] times factor times the change of 1/r! is the weight of the
    run that opened with s; the table covers the stretch that runs.RunSums covers. scale (b, 1) is
    what all weights were multiplied by after the last row. edges cut the intervals in chunks, and
    live_from is the oldest run of each that is not negligible beside a shorter one.
    """

    def __init__(self, problem: JointProblem, windows: Windows, width: FloatArray) -> None:
        self.problem, self.windows, self.width = problem, windows, width
        self.oldest = windows.oldest()
        alive = int((np.arange(problem.m) - self.oldest).max()) + 1
        low, high = int(windows.first[0]), int(windows.stop[-1])
        length = int((windows.stop - windows.first).max())
        self.alone = alive == 1  # no run is longer than one quantile
        rows, columns = min(problem.m, 2 * alive), min(high - low, 2 * length)
        self.shape = (width.shape[0], 0 if self.alone else rows, 0 if self.alone else columns)
        self.table, self.factor = np.zeros(self.shape), np.ones((self.shape[0], self.shape[2]))
        self.row, self.column = 0, low
        self.log_factorial = gammaln(np.arange(problem.m + 1) + 1.0)
        self.counted = np.zeros(problem.m)  # ln r! that a row of the table holds already
        self.scale = np.ones((width.shape[0], 1))
        count = problem.rank.size
        self.edges = sorted({0, min(END_CHUNK, count), max(count - END_CHUNK, 0), count})
        self.live_from = [0] * (len(self.edges) - 1)
        self.met, self.chunks = (0, 0), list[tuple[int, int, int]]()
        self.least = math.exp(-CUT) / problem.m**2  # as RunSums.cut

    def step(self, j: int, entering: FloatArray, away: FloatArray) -> FloatArray:
        """Add row G_j on its window, at u = away; return row f_j there."""
        first, stop = int(self.windows.first[j]), int(self.windows.stop[j])
        width = self.width[:, first:stop]
        if self.alone:
            return np.asarray(entering * width)
        self._make_room(j)
        here = slice(first - self.column, stop - self.column)
        factor = self.factor[:, here]  # a view
        self._gather(factor, width, away, float(self.problem.gaps[j]))
        if np.maximum.reduce(factor, axis=None) > FACTOR or (
            np.minimum.reduce(factor, axis=None) < 1 / FACTOR
        ):
            self._work_in(j)
        opening = self.table[:, j - self.row, here]
        np.multiply(entering, width, out=opening)
        opening /= factor
        row = np.empty_like(entering)
        shares = self._shares(j, j + 1)
        oldest = int(self.oldest[j])
        for chunk, begin, end in self._chunks(first, stop):
            since = max(oldest, self.live_from[chunk])
            runs = self.table[
                :, since - self.row : j + 1 - self.row, begin - self.column : end - self.column
            ]
            np.matmul(shares[since - j - 1 :], runs, out=row[:, begin - first : end - first])
        row *= factor
        return row

    def _gather(self, factor: FloatArray, width: FloatArray, away: FloatArray, gap: float) -> None:
        """Multiply the factors of one more quantile into those gathered so far."""
        factor *= width * self.scale
        # what a place's tilt changes from T_{j−1} to T_j, and the gap that the run spends there:
        # e^{−2c·min(max(u + gap, 0), gap)}
        begin, end = np.searchsorted(away, (-gap, 0.0)).tolist()
        factor[:, begin:end] *= np.exp(-2 * self.problem.c * (away[begin:end] + gap))
        factor[:, end:] *= math.exp(-2 * self.problem.c * gap)

    def _chunks(self, first: int, stop: int) -> list[tuple[int, int, int]]:
        """Number and interval range of each chunk that meets first..stop−1."""
        if (first, stop) != self.met:  # the windows of few records are all the same
            self.met = first, stop
            self.chunks = [
                (chunk, max(begin, first), min(end, stop))
                for chunk, (begin, end) in enumerate(itertools.pairwise(self.edges))
                if begin < stop and end > first
            ]
        return self.chunks

    def _shares(self, j: int, stop: int) -> FloatArray:
        """How 1/r! has changed since it was worked in, for the runs to j opened before stop."""
        since = int(self.oldest[j])
        log_factorial = self.log_factorial[j + 2 - stop : j + 2 - since][::-1]
        return np.asarray(np.exp(self.counted[since:stop] - log_factorial))

    def _work_in(self, j: int) -> None:
        """Multiply the factors into the rows before j, and drop what is negligible."""
        first, stop, oldest = (
            int(self.windows.first[j]),
            int(self.windows.stop[j]),
            int(self.oldest[j]),
        )
        shares = self._shares(j, j)
        for chunk, begin, end in self._chunks(first, stop):
            since = max(oldest, self.live_from[chunk])
            here = slice(begin - self.column, end - self.column)
            runs = self.table[:, since - self.row : j - self.row, here]  # a view
            if not runs.shape[1]:
                continue
            runs *= shares[since - j :, None]
            runs *= self.factor[:, None, here]
            least = self.least * np.maximum.reduce(runs, axis=1, keepdims=True)
            live = np.logical_or.reduce(runs >= least, axis=(0, 2))
            self.live_from[chunk] = since + int(live.argmax())
        self.counted[oldest:j] = self.log_factorial[2 : j + 2 - oldest][::-1]
        self.factor[:] = 1.0

    def _make_room(self, j: int) -> None:
        columns, rows, length = self.shape
        if j - self.row < rows and self.windows.stop[j] - self.column <= length:
            return
        oldest, first = int(self.oldest[j]), int(self.windows.first[j])
        kept = self.table[:, oldest - self.row : j - self.row, first - self.column :]
        moved, factor = np.zeros(self.shape), np.ones((columns, length))
        moved[:, : kept.shape[1], : kept.shape[2]] = kept
        factor[:, : kept.shape[2]] = self.factor[:, first - self.column :]
        self.table, self.factor, self.row, self.column = moved, factor, oldest, first
