"""What the sentence asks, as all views of the page take it, and the run that answers it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dpviz import catalogue
from dpviz.answers.studies import names
from dpviz.answers.studies.frontier import FrontierQuestion
from dpviz.answers.studies.names import TREE, USUAL, StudyNames, Tree
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.answers import QUESTIONS, Curve
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit.job_panel import Study, job_of
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.basis import Basis

EACH_PLACE = "Each part is some releases at one place; the slowest method comes last."


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that decides a picture, but for the need."""

    basis: Basis
    question: str
    quantiles: QuantileSet
    methods: tuple[str, ...]
    budget: Budget
    neighbours: Neighbours
    metric: str
    probability: float
    tree: Tree

    @property
    def is_usual(self) -> bool:
        """Whether answers are stored for these settings, if they are for the data."""
        return (
            self.question in QUESTIONS
            and self.is_plain
            and self.probability == USUAL
            and self.has_usual_tree
        )

    @property
    def has_usual_tree(self) -> bool:
        """Whether no tree has a shape of its own."""
        return self.tree == TREE or catalogue.shaped().isdisjoint(self.methods)

    @property
    def is_plain(self) -> bool:
        """Whether notion and relation are those of the stored studies."""
        return isinstance(self.budget, PureDP) and self.neighbours is Neighbours.ADD_REMOVE

    def mechanisms(self) -> Mapping[str, QuantileMechanism]:
        """The chosen mechanisms by name. Raises: InvalidParameter for a tree that cannot be."""
        every = with_settings(self.neighbours, self.budget, *self.tree)
        return {name: every[name] for name in self.methods}

    def key(self) -> tuple[Hashable, ...]:
        """Names data, mechanisms and quantiles in full."""
        named = self.question if self.question in QUESTIONS else self.quantiles.asked.tobytes()
        settings = (self.neighbours, self.tree, self.metric, self.probability)
        return (self.basis.about, self.methods, named, *settings)

    def usual(self) -> Mapping[str, Curve]:
        """The curves that are stored for this, or reckoned from those; empty if there are none."""
        return self.basis.curves(self.question) if self.is_usual else {}

    def words(self) -> str:
        """What is published, in words."""
        return names.asked(self.question, self.quantiles)

    def names(self) -> StudyNames:
        """What is published, what it is computed on, and what people and values are called."""
        basis = self.basis
        spoken = basis.words.people, basis.words.unit
        return StudyNames(self.words(), basis.title, *spoken, basis.why, basis.is_stand_in)

    def needs(self, curves: Mapping[str, Curve], percent: float, **others: Any) -> FrontierQuestion:
        """What is asked of curves about a need in per cent of the places."""
        return FrontierQuestion(
            curves, self.methods, percent, self.budget.symbol, self.probability, **others
        )

    def chips(self, usual: str = LARGEST_GAP) -> list[str]:
        """The page's own settings that are not as at first; usual is the view's own error."""
        return names.chips(self.metric, usual, self.probability, self.tree)


@dataclass(frozen=True, eq=False)
class Task:
    """One run of the page: what a view is asked, and the work that would answer it, planned once.

    percent is the need of the sentence, in per cent of the places, for the views that look at it;
    said is what methods need as the sentence says.
    """

    now: Visit
    asked: Asked
    chosen: Values
    percent: float = 1.0
    said: Mapping[str, float | None] = field(default_factory=dict)

    def plan(self) -> Study:
        """The work. Raises: DpvizError for a tree that cannot be."""
        raise NotImplementedError

    @cached_property
    def study(self) -> Study:
        """The work, looked at once in a run. Raises: DpvizError as plan does."""
        return self.plan()

    @cached_property
    def job(self) -> Job | None:
        """The run of this place about the same data, of these settings or of others."""
        return job_of(self.study)

    @property
    def own_job(self) -> Job | None:
        """The run of just these settings."""
        return self.job if self.job is not None and self.job.key == self.study.key else None

    @property
    def is_real(self) -> bool:
        """Whether it is about data, and not about a stand-in."""
        return not self.asked.basis.is_stand_in
