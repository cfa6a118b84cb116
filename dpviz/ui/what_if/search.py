"""The exact search: the smallest budget of each method with an interval, and a fresh check."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.answers.studies import names, search, search_said
from dpviz.answers.studies.names import USUAL, often_text, target_text
from dpviz.answers.studies.search import SearchNumbers, SearchQuestion
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.smallest_epsilon import most_tried, smallest_size
from dpviz.figures.studies.tried import search_picture
from dpviz.ui.bench import ledger, running
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, controls, job_of, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import attempt
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import answer, live
from dpviz.ui.what_if.asked import Asked, chips, unsettled
from dpviz.ui.what_if.basis import stands_in


def search_view(now: Visit) -> None:
    """Everything of the page in this view."""
    with dock(now, sliders=2 if stands_in() else 1) as d:
        percent = answer.target_slider(d)
        beside = d.second_slot() if stands_in() else None
        run = d.buttons.container(horizontal=True, vertical_alignment="center", width="content")
        d.truth()
        ledger.in_dock(d)
        asked, taken = answer.settings(now, d, beside)
    if asked is None:
        unsettled()
        return
    study = attempt(lambda: search_study(asked, percent))
    if study is None:
        unsettled()
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is None or job.key != study.key:
        _before(now, asked, percent)
    elif running.is_shown(job):
        running.watched(
            job,
            "What if",
            "The search",
            "Each part is one method.",
            lambda: _under_way(now, asked, job, percent),
        )
    else:
        _done(now, asked, job, percent)
        with taken:
            take_away(study.place, job)


def search_study(asked: Asked, percent: float) -> Study:
    """The search, a part for each method. Raises: DpvizError for a tree that cannot be."""
    mechanisms, basis = asked.mechanisms(), asked.basis
    runs = live.RUNS[asked.probability]

    def build() -> Experiment:
        return smallest_size(
            basis.column(),
            mechanisms,
            asked.quantiles,
            asked.budget,
            percent / 100 * basis.n,
            asked.metric,
            asked.probability,
            runs,
            np.random.default_rng(STUDY_SEED),
        )

    costs = [
        Cost(f"search, {label_of(name)}", asked.budget.resized(size), runs, simulated=True)
        for name in mechanisms
        for size in most_tried()
    ]
    key = ("search", *asked.key(), asked.budget.resized(1.0), percent)
    title = f"search for {target_text(percent)}, {asked.words()} of {basis.title}"
    return live.study("smallest", key, asked, title, build, costs)


def _before(now: Visit, asked: Asked, percent: float) -> None:
    """Nothing is searched yet: the stored curves say about where the answer will be."""
    question = asked.question if asked.question in QUESTIONS else "deciles"
    curves = asked.basis.curves(question)
    found, spoken = answer.preview(asked, percent, curves)
    shown = "the answer computed beforehand"
    if not curves:
        shown = f"that of a stand-in of {FINE:,} people, computed beforehand"
    elif not asked.is_usual:
        shown = f"the answer for {spoken.what} in {often_text(USUAL)} releases, computed beforehand"
    symbol, probability = asked.budget.symbol, asked.probability
    said = search_said.before(asked.names(), percent, probability, symbol, shown)
    headline("What if", said.headline(), said.second())
    if found is not None:
        answer.picture(now, found, spoken, said.alt, compared=True, key="search")


def _under_way(now: Visit, asked: Asked, job: Job, percent: float) -> None:
    found = _found(asked, job, percent)
    left, right = st.columns((7, 3), gap="large")
    with left:
        if found.tried:
            _picture(now, found, "The search so far.", key="running")
        else:
            _meanwhile(now, asked, percent)
    with right:
        running.beside(running.notes(search_said.so_far(found), live.to_come(job)))


def _found(asked: Asked, job: Job, percent: float) -> SearchNumbers:
    symbol, rows = asked.budget.symbol, job.rows()
    return search.answer(
        SearchQuestion(rows, asked.methods, percent, asked.probability, symbol, job.elapsed)
    )


def _done(now: Visit, asked: Asked, job: Job, percent: float) -> None:
    found = _found(asked, job, percent)
    said = search_said.say(found, asked.names())
    headline("What if", said.headline(), said.second())
    _picture(now, found, said.alt)
    strip(now, said.strip, chips=chips(asked), badge=not asked.basis.is_stand_in)
    (table,) = said.tables
    rows = pd.DataFrame(table.rows, columns=list(table.columns))
    st.dataframe(rows, hide_index=True, alt=table.alt)
    st.caption(search_said.HOW)


def _picture(now: Visit, found: SearchNumbers, alt: str, key: str = "search") -> None:
    called = names.names([one.key for one in found.tried])
    hero(search_picture(found, called, now.look), key, alt=alt, slides="dpviz-search")


def _meanwhile(now: Visit, asked: Asked, percent: float) -> None:
    found, spoken = answer.preview(asked, percent)
    if found is not None:
        said = "A stand-in meanwhile."
        answer.picture(now, found, spoken, said, compared=True, key="running")
