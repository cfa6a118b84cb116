"""What every view of a noisy tree is asked about."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree

SURE = 1.96  # standard errors on either side of 19 in 20 under normal noise


@confidential("tree", "budget", "reading")
@dataclass(frozen=True, slots=True, eq=False)
class TreeQuestion:
    """A release, how it is read, and the tree and budget that were asked for.

    truth, exact counts by level, is confidential, and None while it is hidden.
    """

    release: TreeRelease
    tree: CountTree
    budget: Budget
    reading: TreeEstimator
    truth: tuple[FloatArray, ...] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The declared bounds."""
        return self.release.bounds.low, self.release.bounds.high

    @property
    def true_running(self) -> FloatArray | None:
        """True counts below every edge of the leaves, (t + 1,); None while the truth is hidden."""
        if self.truth is None:
            return None
        return np.concatenate(([0.0], np.cumsum(self.truth[-1])))

    def read(self, reading: TreeEstimator) -> Levels:
        """Counts and variances of all nodes under a reading."""
        return reading.apply(self.release.levels, self.release.total)
