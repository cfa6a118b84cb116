"""What all views of the Trees page are handed: the release, its readings, and the truth.

The numbers of the page's picture are worked out once for a release, and thinned to a screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.error_curve import CdfError
from dpviz.figures.trees.names import Names
from dpviz.figures.trees.rows import Row, rows_of
from dpviz.ui.bench.once import Final
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import Draw, drawn_once, purpose_of
from dpviz.ui.trees.choice import TreeChoice
from dpviz.ui.trees.sentences import LevelErrors

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class TreePage:
    """The chosen tree, the column that it is of, and its release for views that look at it."""

    choice: TreeChoice
    column: Column
    draw: Draw

    @cached_property
    def _purpose(self) -> tuple[object, ...]:
        return purpose_of(self.choice.tree, self.column, self.choice.budget)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What names the release among the results of the session."""
        return (*self._purpose, self.draw)

    @cached_property
    def release(self) -> TreeRelease:
        """What the page shows: what was released once and for all beside this draw, else the draw.

        Raises: DpvizError as the draw.
        """
        found = self.final.on_page
        return found if isinstance(found, TreeRelease) else self.drawn

    @cached_property
    def drawn(self) -> TreeRelease:
        """The release of the draw: made, and paid for, when a view first looks at it.

        Raises: DpvizError as the mechanism; NotExact for a teaching view while the truth is off.
        """
        tree, budget, draw = self.choice.tree, self.choice.budget, self.draw
        return drawn_once(
            draw,
            self.column,
            "tree",
            self._purpose,
            lambda rng: tree.release(self.column, budget, rng),
            [Cost("tree", budget)],
        )

    @property
    def final(self) -> Final:
        """The same question, to be answered once and for all."""
        tree, budget = self.choice.tree, self.choice.budget
        return Final(
            self.draw,
            self._purpose,
            budget,
            lambda rng: tree.release(self.column, budget, rng),
            self.drawn,
            f"{session.words().people.many} by {session.unit()}",
            "released-tree",
        )

    @property
    def noisy_counts(self) -> int:
        """How many numbers were released."""
        return sum(int(np.isfinite(counts).sum()) for counts in self.release.counts)

    @property
    def truth(self) -> tuple[FloatArray, ...] | None:
        """Exact counts of all nodes, counted once; None while the truth is hidden. Confidential."""
        if not session.shows_truth():
            return None
        shape = self.choice.tree.shape
        key = ("exact", self.column.fingerprint, shape)
        return memory.public(self.column, key, lambda: count_levels(self.column, shape))

    @property
    def ends(self) -> tuple[float, float]:
        """The declared bounds."""
        return self.column.bounds.low, self.column.bounds.high

    def read(self, estimator: TreeEstimator) -> Levels:
        """Counts and variances of all nodes under an estimator."""
        return estimator.apply(self.release.levels, self.release.total)

    def once(self, what: str, compute: Callable[[], Result], *others: object) -> Result:
        """Something of this release that is worked out once, with the truth or without."""
        is_final = self.release is not self.drawn
        key = (what, self.key, is_final, session.shows_truth(), *others)
        return memory.public(self.column, key, compute)


def names() -> Names:
    """What people and values of the column in use are called; texts of a file are not trusted."""
    spoken = session.words()
    return Names(spoken.people.many, session.unit(), spoken.unit.many)


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
            off = CdfError.of(page.ends, counts, below)
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
        return cls(Read.of(page, before), Read.of(page, after), LevelErrors.of(before, after))

    @property
    def worst(self) -> tuple[float, float] | None:
        """The worst error of either CDF, with its sign; None while the truth is hidden."""
        if self.before.off is None or self.after.off is None:
            return None
        return self.before.off.worst, self.after.off.worst
