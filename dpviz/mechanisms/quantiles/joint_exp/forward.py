"""JointExp's log-weight tables, by a pass over the quantiles in ascending order.

G_j(i): mass of all choices for quantiles before j, times the kernel into interval i, where j opens
a new run of equal intervals. f_j(i): the same with the volume of that interval, when a run ends
with j in i. A run of r quantiles in one interval has volume w^r/r!. Everything stays in
logarithms, and sums are never subtracted: subtracting loses the small terms.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.joint_exp.runs import RunSums
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows


@confidential()
@dataclass(frozen=True, eq=False)
class Tables:
    """ln f and ln G of every quantile on its window, one behind the other.

    Shapes: f, g (Σ window lengths,); start (m,): entry (j, i) is at start[j] + i − first[j].
    log_mass is ln Z, the logarithm of the total mass of all tuples.
    """

    problem: JointProblem
    windows: Windows
    start: IntArray
    f: FloatArray
    g: FloatArray
    log_mass: float

    def f_of(self, j: int) -> FloatArray:
        """The row ln f_j."""
        begin = int(self.start[j])
        return self.f[begin : begin + int(self.windows.stop[j] - self.windows.first[j])]


def forward(problem: JointProblem, windows: Windows, cut: float | None = None) -> Tables:
    """All tables; time O(Σ_j window · (runs alive + a few dozen)), memory O(Σ_j window).

    windows and cut (see RunSums) decide what is left out: at most 2^-60 of the mass each, when
    the windows are certified and cut is None.
    """
    start = windows.start
    f, g = np.empty(windows.size), np.empty(windows.size)
    runs = RunSums(problem, windows, cut)
    ending = before = np.empty(0)
    for j, (first, stop, begin) in enumerate(zip(windows.first, windows.stop, start, strict=True)):
        here, gap = problem.rank[first:stop], float(problem.gaps[j])
        if j == 0:
            entering = -problem.c * np.abs(here - gap)
        else:
            entering = kernel_step(ending, before, here, gap, problem.c)
        ending, before = runs.step(j, entering), here
        g[begin : begin + here.size] = entering
        f[begin : begin + here.size] = ending
    last = ending + final_gap(problem, windows)
    return Tables(problem, windows, start, f, g, float(log_sum(last[:, None])[0]))


def final_gap(problem: JointProblem, windows: Windows) -> FloatArray:
    """−c |n − k_i − t_{m+1}| on the last quantile's window."""
    # n − t_{m+1} is the last target, which keeps a difference of two large numbers out
    rank = problem.rank[windows.first[-1] : windows.stop[-1]]
    return np.asarray(-problem.c * np.abs(rank - problem.targets[-1]))


def kernel_step(
    f: FloatArray, before: FloatArray, here: FloatArray, gap: float, c: float
) -> FloatArray:
    """Log-sum Σ_{k' < k} exp(f(k') − c |k − k' − gap|) for each rank k of here.

    Shapes: f and before (a,), ranks of the intervals left of it; here (b,). Ranks are ascending
    integers. Beyond the gap the kernel is one exponential, so a running log-sum gives the sum;
    up to it, it is another, summed over a window of τ = ⌊gap⌋ ranks: cut into blocks of τ ranks,
    a window meets two blocks at most and is the end of one with the beginning of the next.
    """
    tau = np.floor(gap)
    offset = before - before[0]  # relative ranks keep the exponents small
    place = here - before[0]
    far = first_at_least(before, here - tau)  # how many lie beyond the gap
    beyond = np.empty(f.size + 1)
    beyond[0] = -np.inf
    np.logaddexp.accumulate(f + c * offset, out=beyond[1:])
    parts = np.full((3, here.size), -np.inf)
    parts[0] = beyond[far] - c * (place - gap)
    if tau >= 1:
        end = first_at_least(before, here)
        parts[1:] = _within_gap(f - c * offset, offset // tau, far, end)
        parts[1:] += c * (place - gap)
    return log_sum(parts)


def _within_gap(x: FloatArray, block: FloatArray, begin: IntArray, end: IntArray) -> FloatArray:
    """Log-sums of x[begin:end] as two parts (2, b); both −inf where the slice is empty."""
    prefix, suffix, last = _block_sums(x, block)
    some = end > begin
    final = np.maximum(end - 1, 0)
    initial = np.minimum(begin, x.size - 1)
    two = block[initial] != block[final]
    closing = last[final]
    parts = np.empty((2, begin.size))
    parts[0] = np.where(some & (two | closing), suffix[initial], -np.inf)
    parts[1] = np.where(some & (two | ~closing), prefix[final], -np.inf)
    return parts


def _block_sums(x: FloatArray, block: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Running log-sums from the left and from the right inside each block, and each block's end.

    Blocks become rows padded with −inf: at most one entry more than ranks in the window.
    """
    last = np.append(block[1:] != block[:-1], True)
    ends = np.flatnonzero(last) + 1
    sizes = np.diff(ends, prepend=0)
    row = np.repeat(np.arange(sizes.size), sizes)
    column = np.arange(x.size) - (ends - sizes)[row]
    padded = np.full((sizes.size, int(sizes.max())), -np.inf)
    padded[row, column] = x
    prefix = np.logaddexp.accumulate(padded, axis=1)
    suffix = np.logaddexp.accumulate(padded[:, ::-1], axis=1)[:, ::-1]
    return prefix[row, column], suffix[row, column], last


def first_at_least(rank: FloatArray, wanted: FloatArray) -> IntArray:
    """np.searchsorted(rank, wanted) for ascending integers; arithmetic where there are no ties."""
    if rank[-1] - rank[0] == rank.size - 1:
        return np.asarray(np.clip(wanted - rank[0], 0, rank.size), dtype=np.int64)
    return np.asarray(np.searchsorted(rank, wanted, side="left"))


def log_sum(terms: FloatArray) -> FloatArray:
    """Log-sum-exp over the first axis; −inf where every term is."""
    top = terms.max(axis=0)
    scaled = np.exp(terms - np.where(top == -np.inf, 0.0, top))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(scaled.sum(axis=0)) + top)
