"""The Smallest ε view: how much budget a wanted accuracy takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.data import Column
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.smallest_epsilon import RANGE, most_tried, smallest_size
from dpviz.figures.studies.sweeps import success_figure
from dpviz.ui.kit import choices, frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, paid_by
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.what_if.controls import Compared, compared_picker, described, notion_picker

RUNS = {0.5: 200, 0.9: 200, 0.95: 300, 0.99: 600}  # enough for an interval on both sides


@dataclass(frozen=True, slots=True)
class Target:
    """The error to reach, in per cent of the records, and with which probability."""

    compared: Compared
    percent: float
    probability: float


def smallest_controls() -> Target | None:
    """The target, and what is to reach it; None where a choice cannot be used."""
    percent = choices.number(
        "Target: at most, % of the records",
        "w_target",
        "1 % means that a private median lies between the 49 % and the 51 % quantile.",
        default=1.0,
        min_value=0.001,
        max_value=50.0,
        step=0.1,
    )
    meaning = "The share of releases that must reach the target."
    probability = choices.steps(
        "With probability", list(RUNS), "w_probability", meaning, default=0.95
    )
    compared = compared_picker(budget=notion_picker)
    return None if compared is None else Target(compared, percent, probability)


def smallest_panel(column: Column, target: Target) -> None:
    """Search for every mechanism, then say it in words, numbers and a picture."""
    compared, percent, probability = target.compared, target.percent, target.probability
    quantiles, budget, metric = compared.quantiles, compared.budget, compared.metric
    symbol = budget.symbol
    title = (
        f"{session.unit()}, {described(quantiles)}: {metric} at most {percent:g} % of the records "
        f"with probability {probability:g}"
    )

    def draw(job: Job) -> None:
        rows = job.rows()
        chart(
            success_figure(rows, probability, frame.ink(), symbol=symbol),
            "w_smallest_chart",
            "smallest",
            f"{job.title}: share of runs that reach it against {symbol}",
        )
        answers_table(rows, symbol)
        if not job.running:
            st.caption(
                f"Bisection between {RANGE[0]:g} and {RANGE[1]:g} over the same random numbers at "
                f"every {symbol}. The interval holds the true smallest {symbol} with 95 % "
                "confidence wherever success grows with it; the check is by fresh runs at its "
                "upper end."
            )

    def build() -> Experiment:
        return smallest_size(
            column,
            compared.mechanisms,
            quantiles,
            budget,
            percent / 100 * column.n,
            metric,
            probability,
            RUNS[probability],
            np.random.default_rng(STUDY_SEED),
        )

    asked = quantiles.asked.tobytes()
    key = (compared.key(column), asked, budget, percent, probability, metric)
    costs = [
        Cost(f"smallest budget, {label_of(name)}, at most", budget.resized(size), RUNS[probability])
        for name in compared.mechanisms
        for size in most_tried()
    ]
    pay = paid_by(draw_in_use(STUDY_SEED), ("smallest", *compared.purpose(column), key), costs)
    job_panel(Study("smallest", key, source(), title, build, pay), draw)


def answers_table(rows: pd.DataFrame, symbol: str) -> None:
    """One line a mechanism, the thriftiest first."""
    answers = rows[rows["kind"] == "answer"].sort_values("size", na_position="last")
    table = pd.DataFrame(
        {
            "Mechanism": [label_of(name) for name in answers["mechanism"]],
            f"Smallest {symbol}": [_size(size) for size in answers["size"]],
            "95 % interval": [
                f"{_size(low)} to {_size(high)}"
                for low, high in zip(answers["low"], answers["high"], strict=True)
            ],
            "Fresh check": [
                f"{rate:.1%} of {runs:.0f} runs (at least {low:.1%})" if runs else "none"
                for rate, runs, low in zip(
                    answers["rate"], answers["runs"], answers["rate_low"], strict=True
                )
            ],
        }
    )
    st.dataframe(table, hide_index=True, alt=f"Smallest {symbol} of each mechanism, with intervals")


def _size(size: float) -> str:
    if np.isinf(size):
        return f"more than {RANGE[1]:g}"
    return "0" if size == 0 else f"{size:.3g}"
