"""JointExp's log-weight tables from plain sums of scaled weights, where those keep all digits.

With T_j the target of quantile j and u = k − T_j, no weight of row j is above about e^{−c|u|}: the
counts before and after an interval must make up for its distance. Tilted by e^{c|u|}, the weights
of a row lie close together, and from u' in row j − 1 to u in row j only e^{−c(|u'| + |u − u'| −
|u|)} is left: below u and above u it is one factor at u' times one at u. Running sums do the rest.

Nothing may be lost that logarithms keep. All that is summed is checked to be normal numbers, far
from underflow; sums of positive ones keep their digits. What fails is left to forward.forward.

Runs of equal intervals, as runs.py has them, are in plain numbers here. From one quantile to the
next, the volume w^r/r! of a run gains a factor of its interval, the same for all runs there, and
1/r. Factors are gathered beside the table and worked into it now and then. What underflows is
beyond 2^-140 of its place, now and later: a place has at least 2^-540 when it is checked
(SMALLEST), what is lost had less than 2^-880, and a shorter run gains on a longer one by the
factorials alone: a ratio of binomial coefficients, below 2^MOST.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.forward import Tables, final_gap, forward, log_sum
from dpviz.mechanisms.quantiles.joint_exp.window import CUT, JointProblem, Windows

TOP = 320  # bits: every row is scaled so that its largest weight lies in 2^319..2^320
LIFT = 680 * math.log(2)  # the largest factor of a tilt is 2^680, which leaves the others more room
STEEPEST = 1170.0  # 2c|u|: beyond it, the least factor would not be a normal number
SMALLEST = TOP - 60, TOP - 800, -1000, -1000  # bits: the largest weight of a row before it is
# scaled, the least of a scaled row (said above), and of both its products with the
# tilt, which are normal numbers then and have all their digits
LEAST = np.ldexp(1.0, SMALLEST)[:, None, None]
PERIOD = 8  # rows at most made between two looks at the check
ENTRIES = 1 << 14  # and of them, beyond the first row
MOST = 200  # quantiles
FACTOR = 2.0**130  # gathered factors stay between 1/FACTOR and FACTOR
END_CHUNK = 8  # the widest intervals lie at the ends: they must not keep others' runs alive


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


def shifted(rows: FloatArray, by: int, length: int, *, hold: bool = False) -> FloatArray:
    """rows[:, i + by] for i < length, 0 outside; with hold, the last entry beyond the end.

    May be a view.
    """
    first, stop = max(0, -by), min(length, rows.shape[1] - by)
    if first == 0 and stop == length:
        return rows[:, by : by + length]
    moved = np.zeros((rows.shape[0], length))
    if first < stop:
        moved[:, first:stop] = rows[:, first + by : stop + by]
    if hold:
        moved[:, max(stop, 0) :] = rows[:, -1:]
    return moved


def sums_before(rows: FloatArray, by: int, sums: FloatArray) -> None:
    """Write Σ of rows[:, p] over p < i + by to sums[:, i], for each i; nothing is 0."""
    length, begin = sums.shape[1], 1 - by  # sums[:, begin] is rows[:, 0] alone
    if begin < 0:
        opening = np.zeros((rows.shape[0], rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=opening[:, 1:])
        sums[:] = shifted(opening, by, length, hold=True)
        return
    stop = min(length, begin + rows.shape[1])
    sums[:, :begin] = 0.0
    if begin < stop:
        np.cumsum(rows[:, : stop - begin], axis=1, out=sums[:, begin:stop])
        sums[:, stop:] = sums[:, stop - 1 : stop]


def window_sums(rows: FloatArray, size: int, by: int, length: int) -> FloatArray:
    """Σ of rows[:, p : p + size] at p = i + by for i < length, entries outside being 0; size ≥ 1.

    Sums of 1, 2, 4, … entries by doubling; a window as long as the row is one end of it or all.
    """
    if size >= rows.shape[1]:
        return _sums_of_ends(rows, size, by, length)
    power, span = shifted(rows, by, length + size - 1), 1  # power[:, i]: the sum of span entries
    sums, summed = None, 0
    while True:
        if size & span:
            part = power[:, summed : summed + length]
            sums = part if sums is None else sums + part
            summed += span
        if sums is not None and 2 * span > size:
            return sums
        power = power[:, :-span] + power[:, span:]
        span *= 2


def _sums_of_ends(rows: FloatArray, size: int, by: int, length: int) -> FloatArray:
    opening = np.zeros((rows.shape[0], rows.shape[1] + 1))
    np.cumsum(rows, axis=1, out=opening[:, 1:])
    closing = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    sums = shifted(closing, by, length).copy()
    before = min(length, max(0, -by))  # windows that begin before the row
    sums[:, :before] = shifted(opening, by + size, before, hold=True)
    return sums


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
