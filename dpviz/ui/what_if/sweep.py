"""The Sweep view: error against one parameter, on the chosen column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.planning.sweeps import Axis, axis_values, sweep
from dpviz.figures.studies.sweeps import sweep_figure
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.job_panel import job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.what_if.controls import described, metric_title

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


def preset_picker() -> None:
    """Questions that are put into the widgets."""
    st.selectbox(
        "Question",
        list(PRESETS),
        key="w_preset",
        on_change=_apply_preset,
        persist_state="session",
        help="Puts the settings that answer a question into the widgets.",
    )


def _apply_preset() -> None:
    for key, value in PRESETS[st.session_state["w_preset"]].items():
        st.session_state[key] = value
        if key == "w_eps":
            st.session_state["w_notion"] = "pure"
            st.session_state.pop("w_eps_slider", None)


def axis_picker() -> Axis:
    """What the sweep moves."""
    chosen = st.selectbox(
        "Error against",
        list(Axis),
        key="w_axis",
        format_func=lambda axis: NAMES[axis],
        bind="query-params",
        persist_state="session",
        help="Fewer records are drawn from the column without replacement; m takes uniform "
        "quantiles; height and fanout move AggTree alone.",
    )
    return Axis(chosen or Axis.BUDGET)


def sweep_panel(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    axis: Axis,
    runs: int,
    metric: str,
    *,
    relative: bool,
) -> None:
    """Run it, and draw what is there."""
    tree = next((one for one in mechanisms.values() if isinstance(one, AggTree)), AggTree())
    values = axis_values(axis, column, tree)
    fixed = [f"{session.unit()}"]
    fixed += [] if axis is Axis.BUDGET else [str(budget)]
    fixed += [] if axis is Axis.QUANTILES else [described(quantiles)]
    title = f"error against {NAMES[axis]}: {', '.join(fixed)}, {runs} runs"
    asked = None if axis is Axis.QUANTILES else quantiles.asked.tobytes()
    key = (column.fingerprint, tuple(mechanisms.items()), asked, budget, axis, values, runs)
    x_title = budget.symbol if axis is Axis.BUDGET else NAMES[axis]

    def draw(job: Job) -> None:
        chosen = budget.size if axis is Axis.BUDGET and job.key == key else None
        st.plotly_chart(
            sweep_figure(
                shown(job.rows(), metric, relative=relative),
                frame.ink(),
                x_title=x_title if job.key == key else "x",
                y_title=metric_title(metric, relative=relative),
                chosen=chosen,
            ),
            key="w_sweep_chart",
            config=chart_options("sweep", scroll=False),
            alt=f"{job.title}: a line for each mechanism, with two standard errors",
        )
        if not job.running:
            st.caption(
                "Means with two standard errors. A line ends where no run missed by a record: "
                "an error of nothing has no place on a log axis."
            )

    job_panel(
        "sweep",
        key,
        source(),
        title,
        lambda: sweep(
            column,
            mechanisms,
            quantiles,
            budget,
            axis,
            values,
            runs,
            np.random.default_rng(STUDY_SEED),
        ),
        draw,
    )


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
