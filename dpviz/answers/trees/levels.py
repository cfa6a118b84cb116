"""A noisy tree as measured, and after its levels are combined: every number that the view shows."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.trees.question import TreeQuestion
from dpviz.answers.trees.rows import Row, errors_by_level, extremes, largest_error, rows_of
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class CdfError:
    """A private CDF minus the true one at leaf edges, in people: confidential.

    edges and errors are (k,), the points that a screen shows; worst is the largest error of all,
    with its sign, and lies at the edge `at`.
    """

    edges: FloatArray
    errors: FloatArray
    at: float
    worst: float

    @classmethod
    def of(cls, ends: tuple[float, float], counts: FloatArray, truth: FloatArray) -> "CdfError":
        """From running counts and the true ones, (t + 1,) each, at evenly spaced edges."""
        errors = counts - truth
        kept = extremes(errors)
        worst = int(np.abs(errors).argmax())
        each = (ends[1] - ends[0]) / (errors.size - 1)
        edges: FloatArray = np.asarray(ends[0] + each * kept, dtype=np.float64)
        return cls(edges, errors[kept], ends[0] + each * worst, float(errors[worst]))


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class ReadLevels:
    """One reading: its drawn rows, the standard error of a node by level, the root's count.

    An error is ∞ where nothing tells the counts, 0 where they are public. off, how far the CDF is
    off, is confidential, and None while the truth is hidden.
    """

    rows: tuple[Row, ...]
    errors: tuple[float, ...]
    root: float
    off: CdfError | None


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class LevelsNumbers:
    """A release as measured (before) and as it is read (after).

    shares and scales are those of the levels that have noise, root first; noisiest is the largest
    standard error as measured. removed is the share of the variance that is gone on the middle
    level, NaN where none was known. total, the true number of people, is confidential, and None
    while it is hidden.
    """

    reading: TreeEstimator
    ends: tuple[float, float]
    before: ReadLevels
    after: ReadLevels
    noisiest: float
    removed: float
    total: float | None
    shares: tuple[float, ...]
    scales: tuple[float, ...]
    symbol: str
    fanout: int
    noise: Noise
    is_usual: bool  # the noise is what the budget's notion takes by itself
    root: Root

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return len(self.before.errors)

    @property
    def middle(self) -> tuple[float, float]:
        """Standard errors before and after on the middle level, which sentences speak of."""
        at = (self.levels - 1) // 2
        return self.before.errors[at], self.after.errors[at]

    @property
    def worst(self) -> tuple[float, float] | None:
        """The worst error of either CDF, with its sign; None while the truth is hidden."""
        if self.before.off is None or self.after.off is None:
            return None
        return self.before.off.worst, self.after.off.worst


def answer(asked: TreeQuestion) -> LevelsNumbers:
    """Everything that is drawn and said of a release under one reading."""
    raw, read = asked.read(TreeEstimator.RAW), asked.read(asked.reading)
    before, after = (_read(asked, levels) for levels in (raw, read))
    law = asked.tree.law(asked.budget)
    return LevelsNumbers(
        reading=asked.reading,
        ends=asked.ends,
        before=before,
        after=after,
        noisiest=largest_error(before.rows),
        removed=_removed(before.errors, after.errors),
        total=None if asked.truth is None else float(asked.truth[0][0]),
        shares=tuple(share for share in asked.tree.shares() if share > 0),
        scales=tuple(scale for scale in asked.release.tree.scales if scale < np.inf),
        symbol=asked.budget.symbol,
        fanout=asked.tree.fanout,
        noise=law,
        is_usual=law is Noise.for_budget(asked.budget),
        root=asked.tree.root,
    )


def _read(asked: TreeQuestion, levels: Levels) -> ReadLevels:
    off, below = None, asked.true_running
    if below is not None:
        off = CdfError.of(asked.ends, running_counts(levels, asked.release.total), below)
    rows, root = rows_of(levels, asked.truth), float(levels.counts[0][0])
    return ReadLevels(rows, errors_by_level(levels), root, off)


def _removed(before: tuple[float, ...], after: tuple[float, ...]) -> float:
    at = (len(before) - 1) // 2
    return 1 - (after[at] / before[at]) ** 2 if 0 < before[at] < np.inf else float("nan")
