"""The exact search: the smallest budget of each method with an interval, and a fresh check."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.smallest_epsilon import RANGE, most_tried, smallest_size
from dpviz.figures.studies.tried import Search, search_picture
from dpviz.ui.bench import ledger, running
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, controls, job_of, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import attempt
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import answer, best, live, words
from dpviz.ui.what_if.asked import Asked, chips, unsettled
from dpviz.ui.what_if.basis import stands_in

HOW = (
    "Bisection over the same random numbers at every budget. The interval holds the true smallest "
    "budget with 95 % confidence wherever success grows with it; the check is by fresh runs at its "
    "upper end."
)


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
        return
    with run:
        controls(study, short=now.look.phone)
    job = job_of(study)
    if job is None or job.key != study.key:
        _before(now, asked, percent)
    elif running.is_shown(job):
        running.watched(job, lambda: _under_way(now, asked, job, percent))
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
    title = f"search for {words.target_words(percent)}, {asked.words()} of {basis.title}"
    return live.study("smallest", key, asked, title, build, costs)


def _before(now: Visit, asked: Asked, percent: float) -> None:
    """Nothing is searched yet: the stored curves say about where the answer will be."""
    headline(
        "What if",
        f"Search for the exact {asked.budget.symbol} of each method, with an interval.",
        f"For {plain(asked.words())} within {words.target_words(percent)}, "
        f"{words.often_words(asked.probability)} releases. The picture is the answer computed "
        f"beforehand. {plain(asked.basis.why)}",
    )
    curves = asked.basis.curves("deciles") or stored.curves(answer.PREVIEW, "deciles")
    found = best.ranked(curves, percent / 100, asked.methods)
    if found:
        answer.picture(
            now, asked, found, percent, "Answers computed beforehand.", compared=True, key="search"
        )


def _under_way(now: Visit, asked: Asked, job: Job, percent: float) -> None:
    headline("What if", *running.sentences(job, "The search", "Each part is one method."))
    running.parts(job)
    rows = job.rows()
    left, right = st.columns((7, 3), gap="large")
    with left:
        _picture(now, asked, rows, percent, "The search so far.", key="running")
    with right:
        answers = rows[rows["kind"] == "answer"] if len(rows) else rows
        told = [
            f"{words.method(one['mechanism']).name}: {_size(one['size'])}."
            for one in answers.to_dict("records")
        ]
        running.beside(running.notes(" ".join(told), live.to_come(job)))


def _done(now: Visit, asked: Asked, job: Job, percent: float) -> None:
    rows, symbol = job.rows(), asked.budget.symbol
    answers = rows[rows["kind"] == "answer"].sort_values("size", na_position="last")
    first = answers.iloc[0]
    name = words.method(str(first["mechanism"])).name
    said = f"No {symbol} up to {RANGE[1]:g} reaches the target."
    if np.isfinite(first["size"]):
        said = (
            f"{name[0].upper()}{name[1:]} needs {private(words.size_words(first['size'], symbol))}, "
            f"between {_size(first['low'])} and {_size(first['high'])}."
        )
    often = words.often_words(asked.probability)
    headline(
        "What if",
        said,
        f"{plain(asked.words())} of {plain(asked.basis.title)} within "
        f"{words.target_words(percent)}, {often} releases.",
    )
    _picture(now, asked, rows, percent, said)
    strip(
        now,
        [("took", f"{job.elapsed:.0f} s")],
        chips=chips(asked),
        badge=not asked.basis.is_stand_in,
    )
    st.dataframe(
        answers_table(answers, symbol),
        hide_index=True,
        alt=f"Smallest {symbol} of each method, with intervals",
    )
    st.caption(HOW)


def _picture(
    now: Visit, asked: Asked, rows: pd.DataFrame, percent: float, alt: str, key: str = "search"
) -> None:
    if rows.empty:
        _before_rows(now, asked, percent)
        return
    drawn = Search(asked.probability, asked.budget.symbol, words.names(asked.methods))
    hero(search_picture(rows, drawn, now.look), key, alt=plain(alt), slides="dpviz-search")


def _before_rows(now: Visit, asked: Asked, percent: float) -> None:
    found = best.ranked(stored.curves(answer.PREVIEW, "deciles"), percent / 100, asked.methods)
    answer.picture(
        now, asked, found, percent, "A stand-in meanwhile.", compared=True, key="running"
    )


def answers_table(answers: pd.DataFrame, symbol: str) -> pd.DataFrame:
    """One line a method, the thriftiest first."""
    return pd.DataFrame(
        {
            "Method": [words.method(name).name for name in answers["mechanism"]],
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


def _size(size: float) -> str:
    if not np.isfinite(size):
        return f"more than {RANGE[1]:g}"
    return "0" if size == 0 else f"{size:.3g}"
