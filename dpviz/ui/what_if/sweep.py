"""The Sweep view: error against one parameter, on the chosen column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.data import Column
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.planning.sweeps import DEFAULTS, Axis, axis_values, sweep
from dpviz.figures.studies.sweeps import sweep_figure
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.kit import choices, frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, paid_by
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.what_if.controls import Compared, compared_picker, described

PRESETS: dict[str, dict[str, object]] = {
    "own choices": {},
    "How much privacy can I afford?": {"w_axis": Axis.BUDGET},
    "How many quantiles at once?": {"w_axis": Axis.QUANTILES, "w_eps": 1.0},
    "What would more records give?": {"w_axis": Axis.RECORDS, "w_eps": 1.0},
    "How deep a tree?": {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": ["AggTree"]},
    "How wide a tree?": {"w_axis": Axis.FANOUT, "w_height": 3, "w_mechanisms": ["AggTree"]},
}
NAMES = {
    Axis.BUDGET: "budget",
    Axis.QUANTILES: "quantiles m",
    Axis.RECORDS: "records n",
    Axis.HEIGHT: "tree height",
    Axis.FANOUT: "tree fanout",
}
ABSOLUTE, RELATIVE = "records", "% of records"


def _apply_preset() -> None:
    for key, value in PRESETS[st.session_state["w_preset"]].items():
        st.session_state[key] = value
        if key == "w_eps":
            st.session_state["w_notion"] = "pure"
            st.session_state.pop("w_eps_slider", None)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What the sweep moves, how often each place is run, and the unit of the errors."""

    compared: Compared
    axis: Axis
    runs: int
    unit: str


def sweep_controls() -> Sweep | None:
    """A question, or choices of the visitor's own; None where a choice cannot be used."""
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
        "Fewer records are drawn from the column without replacement; m takes uniform "
        "quantiles; height and fanout move AggTree alone.",
    )
    compared = compared_picker()
    unit = choices.segments(
        "Unit",
        (ABSOLUTE, RELATIVE),
        "w_unit",
        "A relative error compares columns, or samples, of different sizes.",
    )
    runs = choices.steps(
        "Runs at each point",
        (10, 20, 50, 100, 200, 500),
        "w_runs",
        "More runs, smaller error bars. Each is a release of its own: for planning on "
        "public data or in a teaching view, never for real records that are then published.",
        default=50,
    )
    if compared is None:
        return None
    return Sweep(compared, Axis(axis or Axis.BUDGET), runs, unit)


def sweep_panel(column: Column, choice: Sweep) -> None:
    """Run it, and draw what is there."""
    compared, axis, runs = choice.compared, choice.axis, choice.runs
    mechanisms, quantiles, budget = compared.mechanisms, compared.quantiles, compared.budget
    tree = next((one for one in mechanisms.values() if isinstance(one, AggTree)), AggTree())
    values = axis_values(axis, column, tree)
    fixed = [session.unit()]
    fixed += [] if axis is Axis.BUDGET else [str(budget)]
    fixed += [] if axis is Axis.QUANTILES else [described(quantiles)]
    title = f"error against {NAMES[axis]}: {', '.join(fixed)}, {runs} runs"
    asked = None if axis is Axis.QUANTILES else quantiles.asked.tobytes()
    key = (compared.key(column), asked, budget, axis, values, runs)
    x_title = budget.symbol if axis is Axis.BUDGET else NAMES[axis]

    def draw(job: Job) -> None:
        chosen = budget.size if axis is Axis.BUDGET and job.key == key else None
        chart(
            sweep_figure(
                shown(job.rows(), compared.metric, relative=choice.unit == RELATIVE),
                frame.ink(),
                x_title=x_title if job.key == key else "x",
                y_title=f"{compared.metric} ({choice.unit})",
                chosen=chosen,
            ),
            "w_sweep_chart",
            "sweep",
            f"{job.title}: a line for each mechanism, with two standard errors",
        )
        if not job.running:
            st.caption(
                "Means with two standard errors. A line ends where no run missed by a record: "
                "an error of nothing has no place on a log axis."
            )

    def build() -> Experiment:
        rng = np.random.default_rng(STUDY_SEED)
        return sweep(column, mechanisms, quantiles, budget, axis, values, runs, rng)

    # the list of places depends on the records where it is of their numbers: pay for all there are
    places = len(DEFAULTS[axis]) + 1 if axis is Axis.RECORDS else len(values)
    spent = [budget.resized(size) for size in values] if axis is Axis.BUDGET else [budget] * places
    costs = [Cost(f"sweep, {label_of(name)}", one, runs) for name in mechanisms for one in spent]
    pay = paid_by(draw_in_use(STUDY_SEED), ("sweep", *compared.purpose(column), key), costs)
    job_panel(Study("sweep", key, source(), title, build, pay), draw)


def shown(rows: pd.DataFrame, metric: str, *, relative: bool) -> pd.DataFrame:
    """Means of one metric; relative ones in percent of the (sub)sample's records."""
    summed = summary(rows)
    summed = summed[summed["metric"] == metric]
    if relative:
        scale = 100 / np.maximum(summed["n"], 1)
        summed = summed.assign(
            mean=summed["mean"] * scale, standard_error=summed["standard_error"] * scale
        )
    return summed
