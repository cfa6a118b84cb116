"""What all views of the Trees page are handed: the release, its readings, and the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import Draw, purpose_of
from dpviz.ui.trees.controls import TreeChoice


@dataclass(frozen=True, slots=True, eq=False)
class TreePage:
    """One release of the chosen tree, and the column that it is of."""

    choice: TreeChoice
    column: Column
    draw: Draw
    release: TreeRelease

    @classmethod
    def of(cls, choice: TreeChoice, column: Column, draw: Draw) -> TreePage:
        """The release of a draw, worked out once."""
        tree, budget = choice.tree, choice.budget
        purpose = purpose_of(tree, column, budget)
        release = memory.remembered(
            ("tree", *purpose, draw),
            lambda: tree.release(column, budget, draw.rng(purpose, paid=[Cost("tree", budget)])),
        )
        return cls(choice, column, draw, release)

    @property
    def noisy_counts(self) -> int:
        """How many numbers were released."""
        return sum(int(np.isfinite(counts).sum()) for counts in self.release.counts)

    @property
    def truth(self) -> tuple[FloatArray, ...] | None:
        """Exact counts of all nodes, counted once; None while the truth is hidden. Confidential."""
        if not session.shows_truth():
            return None
        key = ("exact", self.column.fingerprint, self.release.shape)
        return memory.remembered(key, lambda: count_levels(self.column, self.release.shape))

    def read(self, estimator: TreeEstimator) -> Levels:
        """Counts and variances of all nodes under an estimator."""
        return estimator.apply(self.release.levels, self.release.total)
