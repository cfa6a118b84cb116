"""Runs of this page's own settings: what they compute, who pays, and what they say so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.answers.studies import parts
from dpviz.answers.studies.names import StudyNames
from dpviz.core.confidential import confidential
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.answers import Curve
from dpviz.experiments.planning.own_curves import curves_of, own_curves, sizes_for
from dpviz.figures.kit.picture import Picture
from dpviz.ui.bench import running
from dpviz.ui.bench.hero import hero
from dpviz.ui.kit import frame
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, paid_by, purpose_of
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, controls, csv_button, nothing_paid, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.render import Group, Shown, View
from dpviz.ui.what_if.asked import Asked, Task

Found = TypeVar("Found")
PAGE = "Look inside"  # the page's name
PREVIEW = "normal 15000"  # shown while nothing is computed for one's own settings
# enough for the share that is asked for
RUNS = {0.5: 200, 0.8: 200, 0.9: 200, 0.95: 300, 0.99: 600}


def curves_study(asked: Asked) -> Study:
    """The curves of all methods at 31 budgets. Raises: DpvizError for a tree that cannot be."""
    mechanisms, basis = asked.mechanisms(), asked.basis
    runs = RUNS[asked.probability]

    def build() -> Experiment:
        return own_curves(
            basis.column(),
            mechanisms,
            asked.quantiles,
            asked.budget,
            asked.metric,
            asked.probability,
            runs,
            np.random.default_rng(STUDY_SEED),
        )

    key = ("curves", *asked.key(), asked.budget.resized(1.0))
    title = f"{asked.words()} of {basis.title}, {len(mechanisms)} methods at 31 budgets"
    costs = [
        Cost(f"curve of {label_of(name)}", asked.budget.resized(float(size)), runs, simulated=True)
        for name in mechanisms
        for size in sizes_for(asked.budget, basis.n)
    ]
    return study("answer", key, asked, title, build, costs)


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
        running.watched(job, PAGE, name(task), each, lambda: draw(task, job))

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


def curves(job: Job) -> dict[str, Curve]:
    """The curves that are there by now."""
    return curves_of(job.rows())


def to_come(job: Job) -> str:
    """Which methods still have parts ahead."""
    return parts.to_come(parts.answer(job.experiment, job.done))


def nothing_yet(asked: Asked) -> dict[str, Curve]:
    """Methods without a part that is done."""
    none = np.empty(0)
    return {key: Curve(none, none, none, none, 0) for key in asked.methods}
