"""What is asked of this page, by all of its views, and the page's run that answers it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpviz.answers.studies import names
from dpviz.answers.studies.names import TREE, USUAL, StudyNames, Tree
from dpviz.answers.studies.needed import NeedQuestion
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.answers import QUESTIONS, Curve
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, job_of
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.pickers import OWN, SETS
from dpviz.ui.model.fields import Values
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.basis import Basis

TREE_METHOD = "AggTree"  # whose shape is asked for, and swept by itself
EACH_PLACE = "Each part is some releases at one place; the slowest method comes last."


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that decides an answer, but for the target."""

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
            and (self.metric, self.probability) == (LARGEST_GAP, USUAL)
            and (self.tree == TREE or TREE_METHOD not in self.methods)
        )

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

    def link(self, method: str) -> dict[str, str]:
        """What leads to these quantiles on the Quantiles page, by a method."""
        asked = [f"{one:.10g}" for one in self.quantiles.asked.tolist()]
        named = self.question in SETS
        chosen = {"set": self.question} if named else {"set": OWN, "own": ", ".join(asked)}
        fanout, height = self.tree if method == TREE_METHOD else TREE
        shape = {"fanout": fanout, "height": height}
        kept = {name: f"{value}" for name, value in shape.items() if value is not None}
        return {"view": "picture", "method": label_of(method)} | chosen | kept

    def words(self) -> str:
        """What is published, in words."""
        return names.asked(self.question, self.quantiles)

    def names(self) -> StudyNames:
        """What is published, what it is computed on, and what people and values are called."""
        basis = self.basis
        spoken = basis.words.people, basis.words.unit
        return StudyNames(self.words(), basis.title, *spoken, basis.why, basis.is_stand_in)

    def need(self, curves: Mapping[str, Curve], percent: float, **others: Any) -> NeedQuestion:
        """What is asked of curves about a target in per cent; others go to the question."""
        return NeedQuestion(
            curves=curves,
            methods=self.methods,
            percent=percent,
            quantiles=self.quantiles,
            budget=self.budget,
            neighbours=self.neighbours,
            people=self.basis.n,
            metric=self.metric,
            probability=self.probability,
            is_declared=self.basis.is_declared,
            **others,
        )

    def chips(self, usual: str = LARGEST_GAP) -> list[str]:
        """The page's own settings that are not as at first; usual is the view's own error."""
        return names.chips(self.metric, usual, self.probability, self.tree)


@dataclass(frozen=True, eq=False)
class Task:
    """One run of the page: what a view is asked, and the work that would answer it, planned once."""

    now: Visit
    asked: Asked
    chosen: Values

    @property
    def percent(self) -> float:
        """The accuracy that is wanted, in per cent of the places."""
        return float(self.chosen["w_target"])

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
