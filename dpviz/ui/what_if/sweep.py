"""The Sweep view: error against one parameter; it opens with results computed beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.budgets import PureDP
from dpviz.experiments.engine.measure import Measure
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.sweeps import DEFAULTS, Axis, axis_values, sweep
from dpviz.figures.studies.swept import Sweep, sweep_picture
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.bench import ledger, running
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline, plain
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
from dpviz.ui.what_if import live, swept_words, words
from dpviz.ui.what_if.asked import (
    TREE,
    Asked,
    chips,
    expert,
    explore,
    label,
    method_choice,
    unsettled,
)
from dpviz.ui.what_if.swept_words import NAMES, PEOPLE, SHARE

PRESETS: dict[str, dict[str, Any]] = {
    "own choices": {},
    "How much privacy can I afford?": {"w_axis": Axis.BUDGET},
    "How many quantiles at once?": {"w_axis": Axis.QUANTILES, "eps": 1.0},
    "What would more people give?": {"w_axis": Axis.RECORDS, "eps": 1.0},
    "How deep a tree?": {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": ["AggTree"]},
    "How wide a tree?": {"w_axis": Axis.FANOUT, "w_height": 3, "w_mechanisms": ["AggTree"]},
}
STORED = {  # what stored sweeps are about
    Axis.BUDGET: "nine deciles",
    Axis.QUANTILES: "ε = 1",
    Axis.RECORDS: "nine deciles at ε = 1",
    Axis.HEIGHT: "noisy trees of fanout 2, nine deciles at ε = 1",
    Axis.FANOUT: "noisy trees of height 3, nine deciles at ε = 1",
}
RUNS = (10, 20, 50, 100, 200, 500)
PREVIEW = "normal 15000"


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
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is not None and running.is_shown(job) and job.key == study.key:
        running.watched(job, lambda: _under_way(now, swept, job))
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
    with d.explore(label()):
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
    key = ("sweep", *replace(named, metric="").key(), moved, axis, values, runs)
    title = f"error against {NAMES[axis]}, {asked.words()} of {basis.title}, {runs} runs"
    return live.study("sweep", key, asked, title, build, costs)


def _beforehand(now: Visit, swept: Swept, taken: DeltaGenerator) -> None:
    """The results that the view opens with; where one's own settings are others, it says so."""
    key = swept.asked.basis.key
    rows = stored.swept(key, swept.axis.value)
    own = rows is not None and _is_usual(swept)
    rows = stored.swept(PREVIEW, swept.axis.value) if rows is None else rows
    assert rows is not None, "every axis is stored for the preview"
    kept = rows[rows["mechanism"].isin(swept.asked.methods)]
    rows = kept if len(kept) else rows
    told = f"Computed beforehand: {STORED[swept.axis]}, 50 releases at each place"
    if key != swept.asked.basis.key or stored.swept(key, swept.axis.value) is None:
        told += ", on a stand-in of 15,000 people"
    told += "." if own else ". Your settings are others: run them."
    told += f" {swept.asked.basis.why}" if swept.asked.basis.why else ""
    _shown(now, swept, rows, told, taken)
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


def _done(now: Visit, swept: Swept, job: Job, taken: DeltaGenerator, *, is_own: bool) -> None:
    told = f"{job.title[0].upper()}{job.title[1:]}."
    told = told if is_own else f"For other settings: {told}"
    _shown(now, swept, summary(job.rows()), told, taken)
    with taken:
        take_away("sweep", job)


def _under_way(now: Visit, swept: Swept, job: Job) -> None:
    each = "Each part is some releases at one place; the slowest method comes last."
    headline("What if", *running.sentences(job, "The sweep", each))
    running.parts(job)
    rows = summary(job.rows())
    left, right = st.columns((7, 3), gap="large")
    with left:
        places = tuple(
            sorted(
                {float(one.labels["x"]) for one in job.experiment.cells if isinstance(one, Measure)}
            )
        )
        _picture(now, swept, rows, "The sweep so far.", "running", places)
    with right:
        shown = relative(rows, swept)
        so_far = swept_words.finding(shown, swept.axis, swept.unit, swept.asked.budget.symbol)
        running.beside(running.notes(so_far, live.to_come(job)))


def _shown(now: Visit, swept: Swept, rows: pd.DataFrame, told: str, taken: DeltaGenerator) -> None:
    shown = relative(rows, swept)
    said = swept_words.finding(shown, swept.axis, swept.unit, swept.asked.budget.symbol)
    said = said or "No release missed by a person: no error is left to draw."
    headline("What if", plain(said), plain(told))
    _picture(now, swept, rows, said)
    strip(
        now,
        [("computed on", swept.asked.basis.title), ("error", swept.asked.metric)],
        chips=chips(swept.asked, MEAN_GAP),
        badge=not swept.asked.basis.is_stand_in,
    )
    with taken:
        slides(now, "sweep", said, "dpviz-sweep")


def _picture(
    now: Visit,
    swept: Swept,
    rows: pd.DataFrame,
    alt: str,
    key: str = "sweep",
    places: tuple[float, ...] = (),
) -> None:
    asked = swept.asked
    kind = "Mean" if asked.metric == "mean gap" else "Largest"
    unit = "people" if swept.unit == PEOPLE else "% of the people"
    is_budget = swept.axis is Axis.BUDGET
    drawn = Sweep(
        "" if is_budget else NAMES[swept.axis],
        f"{kind} error of a release, in {unit}",
        words.names(list(_every(rows))),
        asked.budget.size if is_budget else None,
        asked.budget.symbol if is_budget else "",
        places,
    )
    shown = relative(rows, swept)
    hero(sweep_picture(shown, drawn, now.look), key, alt=alt, slides="dpviz-sweep")


def _every(rows: pd.DataFrame) -> Mapping[str, None]:
    """The mechanisms of a study in the order in which the words name them."""
    there = dict.fromkeys(rows["mechanism"]) if len(rows) else {}
    return {key: None for key in (*words.METHODS, *there) if key in there}


def relative(rows: pd.DataFrame, swept: Swept) -> pd.DataFrame:
    """Means of one metric; in percent of the (sub)sample's people where that is wanted."""
    if rows.empty:
        return pd.DataFrame(columns=["x", "mechanism", "n", "runs", "mean", "standard_error"])
    summed = rows[rows["metric"] == swept.asked.metric]
    if swept.unit == SHARE:
        scale = 100 / np.maximum(summed["n"], 1)
        summed = summed.assign(
            mean=summed["mean"] * scale, standard_error=summed["standard_error"] * scale
        )
    return summed
