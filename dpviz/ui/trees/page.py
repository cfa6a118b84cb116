"""What all views of the Trees page are handed: the release, and the question that they ask of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.question import TreeQuestion
from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.people.release import Releases, Spends
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import Draw, drawn_once, purpose_of
from dpviz.ui.trees.choice import TreeChoice

Result = TypeVar("Result")
Release = TypeVar("Release", bound=Spends)


@dataclass(frozen=True, eq=False)
class TreePage:
    """The chosen tree, the column that it is of, and its release for views that look at it."""

    choice: TreeChoice
    column: Column
    draw: Draw

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What names the release among the results of the session."""
        return (*purpose_of(self.choice.tree, self.column, self.choice.budget), self.draw)

    @cached_property
    def release(self) -> TreeRelease:
        """The release of the draw: made, and paid for, when a view first looks at it.

        Raises: DpvizError as the mechanism; NotExact for a teaching view while the truth is off.
        """
        return self.drawn(self.choice.tree, "tree", "tree")

    def drawn(self, mechanism: Releases[Release], name: str, what: str) -> Release:
        """What a mechanism releases of the column for all of the budget, made once a draw.

        Raises: as `release`.
        """
        budget = self.choice.budget
        purpose = purpose_of(mechanism, self.column, budget)
        make = partial(mechanism.release, self.column, budget)
        return drawn_once(self.draw, self.column, name, purpose, make, [Cost(what, budget)])

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

    def outside(self, reading: TreeEstimator) -> TreeQuestion:
        """What an outsider can ask: the release under a reading, without the truth."""
        return TreeQuestion(self.release, self.choice.tree, self.choice.budget, reading)

    def question(self, reading: TreeEstimator) -> TreeQuestion:
        """What the views ask: the release under a reading, with the truth where it is shown."""
        return replace(self.outside(reading), truth=self.truth)

    def once(self, what: str, compute: Callable[[], Result], *others: object) -> Result:
        """Something of this release that is worked out once, with the truth or without."""
        key = (what, self.key, session.shows_truth(), *others)
        return memory.public(self.column, key, compute)


def names() -> Names:
    """What people and values of the column in use are called; texts of a file are not trusted."""
    spoken = session.words()
    return Names(spoken.people.many, session.unit(), spoken.unit.many, spoken.people.one)
