"""Which method wins where: a map over budget, people and quantiles, stored or run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.beforehand import MAPPED, planned
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.winners import (
    advice,
    nearest_place,
    record_grid,
    winners,
    winners_map,
)
from dpviz.figures.studies.won import Map, map_picture
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
from dpviz.ui.kit.messages import attempt, empty_state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live, words
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
from dpviz.ui.what_if.sweep import PREVIEW


def wins_view(now: Visit) -> None:
    """Everything of the page in this view."""
    with dock(now, sliders=1) as d:
        d.budget()
        run = d.buttons.container(horizontal=True, vertical_alignment="center", width="content")
        d.truth()
        ledger.in_dock(d)
        asked, size, taken = _settings(now, d)
    if asked is None:
        unsettled()
        return
    if len(asked.methods) < 2:
        empty_state("Choose at least two methods to see which one wins.")
        return
    study = attempt(lambda: map_study(asked, size))
    if study is None:
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is not None and running.is_shown(job) and job.key == study.key:
        running.watched(job, lambda: _under_way(now, asked, size, job))
    elif job is not None and job.done:
        own = job.key == study.key
        told = f"{job.title[0].upper()}{job.title[1:]}."
        _shown(
            now, asked, _found(asked, job), told if own else f"For other settings: {told}", taken
        )
        with taken:
            take_away("winners", job)
    else:
        _beforehand(now, asked, taken)


def _settings(now: Visit, d: Dock) -> tuple[Asked | None, str, DeltaGenerator]:
    with d.explore(label()):
        basis, question, quantiles = explore(now)
        methods = method_choice(now.budget)
        if len(methods) == 1:
            st.caption(":material/info: Choose at least two methods.")
    with d.expert():
        metric, probability, tree = expert(now, methods, chance=False)
        size = choices.segments(
            "Map",
            list(GRIDS),
            "w_map",
            "Quick: three budgets, three numbers of quantiles, up to three sample sizes. "
            "Complete: seven, four and five.",
        )
        taken = st.container()
    if basis is None or quantiles is None or not methods:
        return None, size, taken
    asked = Asked(
        basis, question, quantiles, methods, now.budget, now.neighbours, metric, probability, tree
    )
    return asked, size, taken


def map_study(asked: Asked, size: str) -> Study:
    """The map, in parts. Raises: DpvizError for a tree that cannot be."""
    grid, basis, budget = GRIDS[size], asked.basis, asked.budget
    mechanisms = asked.mechanisms()
    sizes = grid.rhos if isinstance(budget, ZCDP) else grid.epsilons

    def build() -> Experiment:
        column = basis.column()
        return winners_map(
            column,
            mechanisms,
            budget,
            sizes,
            record_grid(column, grid.records),
            grid.quantiles,
            grid.runs,
            np.random.default_rng(STUDY_SEED),
            grid.slow,
        )

    # how many samples are smaller than the column depends on its people: all there can be are paid
    times = grid.runs * len(grid.quantiles) * (len(grid.records) + 1)
    costs = [
        Cost(f"map of winners, {label_of(name)}", budget.resized(one), times, simulated=True)
        for name in mechanisms
        for one in sizes
    ]
    usual = replace(asked, question="deciles", metric="")
    key = ("winners", *usual.key(), budget.resized(1.0), size)
    title = f"{size} map of {basis.title}, {grid.runs} runs a place"
    return live.study("winners", key, asked, title, build, costs)


def _found(asked: Asked, job: Job) -> pd.DataFrame:
    rows = job.rows()
    return winners(summary(rows), asked.metric) if len(rows) else pd.DataFrame()


def _beforehand(now: Visit, asked: Asked, taken: DeltaGenerator) -> None:
    part, budget = _stored_about(asked.budget)
    places = stored.mapped(asked.basis.map_key, asked.metric, part)
    own = places is not None
    places = stored.mapped(PREVIEW, asked.metric, part) if places is None else places
    assert places is not None, "a map is stored for the preview"
    told = "Computed beforehand: 40 releases a place, slow methods fewer"
    told += "" if own else ", on a stand-in of 15,000 people"
    told += "." if own and _is_usual(asked) else ". Your settings are others: run them."
    told += f" {asked.basis.why}" if asked.basis.why else ""
    own_place = asked if type(budget) is type(asked.budget) else replace(asked, budget=budget)
    _shown(now, own_place, places, told, taken)
    with taken:
        csv_button("winners_stored", places)


def _is_usual(asked: Asked) -> bool:
    """Whether a stored map was made with these settings: notion, relation and all methods."""
    _, budget = _stored_about(asked.budget)
    return (
        asked.budget.resized(budget.size) == budget  # the notion, and δ where there is one
        and set(asked.methods) == {*planned(budget)}
        and (asked.neighbours, asked.tree) == (Neighbours.ADD_REMOVE, TREE)
    )


def _stored_about(budget: Budget) -> tuple[str, Budget]:
    """The stored maps of a notion, and a budget of it; those in ε for one without maps."""
    fitting = [each for each in MAPPED.items() if type(each[1]) is type(budget)]
    return (fitting or list(MAPPED.items()))[0]


def _under_way(now: Visit, asked: Asked, size: str, job: Job) -> None:
    each = "Each part is some releases at one place; the slowest method comes last."
    headline("What if", *running.sentences(job, f"The {size} map", each))
    running.parts(job)
    places = _found(asked, job)
    left, right = st.columns((7, 3), gap="large")
    with left:
        if len(places):
            _picture(now, asked, places, "The map so far.", key="running")
        else:
            _picture(
                now,
                asked,
                stored.mapped(PREVIEW, asked.metric, _stored_about(asked.budget)[0]),
                "A stand-in meanwhile.",
                key="running",
            )
    with right:
        running.beside(running.notes(tally(places) if len(places) else "", live.to_come(job)))


def _shown(
    now: Visit, asked: Asked, places: pd.DataFrame, told: str, taken: DeltaGenerator
) -> None:
    symbol = asked.budget.symbol
    own = asked.budget.size, float(max(asked.basis.n, 1)), float(asked.quantiles.count)
    named = places.assign(
        winner=[words.method(one).name for one in places["winner"]],
        second=[words.method(one).name if one else "" for one in places["second"]],
    )
    said = tally(places)
    unsure = len(places) - int(places["clear"].astype(bool).sum())
    aside = "" if now.presenting else f" {unsure} places are too close to call. {told}"
    headline("What if", plain(said), plain(f"{_here(named, *own, symbol)}{aside}"))
    _picture(now, asked, places, advice(named, *own, symbol, asked.metric))
    strip(
        now,
        [("computed on", asked.basis.title), ("error", asked.metric)],
        chips=[*chips(asked, MEAN_GAP), "pale and ?: noise could explain it"],
        badge=not asked.basis.is_stand_in,
    )
    with taken:
        slides(now, "wins", said, "dpviz-wins")


def _here(named: pd.DataFrame, size: float, n: float, m: float, symbol: str) -> str:
    """Who wins at the place that is nearest to one's own."""
    here = nearest_place(named, size, n, m)
    where = f"At {symbol} = {here['size']:g}, {here['n']:,.0f} people, {here['m']:.0f} quantiles: "
    if here["clear"]:
        return f"{where}{here['winner']}."
    return f"{where}{here['winner']} or {here['second']}, noise could explain it."


def tally(places: pd.DataFrame) -> str:
    """Who wins most often, and who comes next, as one sentence."""
    clear = places.loc[places["clear"].astype(bool), "winner"].value_counts()
    if clear.empty:
        return f"Noise could explain every win at these {len(places)} places."
    told = [(words.method(str(key)).name, count) for key, count in clear.items()]
    name, count = told[0]
    next_one = f", {told[1][0]} at {told[1][1]}" if told[1:] else ""
    return f"{name[0].upper()}{name[1:]} wins at {count} of {len(places)} places{next_one}."


def _picture(
    now: Visit, asked: Asked, places: pd.DataFrame | None, alt: str, key: str = "wins"
) -> None:
    assert places is not None
    counts = [int(one) for one in sorted(places["m"].unique())]
    own = asked.quantiles.count
    near = min(counts, key=lambda m: abs(np.log(m / own)))
    sizes = sorted(places["size"].unique().tolist())
    drawn = Map(
        sizes[::2] if now.look.phone else sizes,
        sorted(places["n"].unique().tolist()),
        _fitting(now, counts, near),
        asked.budget.symbol,
        words.names(list(words.METHODS)),
        (asked.budget.size, float(max(asked.basis.n, 1)), near),
    )
    hero(map_picture(places, drawn, now.look), key, alt=plain(alt), slides="dpviz-wins")


def _fitting(now: Visit, counts: list[int], near: int) -> list[int]:
    """As many panels as the window has room for words in their cells; one's own is among them."""
    if now.look.phone or now.presenting:
        return [near]
    if now.look.screen == "wide":
        return counts
    return sorted({near, counts[-1] if near != counts[-1] else counts[0]})
