"""What the views of the Quantiles page are asked of: the question, and what was set."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from dpviz.ui.kit.draws import wait_for_all
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.quantiles.shown import Shown, shown
from dpviz.ui.visit.page import Visit


@dataclass(frozen=True, eq=False)
class QuantilesPage:
    """One run of the page; what it draws is drawn once a run. Confidential.

    runs are the further draws that are shown with the truth, 0 for none; points is how many a
    made-up column is to have, None for a noisy count.
    """

    now: Visit
    question: Question
    settings: Settings
    method: str
    compared: Sequence[str]
    runs: int
    points: int | None

    @property
    def has_truth(self) -> bool:
        """Whether there is a truth, and it may be on screen."""
        return self.now.truth and self.question.column.n > 0

    @cached_property
    def one(self) -> Shown | None:
        """The release of the page's method; None where it refuses, which is then said."""
        runs = self.runs if self.has_truth else 0
        return shown(self.method, self.settings, self.question, runs, may_be_about=True)

    @cached_property
    def every(self) -> dict[str, Shown]:
        """The releases of the methods that are compared, by name; what refuses says so."""
        wait_for_all(partial(self._wait, name) for name in self.compared)
        every = [shown(name, self.settings, self.question, self.runs) for name in self.compared]
        return {one.mechanism.name: one for one in every if one is not None}

    def _wait(self, name: str) -> None:
        mechanism = self.settings.build(name, self.question.budget)
        mechanism.check(self.question.budget, self.question.quantiles)
        self.question.wait(mechanism)
