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
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables, final_gap, forward, log_sum
from dpviz.mechanisms.quantiles.joint_exp.scaled_runs import MOST, ScaledRuns
from dpviz.mechanisms.quantiles.joint_exp.sums import sums_before, window_sums
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows

TOP = 320  # bits: every row is scaled so that its largest weight lies in 2^319..2^320
LIFT = 680 * math.log(2)  # the largest factor of a tilt is 2^680, which leaves the others more room
STEEPEST = 1170.0  # 2c|u|: beyond it, the least factor would not be a normal number
SMALLEST = TOP - 60, TOP - 800, -1000, -1000  # bits: the largest weight of a row before it is
# scaled, the least of a scaled row (scaled_runs.py says why), and of both its products with the
# tilt, which are normal numbers then and have all their digits
LEAST = np.ldexp(1.0, SMALLEST)[:, None, None]
PERIOD = 8  # rows at most made between two looks at the check
ENTRIES = 1 << 14  # and of them, beyond the first row


@confidential()
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
    if not fits(problem, windows):
        return None
    with np.errstate(all="ignore"):  # what overflows is not sound
        return _Pass(problem, windows, width).tables()


def fits(problem: JointProblem, windows: Windows) -> bool:
    """Whether no window has ties, and no number is out of range by the tilt alone."""
    if problem.m > MOST or (windows.stop <= windows.first).any():
        return False
    low, high = problem.rank[windows.first], problem.rank[windows.stop - 1]
    steepest = np.maximum(problem.targets - low, high - problem.targets).max()
    consecutive = (high - low == windows.stop - windows.first - 1).all()
    return bool(consecutive and 2 * problem.c * steepest <= STEEPEST)


@confidential()
class _Pass:
    """The scaled rows in ascending order, each a product with its row of the kernel.

    f, g (b, Σ window lengths) hold rows as they are until their logarithms are taken, a few rows
    at a time; log_scale (b, m) is what the logarithm of a row f_j lacks beside the tilt. tilted
    (2, b, window) holds both products of the last row with its tilt.
    """

    def __init__(self, problem: JointProblem, windows: Windows, width: FloatArray) -> None:
        self.problem, self.windows = problem, windows
        largest = width.max(axis=1)
        columns = largest.size
        self.runs = ScaledRuns(problem, windows, width / largest[:, None])
        self.log_largest = np.log(largest)
        self.log_scale = np.empty((columns, problem.m))
        self.log_entered = np.full((columns, 1), -TOP * math.log(2))  # log_scale of the last row
        self.bits = np.full(columns, -TOP)  # of all scalings so far
        self.seen = np.empty((4, columns, problem.m))  # least numbers, one kind a row of LEAST
        self.f, self.g = np.empty((2, columns, windows.size))
        self.tilted = np.empty((2, columns, 0))

    def tables(self) -> ScaledTables | None:
        """The logarithms of all rows, or None once no column is sound."""
        m, longest = self.problem.m, int((self.windows.stop - self.windows.first).max())
        period = min(PERIOD, max(1, ENTRIES // longest))
        for first in range(0, m, period):
            stop = min(first + period, m)
            self._pass_on(range(first, stop))
            if not self._sound(stop).any():
                return None
        return ScaledTables(self.f, self.g, self._sound(m))

    def _pass_on(self, quantiles: range) -> None:
        """Make the next few rows, then take their logarithms: few calls for short rows."""
        problem, windows = self.problem, self.windows
        stretches = [slice(int(windows.first[j]), int(windows.stop[j])) for j in quantiles]
        aways = [
            problem.rank[stretch] - problem.targets[j]
            for j, stretch in zip(quantiles, stretches, strict=True)
        ]
        distance = problem.c * np.abs(np.concatenate(aways))
        tilt = _tilt(np.concatenate(aways), distance)
        start = int(windows.start[quantiles.start])
        f, g = (rows[:, start : start + distance.size] for rows in (self.f, self.g))
        begin = 0
        for j, away in zip(quantiles, aways, strict=True):
            here = slice(begin, begin + away.size)
            self._enter(j, tilt[:, here], g[:, here])
            self._end(j, self.runs.step(j, g[:, here], away), tilt[:, here], f[:, here])
            begin = here.stop
        scale = np.concatenate((self.log_entered, self.log_scale[:, list(quantiles)]), axis=1)
        self.log_entered = scale[:, -1:]
        lengths = [away.size for away in aways]
        for rows, scales in ((g, scale[:, :-1]), (f, scale[:, 1:])):
            each = scales if len(lengths) == 1 else np.repeat(scales, lengths, axis=1)
            np.log(rows, out=rows)
            np.subtract(rows, distance - each, out=rows)

    def _enter(self, j: int, tilt: FloatArray, entering: FloatArray) -> None:
        """Write scaled G_j from the row before: intervals beyond the gap below, and within it."""
        if j == 0:
            entering[:] = 2.0**TOP
            return
        first, rank = self.windows.first, self.problem.rank
        within = math.floor(self.problem.gaps[j])  # k − k' of the last that is not beyond
        moved = int(rank[first[j]] - rank[first[j - 1]]) - within
        fallen, risen = self.tilted
        sums_before(fallen, moved, entering)
        entering /= tilt[0]
        if within:
            entering += window_sums(risen, within, moved, entering.shape[1]) / tilt[1]

    def _end(self, j: int, row: FloatArray, tilt: FloatArray, scaled: FloatArray) -> None:
        """Write row f_j in its scale, and note what its check reads."""
        top = np.maximum.reduce(row, axis=1)
        grown = np.frexp(top)[1] - TOP
        self.bits += grown
        self.log_scale[:, j] = (j + 1) * self.log_largest + self.bits * math.log(2)
        self.runs.scale = np.ldexp(1.0, -grown)[:, None]
        np.multiply(row, self.runs.scale, out=scaled)
        self.tilted = scaled * tilt[:, None]
        self.seen[0, :, j] = top
        np.minimum.reduce(scaled, axis=1, out=self.seen[1, :, j])
        np.minimum.reduce(self.tilted, axis=2, out=self.seen[2:, :, j])

    def _sound(self, stop: int) -> BoolArray:
        """The columns (b,) whose rows before stop hold finite numbers alone, and no small ones."""
        seen = self.seen[:, :, :stop]
        return np.asarray(((seen >= LEAST) & (seen < np.inf)).all(axis=(0, 2)))


def _tilt(away: FloatArray, distance: FloatArray) -> FloatArray:
    """e^{2c·min(u, 0)} and e^{−2c·max(u, 0)}, lifted, at u = away (w,): (2, w)."""
    lowered, below = np.exp(LIFT - 2 * distance), away < 0
    tilt = np.full((2, away.size), math.exp(LIFT))
    np.copyto(tilt[0], lowered, where=below)
    np.copyto(tilt[1], lowered, where=~below)
    return tilt
