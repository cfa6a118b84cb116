"""The numbers of the page's picture, worked out once for a release and thinned to a screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.error_curve import CdfError
from dpviz.figures.trees.rows import Row, rows_of
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.sentences import LevelErrors


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One reading of a release: its rows, how far its CDF is off with the truth, and the root."""

    rows: tuple[Row, ...]
    off: CdfError | None
    root: float

    @classmethod
    def of(cls, page: TreePage, levels: Levels) -> Read:
        """With the truth where it is shown."""
        truth, off = page.truth, None
        if truth is not None:
            below = np.concatenate(([0.0], np.cumsum(truth[-1])))
            counts = running_counts(levels, page.release.total)
            off = CdfError.of(page.release.edges(), counts, below)
        return cls(rows_of(levels, truth), off, float(levels.counts[0][0]))


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A release as measured and as it is read, with the standard errors of both by level."""

    before: Read
    after: Read
    errors: LevelErrors

    @classmethod
    def of(cls, page: TreePage, reading: TreeEstimator) -> Shown:
        """Worked out once for each reading, with the truth and without."""
        return page.once("icicle", lambda: cls._made(page, reading), reading)

    @classmethod
    def _made(cls, page: TreePage, reading: TreeEstimator) -> Shown:
        before, after = page.read(TreeEstimator.RAW), page.read(reading)
        return cls(
            Read.of(page, before), Read.of(page, after), LevelErrors.of(before, after)
        )

    @property
    def worst(self) -> tuple[float, float] | None:
        """The worst error of either CDF, with its sign; None while the truth is hidden."""
        if self.before.off is None or self.after.off is None:
            return None
        return self.before.off.worst, self.after.off.worst
