"""The Which wins view: a map of the best mechanism over budget, records and quantiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.budgets import ZCDP
from dpviz.core.data import Column
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.planning.winners import advice, record_grid, winners, winners_map
from dpviz.figures.studies.winners import winners_figure
from dpviz.ui.kit import choices, frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import STUDY_SEED, draw_in_use, paid_by
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, job_panel, source
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import empty_state
from dpviz.ui.what_if.controls import Compared, compared_picker


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of a map, the runs at each, and the seconds of a slow mechanism at one place."""

    epsilons: tuple[float, ...]
    rhos: tuple[float, ...]
    records: tuple[int, ...]
    quantiles: tuple[int, ...]
    runs: int
    slow: float


MAPS = {
    "quick": Grid(
        epsilons=(0.1, 1.0, 5.0),
        rhos=(0.005, 0.1, 2.0),
        records=(200, 1000),
        quantiles=(3, 9, 60),
        runs=20,
        slow=0.2,
    ),
    "complete": Grid(
        epsilons=(0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        rhos=(0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2.0),
        records=(200, 1000, 5000, 20_000),
        quantiles=(3, 9, 35, 120),
        runs=40,
        slow=1.0,
    ),
}


@dataclass(frozen=True, slots=True)
class Contest:
    """Which mechanisms meet, on a map of which name."""

    compared: Compared
    size: str


def winners_controls() -> Contest | None:
    """How fine the map is, and what is on it; None where a choice cannot be used."""
    size = choices.segments(
        "Map",
        list(MAPS),
        "w_map",
        "Quick: three budgets, three numbers of quantiles, up to three sample sizes. "
        "Complete: seven, four and five.",
    )
    compared = compared_picker(2)
    return None if compared is None else Contest(compared, size)


def winners_panel(column: Column, contest: Contest) -> None:
    """Run it, and draw a panel for each number of quantiles with a sentence of advice."""
    compared, size = contest.compared, contest.size
    mechanisms, budget, metric = compared.mechanisms, compared.budget, compared.metric
    if len(mechanisms) < 2:
        empty_state("Choose at least two mechanisms to see which one wins.")
        return
    grid, symbol = MAPS[size], budget.symbol
    sizes = grid.rhos if isinstance(budget, ZCDP) else grid.epsilons
    records = record_grid(column, grid.records)
    title = (
        f"{size} map of {session.unit()}, {symbol} × records × quantiles, {grid.runs} runs a place"
    )

    def draw(job: Job) -> None:
        found = winners(summary(job.rows()), metric)
        own = budget.size, float(max(column.n, 1)), float(compared.quantiles.count)
        said = found.assign(
            winner=found["winner"].map(label_of), second=found["second"].map(label_of)
        )
        st.info(advice(said, *own, symbol, metric), icon=":material/lightbulb:")
        near = min(grid.quantiles, key=lambda m: abs(np.log(m / own[2])))
        slots = st.columns(2) * len(grid.quantiles)
        for slot, m in zip(slots, grid.quantiles, strict=False):
            slot.markdown(f"**{m} uniform quantiles**")
            figure = winners_figure(
                found,
                float(m),
                frame.ink(),
                symbol=symbol,
                sizes=list(sizes),
                records=[float(n) for n in records],
                chosen=own[:2] if m == near else None,
            )
            chart(
                figure,
                f"w_map_{m}",
                f"winners-{m}",
                f"Winner for {m} quantiles by {symbol} and number of records",
                place=slot,
            )
        st.caption(
            "A cell names the mechanism with the smallest error and how many times as large the "
            "next one's is; pale with a question mark: noise could explain the difference. The "
            "frame marks the place nearest to your own choice on the left."
        )

    def build() -> Experiment:
        return winners_map(
            column,
            mechanisms,
            budget,
            sizes,
            records,
            grid.quantiles,
            grid.runs,
            np.random.default_rng(STUDY_SEED),
            grid.slow,
        )

    key = (compared.key(column), type(budget), getattr(budget, "delta", None), size)
    # how many samples are smaller than the column depends on its records: pay for all there are
    times = grid.runs * len(grid.quantiles) * (len(grid.records) + 1)
    costs = [
        Cost(f"map of winners, {label_of(name)}", budget.resized(one), times)
        for name in mechanisms
        for one in sizes
    ]
    pay = paid_by(draw_in_use(STUDY_SEED), ("winners", *compared.purpose(column), key), costs)
    job_panel(Study("winners", key, source(), title, build, pay), draw)
