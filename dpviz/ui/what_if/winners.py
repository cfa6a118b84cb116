"""The Which wins view: a map of the best mechanism over budget, records and quantiles."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.planning.winners import advice, record_grid, winners, winners_map
from dpviz.figures.studies.winners import winners_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import empty_state
from dpviz.ui.quantiles.mechanisms import names

# sizes of ε, of ρ, records, numbers of quantiles, runs, seconds for a slow mechanism at one place
MAPS = {
    "quick": ((0.1, 1.0, 5.0), (0.005, 0.1, 2.0), (200, 1000), (3, 9, 60), 20, 0.2),
    "complete": (
        (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        (0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2.0),
        (200, 1000, 5000, 20_000),
        (3, 9, 35, 120),
        40,
        1.0,
    ),
}


def map_picker() -> str:
    """How fine the map is."""
    return str(
        st.segmented_control(
            "Map",
            list(MAPS),
            default="quick",
            required=True,
            key="w_map",
            bind="query-params",
            persist_state="session",
            help="Quick: three budgets, three numbers of quantiles, up to three sample sizes. "
            "Complete: seven, four and five.",
        )
    )


def winners_panel(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    size: str,
    metric: str,
) -> None:
    """Run it, and draw a panel for each number of quantiles with a sentence of advice."""
    epsilons, rhos, records, counts, runs, slow = MAPS[size]
    sizes = rhos if isinstance(budget, ZCDP) else epsilons
    grid = record_grid(column, records)
    symbol = budget.symbol
    if len(mechanisms) < 2:
        empty_state("Choose at least two mechanisms to see which one wins.")
        return
    title = f"{size} map of {session.unit()}, {symbol} × records × quantiles, {runs} runs a place"
    delta = getattr(budget, "delta", None)
    key = (column.fingerprint, tuple(mechanisms.items()), type(budget), delta, size)

    def draw(job: Job) -> None:
        found = winners(summary(job.rows()), metric)
        found["winner"] = found["winner"].map(label_of)
        found["second"] = found["second"].map(label_of, na_action="ignore").fillna("")
        own = budget.size, float(max(column.n, 1)), float(quantiles.count)
        st.info(advice(found, *own, symbol, metric), icon=":material/lightbulb:")
        kinds = {label_of(name): name for name in names()}
        found["winner"], found["second"] = (
            found[name].map(kinds).fillna("") for name in ("winner", "second")
        )
        near = min(counts, key=lambda m: abs(np.log(m / own[2])))
        for slot, m in zip(st.columns(2) * len(counts), counts, strict=False):
            with slot:
                st.markdown(f"**{m} uniform quantiles**")
                st.plotly_chart(
                    winners_figure(
                        found,
                        float(m),
                        frame.ink(),
                        symbol=symbol,
                        sizes=list(sizes),
                        records=[float(n) for n in grid],
                        chosen=(own[0], own[1]) if m == near else None,
                    ),
                    key=f"w_map_{m}",
                    config=chart_options(f"winners-{m}", scroll=False),
                    alt=f"Winner for {m} quantiles by {symbol} and number of records",
                )
        st.caption(
            "A cell names the mechanism with the smallest error and how many times as large the "
            "next one's is; pale with a question mark: noise could explain the difference. The "
            "frame marks the place nearest to your own choice on the left."
        )

    job_panel(
        "winners",
        key,
        source(),
        title,
        lambda: winners_map(
            column,
            mechanisms,
            budget,
            sizes,
            grid,
            counts,
            runs,
            np.random.default_rng(STUDY_SEED),
            slow,
        ),
        draw,
    )
