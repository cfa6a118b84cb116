"""The Smallest ε view: how much budget a wanted accuracy takes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms
from dpviz.experiments.planning.smallest_epsilon import RANGE, smallest_size
from dpviz.figures.studies.sweeps import success_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.what_if.controls import described

RUNS = {0.5: 200, 0.9: 200, 0.95: 300, 0.99: 600}  # enough for an interval on both sides


def target_picker() -> tuple[float, float]:
    """The error to reach in percent of the records, and with which probability."""
    percent = st.number_input(
        "Target: at most, % of the records",
        min_value=0.001,
        max_value=50.0,
        value=1.0,
        step=0.1,
        format="%.10g",
        key="w_target",
        bind="query-params",
        persist_state="session",
        help="1 % means that a private median lies between the 49 % and the 51 % quantile.",
    )
    probability = st.select_slider(
        "With probability",
        list(RUNS),
        value=0.95,
        key="w_probability",
        format_func=lambda p: f"{p:g}",
        bind="query-params",
        persist_state="session",
        help="The share of releases that must reach the target.",
    )
    return float(percent), float(probability)


def smallest_panel(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    target: tuple[float, float],
    metric: str,
) -> None:
    """Search for every mechanism, then say it in words, numbers and a picture."""
    percent, probability = target
    records, runs = percent / 100 * column.n, RUNS[probability]
    symbol = budget.symbol
    title = (
        f"{session.unit()}, {described(quantiles)}: {metric} at most {percent:g} % of the records "
        f"with probability {probability:g}"
    )
    key = (
        column.fingerprint,
        tuple(mechanisms.items()),
        quantiles.asked.tobytes(),
        type(budget),
        getattr(budget, "delta", None),
        target,
        metric,
    )

    def draw(job: Job) -> None:
        rows = job.rows()
        st.plotly_chart(
            success_figure(rows, probability, frame.ink(), symbol=symbol),
            key="w_smallest_chart",
            config=chart_options("smallest", scroll=False),
            alt=f"{job.title}: share of runs that reach it against {symbol}",
        )
        answers_table(rows, symbol)
        if not job.running:
            st.caption(
                f"Bisection between {RANGE[0]:g} and {RANGE[1]:g} over the same random numbers at "
                f"every {symbol}. The interval holds the true smallest {symbol} with 95 % "
                "confidence wherever success grows with it; the check is by fresh runs at its "
                "upper end."
            )

    job_panel(
        "smallest",
        key,
        source(),
        title,
        lambda: smallest_size(
            column,
            mechanisms,
            quantiles,
            budget,
            records,
            metric,
            probability,
            runs,
            np.random.default_rng(STUDY_SEED),
        ),
        draw,
    )


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
