"""The Sweep view: error against one parameter; it opens with results computed beforehand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.studies import sweep as sweeps
from dpviz.answers.studies import sweep_said
from dpviz.answers.studies.names import TREE, StudyNames
from dpviz.answers.studies.names import names as names_of
from dpviz.answers.studies.sweep import SweepNumbers, SweepQuestion
from dpviz.answers.studies.sweep_said import NAMES
from dpviz.core.budgets import Budget, PureDP
from dpviz.experiments.engine.measure import Measure
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.sweeps import DEFAULTS, Axis, axis_values, sweep
from dpviz.figures.studies.swept import sweep_picture
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.bench import ledger, running
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import choices
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, controls, csv_button, job_of, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import attempt
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live
from dpviz.ui.what_if.asked import (
    EACH_PLACE,
    Asked,
    chips,
    expert,
    explore,
    label,
    method_choice,
    unsettled,
)

PRESETS: dict[str, dict[str, Any]] = {
    "own choices": {},
    "How much privacy can I afford?": {"w_axis": Axis.BUDGET},
    "How many quantiles at once?": {"w_axis": Axis.QUANTILES, "eps": 1.0},
    "What would more people give?": {"w_axis": Axis.RECORDS, "eps": 1.0},
    "How deep a tree?": {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": ["AggTree"]},
    "How wide a tree?": {"w_axis": Axis.FANOUT, "w_height": 3, "w_mechanisms": ["AggTree"]},
}
RUNS = (10, 20, 50, 100, 200, 500)
PREVIEW = "normal 15000"
PEOPLE, SHARE = "records", "% of people"  # the first as links have always said it


@dataclass(frozen=True, slots=True)
class SweepKey:
    """Names a run in full: whose errors they are, and which budgets or places were swept."""

    settings: tuple[Hashable, ...]
    budget: Budget
    axis: Axis
    values: tuple[float, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep moves beside what is asked, how often, and the unit of the errors."""

    asked: Asked
    axis: Axis
    runs: int
    unit: str


def sweep_view(now: Visit) -> None:
    """Everything of the page in this view."""
    with dock(now, sliders=1) as d:
        d.budget()
        run = d.buttons.container(horizontal=True, vertical_alignment="center", width="content")
        d.truth()
        ledger.in_dock(d)
        swept, taken = _settings(now, d)
    if swept is None:
        unsettled()
        return
    study = attempt(lambda: sweep_study(swept))
    if study is None:
        unsettled()
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is not None and running.is_shown(job) and job.key == study.key:
        running.watched(
            job, "What if", "The sweep", EACH_PLACE, lambda: _under_way(now, swept, job)
        )
    elif job is not None and job.done:
        _done(now, swept, job, taken, is_own=job.key == study.key)
    else:
        _beforehand(now, swept, taken)


def _apply_preset() -> None:
    for key, value in PRESETS[st.session_state["w_preset"]].items():
        if key == "eps":
            state.put("notion", "pure")
            state.put("eps", value)
        else:
            st.session_state[key] = value


def _settings(now: Visit, d: Dock) -> tuple[Swept | None, DeltaGenerator]:
    with d.explore(label(now)):
        basis, question, quantiles = explore(now)
        choices.menu(
            "Question",
            list(PRESETS),
            "w_preset",
            "Puts the settings that answer a question into the widgets.",
            on_change=_apply_preset,
            bind=None,
        )
        axis = choices.menu(
            "Error against",
            {axis: NAMES[axis] for axis in Axis},
            "w_axis",
            "Fewer people are drawn from the column without replacement; m takes uniform "
            "quantiles; height and fanout move AggTree alone.",
        )
        methods = method_choice(now.budget)
    with d.expert():
        metric, probability, tree = expert(now, methods, chance=False)
        unit = choices.segments(
            "Unit",
            {PEOPLE: "people", SHARE: SHARE},
            "w_unit",
            "A relative error compares columns, or samples, of different sizes.",
        )
        runs = choices.steps(
            "Runs at each point",
            RUNS,
            "w_runs",
            "More runs, smaller error bars. Each is a release of its own: for planning on public "
            "data or in a teaching view, never for real people's data that are then published.",
            default=50,
        )
        taken = st.container()
    if basis is None or quantiles is None or not methods:
        return None, taken
    asked = Asked(
        basis, question, quantiles, methods, now.budget, now.neighbours, metric, probability, tree
    )
    return Swept(asked, Axis(axis or Axis.BUDGET), runs, unit), taken


def sweep_study(swept: Swept) -> Study:
    """The sweep, in parts. Raises: DpvizError for a tree that cannot be."""
    asked, axis, runs = swept.asked, swept.axis, swept.runs
    mechanisms, budget, basis = asked.mechanisms(), asked.budget, asked.basis
    trees = [one for one in mechanisms.values() if isinstance(one, AggTree)]
    values = axis_values(axis, basis.column(), next(iter(trees), AggTree()), budget)

    def build() -> Experiment:
        rng = np.random.default_rng(STUDY_SEED)
        return sweep(basis.column(), mechanisms, asked.quantiles, budget, axis, values, runs, rng)

    # a list of places may depend on the people's number: all there can be are paid for
    places = len(DEFAULTS[axis]) + 1 if axis is Axis.RECORDS else len(values)
    spent = [budget.resized(size) for size in values] if axis is Axis.BUDGET else [budget] * places
    costs = [
        Cost(f"sweep, {label_of(name)}", one, runs, simulated=True)
        for name in mechanisms
        for one in spent
    ]
    moved = budget.resized(1.0) if axis is Axis.BUDGET else budget
    named = replace(asked, question="deciles") if axis is Axis.QUANTILES else asked
    key = SweepKey(replace(named, metric="").key(), moved, axis, values, runs)
    title = f"error against {NAMES[axis]}, {asked.words()} of {basis.title}, {runs} runs"
    return live.study("sweep", key, asked, title, build, costs)


def _beforehand(now: Visit, swept: Swept, taken: DeltaGenerator) -> None:
    """The results that the view opens with; where one's own settings are others, it says so."""
    asked, axis = swept.asked, swept.axis
    own = stored.swept(asked.basis.key, axis.value)
    rows = stored.swept(PREVIEW, axis.value) if own is None else own
    assert rows is not None, "every axis is stored for the preview"
    kept = rows[rows["mechanism"].isin(asked.methods)]
    rows = kept if len(kept) else rows
    is_own = own is not None and _is_usual(swept)
    told = sweep_said.beforehand(
        axis, of_own_data=own is not None, is_own=is_own, why=asked.basis.why
    )
    names = asked.names()
    names = names if own is not None else replace(names, title=sweep_said.STAND_IN)
    _shown(now, _question(swept, rows, axis, PureDP(1.0)), swept, names, told, taken)
    with taken:
        csv_button("sweep_stored", rows)


def _is_usual(swept: Swept) -> bool:
    asked, axis = swept.asked, swept.axis
    fanout, height = asked.tree
    usual = {Axis.HEIGHT: fanout == 2, Axis.FANOUT: height == 3}
    return (
        usual.get(axis, asked.tree == TREE or "AggTree" not in asked.methods)
        and asked.is_plain
        and (axis is Axis.QUANTILES or asked.question == "deciles")
        and (axis is Axis.BUDGET or asked.budget == PureDP(1.0))
        and swept.runs == 50
    )


def _question(
    swept: Swept, rows: pd.DataFrame, axis: Axis, budget: Budget, places: Sequence[float] = ()
) -> SweepQuestion:
    """What is asked of rows about an axis; budget has the notion that they were swept in."""
    own, symbol = swept.asked.budget, budget.symbol
    chosen = own.size if axis is Axis.BUDGET and own.symbol == symbol else None
    is_share = swept.unit == SHARE
    return SweepQuestion(rows, axis, swept.asked.metric, is_share, symbol, chosen, places)


def _done(now: Visit, swept: Swept, job: Job, taken: DeltaGenerator, *, is_own: bool) -> None:
    told = sweep_said.of_run(job.title, is_own=is_own)
    assert isinstance(job.key, SweepKey)
    question = _question(swept, summary(job.rows()), job.key.axis, job.key.budget)
    _shown(now, question, swept, swept.asked.names(), told, taken)
    with taken:
        take_away("sweep", job)


def _under_way(now: Visit, swept: Swept, job: Job) -> None:
    measured = [one for one in job.experiment.cells if isinstance(one, Measure)]
    places = sorted({float(one.labels["x"]) for one in measured})
    rows = summary(job.rows())
    found = sweeps.answer(_question(swept, rows, swept.axis, swept.asked.budget, places))
    left, right = st.columns((7, 3), gap="large")
    with left:
        _picture(now, found, "The sweep so far.", "running")
    with right:
        running.beside(running.notes(sweep_said.finding(found), live.to_come(job)))


def _shown(
    now: Visit,
    question: SweepQuestion,
    swept: Swept,
    names: StudyNames,
    told: str,
    taken: DeltaGenerator,
) -> None:
    found = sweeps.answer(question)
    said = sweep_said.say(found, names, told)
    headline("What if", said.headline(), said.second())
    _picture(now, found, said.alt)
    asked = swept.asked
    strip(now, said.strip, chips=chips(asked, MEAN_GAP), badge=not asked.basis.is_stand_in)
    with taken:
        slides(now, "sweep", said.alt, "dpviz-sweep")


def _picture(now: Visit, found: SweepNumbers, alt: str, key: str = "sweep") -> None:
    called = names_of([line.key for line in found.lines])
    picture = sweep_picture(found, sweep_said.titles(found), called, now.look)
    hero(picture, key, alt=alt, slides="dpviz-sweep")
