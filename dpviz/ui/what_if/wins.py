"""Which method wins where: a map over budget, people and quantiles, stored or run."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz import catalogue
from dpviz.answers.studies import sweep_said, wins, wins_said
from dpviz.answers.studies.names import TREE, StudyNames
from dpviz.answers.studies.names import names as names_of
from dpviz.answers.studies.wins import WinsNumbers, WinsQuestion
from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.beforehand import MAPPED, planned
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.winners import record_grid, winners, winners_map
from dpviz.figures.studies.won import Map, map_picture
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
from dpviz.ui.what_if.sweep import PREVIEW


@dataclass(frozen=True, slots=True)
class WinsKey:
    """Names a run in full: whose errors they are, the notion of its budgets, and which map."""

    settings: tuple[Hashable, ...]
    budget: Budget
    size: str


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
        unsettled("Choose at least two methods to see which one wins.")
        return
    study = attempt(lambda: map_study(asked, size))
    if study is None:
        unsettled()
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is not None and running.is_shown(job) and job.key == study.key:
        running.watched(
            job, "What if", f"The {size} map", EACH_PLACE, lambda: _under_way(now, asked, job)
        )
    elif job is not None and job.done and len(places := _won(asked, job)):
        assert isinstance(job.key, WinsKey)
        told = sweep_said.of_run(job.title, is_own=job.key == study.key)
        _shown(now, asked, _question(asked, places, job.key.budget), asked.names(), told, taken)
        with taken:
            take_away("winners", job)
    else:
        _beforehand(now, asked, taken)


def _settings(now: Visit, d: Dock) -> tuple[Asked | None, str, DeltaGenerator]:
    with d.explore(label(now)):
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
    key = WinsKey(usual.key(), budget.resized(1.0), size)
    title = f"{size} map of {basis.title}, {grid.runs} runs a place"
    return live.study("winners", key, asked, title, build, costs)


def _won(asked: Asked, job: Job) -> pd.DataFrame:
    rows = job.rows()
    return winners(summary(rows), asked.metric) if len(rows) else pd.DataFrame()


def _question(asked: Asked, places: pd.DataFrame, budget: Budget) -> WinsQuestion:
    """One's own place among others; its budget is the visit's where the notion is that of the map."""
    own = asked.budget if asked.budget.symbol == budget.symbol else budget
    people = float(max(asked.basis.n, 1))
    return WinsQuestion(
        places, own.size, people, asked.quantiles.count, budget.symbol, asked.metric
    )


def _beforehand(now: Visit, asked: Asked, taken: DeltaGenerator) -> None:
    part, budget = _stored_about(asked.budget)
    own = stored.mapped(asked.basis.map_key, asked.metric, part)
    places = stored.mapped(PREVIEW, asked.metric, part) if own is None else own
    assert places is not None, "a map is stored for the preview"
    is_own = own is not None and _is_usual(asked)
    told = wins_said.beforehand(of_own_data=own is not None, is_own=is_own, why=asked.basis.why)
    title = wins_said.STAND_IN if own is None else asked.basis.map_title
    names = replace(asked.names(), title=title)
    _shown(now, asked, _question(asked, places, budget), names, told, taken)
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


def _under_way(now: Visit, asked: Asked, job: Job) -> None:
    part, places = _stored_about(asked.budget)[0], _won(asked, job)
    shown = places if len(places) else stored.mapped(PREVIEW, asked.metric, part)
    assert shown is not None, "a map is stored for the preview"
    found = wins.answer(_question(asked, shown, asked.budget))
    left, right = st.columns((7, 3), gap="large")
    with left:
        alt = "The map so far." if len(places) else "A stand-in meanwhile."
        _picture(now, found, alt, key="running")
    with right:
        so_far = wins_said.tally(found) if len(places) else ""
        running.beside(running.notes(so_far, live.to_come(job)))


def _shown(
    now: Visit,
    asked: Asked,
    question: WinsQuestion,
    names: StudyNames,
    told: str,
    taken: DeltaGenerator,
) -> None:
    found = wins.answer(question)
    said = wins_said.say(found, names, told)
    headline("What if", said.headline(), said.second(brief=now.presenting))
    _picture(now, found, said.alt)
    strip(
        now,
        said.strip,
        chips=[*chips(asked, MEAN_GAP), *said.chips],
        badge=not asked.basis.is_stand_in,
    )
    with taken:
        slides(now, "wins", wins_said.tally(found), "dpviz-wins")


def _picture(now: Visit, found: WinsNumbers, alt: str, key: str = "wins") -> None:
    here = found.here
    drawn = Map(
        _fitting_sizes(now, found),
        found.people,
        _fitting(now, list(found.quantiles), found.panel),
        found.symbol,
        names_of([kind.name for kind in catalogue.QUANTILES]),
        (here.budget, here.people, found.panel),
    )
    hero(map_picture(found.places, drawn, now.look), key, alt=alt, slides="dpviz-wins")


def _fitting_sizes(now: Visit, found: WinsNumbers) -> Sequence[float]:
    """Every second budget on a phone; one's own is among them."""
    sizes = found.budgets
    return sizes[sizes.index(found.here.budget) % 2 :: 2] if now.look.phone else sizes


def _fitting(now: Visit, counts: list[int], near: int) -> list[int]:
    """As many panels as the window has room for words in their cells; one's own is among them."""
    if now.look.phone or now.presenting:
        return [near]
    if now.look.screen == "wide":
        return counts
    return sorted({near, counts[-1] if near != counts[-1] else counts[0]})
