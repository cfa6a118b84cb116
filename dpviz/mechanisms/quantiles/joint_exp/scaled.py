"""JointExp's log-weight tables from plain sums of scaled weights, where those keep all digits.

With T_j the target of quantile j and u = k − T_j, no weight of row j is above about e^{−c|u|}: the
counts before and after an interval must make up for its distance. Tilted by e^{c|u|}, the weights
of a row lie close together, and from u' in row j − 1 to u in row j only e^{−c(|u'| + |u − u'| −
|u|)} is left: below u and above u it is one factor at u' times one at u. Running sums do the rest.

Nothing may be lost that logarithms keep. All that is summed is checked to be normal numbers, far
from underflow; sums of positive ones keep their digits. What fails is left to forward.forward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables, final_gap, forward, log_sum
from dpviz.mechanisms.quantiles.joint_exp.scaled_runs import MOST, ScaledRuns
from dpviz.mechanisms.quantiles.joint_exp.sums import shifted, window_sums
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows

TOP = 320  # bits: every row is scaled so that its largest weight lies in 2^319..2^320
LIFT = 680 * math.log(2)  # the largest factor of a tilt is 2^680, which leaves the others more room
STEEPEST = 1170.0  # 2c|u|: beyond it, the least factor would not be a normal number
SMALLEST = TOP - 60, TOP - 800, -1000, -1000  # bits: the largest weight of a row before it is
# scaled, the least of a scaled row (scaled_runs.py says why), and of both its products with the
# tilt, which are normal numbers then and have all their digits
LEAST = np.ldexp(1.0, SMALLEST)[:, None, None]
PERIOD = 8  # quantiles between two looks at the check


@dataclass(frozen=True, eq=False)
class ScaledTables:
    """ln f and ln G of several columns whose intervals have the same ranks.

    Shapes: f, g (b, Σ window lengths), laid out as in Tables; sound (b,): whether a column passed
    the check. The numbers of a column that did not are to be thrown away.
    """

    f: FloatArray
    g: FloatArray
    sound: BoolArray


def tables_of(problem: JointProblem, windows: Windows) -> Tables:
    """All tables: from plain sums where these keep all digits, otherwise in logarithms."""
    scaled = scaled_tables(problem, windows, problem.width[None])
    if scaled is None or not scaled.sound[0]:
        return forward(problem, windows)
    last = int(windows.stop[-1] - windows.first[-1])
    ending = scaled.f[0, -last:] + final_gap(problem, windows)
    mass = float(log_sum(ending[:, None])[0])
    return Tables(problem, windows, windows.start, scaled.f[0], scaled.g[0], mass)


def scaled_tables(
    problem: JointProblem, windows: Windows, width: FloatArray
) -> ScaledTables | None:
    """The tables of columns with interval widths (b, N) > 0 in place of the problem's own.

    Those of forward, up to rounding and the runs that both leave out. None if ranks are tied or
    the tilt is too steep for plain numbers, and as soon as no column is sound.
    """
    if not _fits(problem, windows):
        return None
    with np.errstate(all="ignore"):  # what overflows is not sound
        return _Pass(problem, windows, width).tables()


def _fits(problem: JointProblem, windows: Windows) -> bool:
    """No ties inside a window, and no number out of range by the tilt alone."""
    if problem.m > MOST or (windows.stop <= windows.first).any():
        return False
    low, high = problem.rank[windows.first], problem.rank[windows.stop - 1]
    steepest = np.maximum(problem.targets - low, high - problem.targets).max()
    consecutive = (high - low == windows.stop - windows.first - 1).all()
    return bool(consecutive and 2 * problem.c * steepest <= STEEPEST)


class _Pass:
    """The scaled rows in ascending order, each a product with its row of the kernel.

    row is that of the last quantile; log_scale (b,) what its logarithm lacks beside the tilt.
    """

    def __init__(self, problem: JointProblem, windows: Windows, width: FloatArray) -> None:
        self.problem, self.windows = problem, windows
        largest = width.max(axis=1)
        self.runs = ScaledRuns(problem, windows, width / largest[:, None])
        self.log_largest = np.log(largest)
        self.log_scale = np.full(largest.size, -TOP * math.log(2))
        self.bits = np.full(largest.size, -TOP)  # of all scalings so far
        self.seen = np.empty((4, largest.size, problem.m))  # least numbers, one kind a row of LEAST
        self.row = self.fallen = self.risen = np.empty((largest.size, 0))

    def tables(self) -> ScaledTables | None:
        """The logarithms of all rows, or None once no column is sound."""
        problem, windows = self.problem, self.windows
        f, g = (np.empty((self.bits.size, windows.size)) for _ in "fg")
        for j, begin in enumerate(windows.start):
            away = problem.rank[windows.first[j] : windows.stop[j]] - problem.targets[j]
            here, distance = slice(int(begin), int(begin) + away.size), problem.c * np.abs(away)
            # e^{2c·min(u, 0)} and e^{−2c·max(u, 0)}
            fall, rise = (np.exp(c * away - distance + LIFT) for c in (problem.c, -problem.c))
            entering = self._entering(j, fall, rise)
            self._keep(entering, g[:, here], distance)
            self._end(j, self.runs.step(j, entering, away), fall, rise)
            self._keep(self.row, f[:, here], distance)
            if j % PERIOD == 0 and not self._sound(j + 1).any():
                return None
        return ScaledTables(f, g, self._sound(problem.m))

    def _keep(self, row: FloatArray, kept: FloatArray, distance: FloatArray) -> None:
        """Write the logarithm of a row without scale and tilt."""
        np.log(row, out=kept)
        kept -= distance - self.log_scale[:, None]

    def _entering(self, j: int, fall: FloatArray, rise: FloatArray) -> FloatArray:
        """Scaled G_j from the row before: intervals beyond the gap below, and those within it."""
        if j == 0:
            return np.full((self.bits.size, fall.size), 2.0**TOP)
        first, rank = self.windows.first, self.problem.rank
        within = math.floor(self.problem.gaps[j])  # k − k' of the last that is not beyond
        moved = int(rank[first[j]] - rank[first[j - 1]]) - within
        beyond = np.zeros((self.row.shape[0], self.row.shape[1] + 1))
        np.cumsum(self.fallen, axis=1, out=beyond[:, 1:])
        entering = shifted(beyond, moved, fall.size, hold=True) / fall
        if within:
            entering += window_sums(self.risen, within, moved, fall.size) / rise
        return np.asarray(entering)

    def _end(self, j: int, row: FloatArray, fall: FloatArray, rise: FloatArray) -> None:
        """Scale row f_j, and note what its check reads."""
        top = row.max(axis=1)
        grown = np.frexp(top)[1] - TOP
        self.bits += grown
        self.log_scale = (j + 1) * self.log_largest + self.bits * math.log(2)
        self.runs.scale = np.ldexp(1.0, -grown)[:, None]
        self.row = row * self.runs.scale
        self.fallen, self.risen = self.row * fall, self.row * rise
        rows = (self.row, self.fallen, self.risen)
        self.seen[:, :, j] = (top, *(kind.min(axis=1) for kind in rows))

    def _sound(self, stop: int) -> BoolArray:
        """The columns (b,) whose rows before stop hold finite numbers alone, and no small ones."""
        seen = self.seen[:, :, :stop]
        return np.asarray(((seen >= LEAST) & (seen < np.inf)).all(axis=(0, 2)))
