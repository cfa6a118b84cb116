"""What the sentence asks, as all views of the page take it, and the run that answers it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import pandas as pd
import streamlit as st

from dpviz import catalogue
from dpviz.answers.studies import names, parts
from dpviz.answers.studies.names import TREE, StudyNames, Tree
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.figures.kit.picture import Picture
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.bench import running
from dpviz.ui.bench.hero import hero
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.kit import frame
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, paid_by, purpose_of
from dpviz.ui.kit.job_panel import Study, controls, csv_button, job_of, nothing_paid, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Group, Shown, View
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.basis import Basis

Found = TypeVar("Found")
EACH_PLACE = "Each part is some releases at one place; the slowest method comes last."
TITLE = "Look inside"  # the page's name
PREVIEW = "normal 15000"  # shown while nothing is computed for one's own settings
# enough for the share that is asked for
RUNS = {0.5: 200, 0.8: 200, 0.9: 200, 0.95: 300, 0.99: 600}


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

    def words(self) -> str:
        """What is published, in words."""
        return names.asked(self.question, self.quantiles)

    def names(self) -> StudyNames:
        """What is published, what it is computed on, and what people and values are called."""
        basis = self.basis
        spoken = basis.words.people, basis.words.unit
        return StudyNames(self.words(), basis.title, *spoken, basis.why, basis.is_stand_in)

    def chips(self, usual: str = LARGEST_GAP) -> list[str]:
        """The page's own settings that are not as at first; usual is the view's own error."""
        return names.chips(self.metric, usual, self.probability, self.tree)


@dataclass(frozen=True, eq=False)
class Task:
    """One run of the page: what a view is asked, and the work that would answer it, planned once.

    percent is the need of the sentence, in per cent of the places, and decision what it asks, for
    the view that looks at it.
    """

    now: Visit
    asked: Asked
    chosen: Values
    percent: float = 1.0
    decision: Decision | None = None

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


def study(
    place: str,
    key: Hashable,
    asked: Asked,
    title: str,
    build: Callable[[], Experiment],
    costs: Sequence[Cost],
) -> Study:
    """Work of this page: on a sample it is paid for as a lesson, a stand-in is nobody's data."""
    pay: Callable[[Experiment], None] = nothing_paid
    if not asked.basis.is_stand_in:
        mechanisms = tuple(asked.mechanisms().items())
        purpose = (place, *purpose_of(mechanisms, asked.basis.column(), asked.budget), key)
        pay = paid_by(draw_in_use(STUDY_SEED), purpose, list(costs))
    return Study(place, key, asked.basis.about, title, build, pay, page=frame.page_file("what_if"))


def buttons(task: Task, _: Group) -> None:
    """The buttons of a run, for views that always have them."""
    controls(task.study, short=task.now.look.phone)


def under_way(
    draw: Callable[[Any, Job], None],
    name: Callable[[Any], str],
    each: str,
    offered: Callable[[Any, Group], None] = buttons,
) -> View[Any, Any]:
    """A run that goes on in a view's place; draw draws what is there so far, each is a part."""

    def show(task: Task) -> None:
        job = task.own_job
        assert job is not None
        running.watched(job, TITLE, name(task), each, lambda: draw(task, job))

    return View("running", "", show=show, buttons=offered)


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Told(Generic[Found]):
    """What a study says, where it is from, and its rows where they were stored."""

    found: Found
    names: StudyNames
    told: str
    rows: pd.DataFrame | None = None


def to_take_away(shown: Shown[Any, Told[Any]]) -> None:
    """The rows of what is shown: stored ones, or those of the run."""
    place = shown.asked.study.place
    if shown.numbers.rows is not None:
        csv_button(f"{place}_stored", shown.numbers.rows)
    elif shown.asked.job is not None:
        take_away(place, shown.asked.job)


def in_parts(drawn: Picture | None, alt: str, so_far: str, job: Job, file: str) -> None:
    """The picture of a run under way, and beside it what is known and what is to come."""
    left, right = st.columns((7, 3), gap="large")
    with left:
        if drawn is not None:
            hero(drawn, "running", alt=alt, slides=file)
    with right:
        running.beside(running.notes(so_far, to_come(job)))


def to_come(job: Job) -> str:
    """Which methods still have parts ahead."""
    return parts.to_come(parts.answer(job.experiment, job.done))
