"""The exact search: the smallest budget of each method with an interval, and a fresh check."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpviz.answers.said import Said
from dpviz.answers.studies import names, search, search_said
from dpviz.answers.studies.names import USUAL, often_text, target_text
from dpviz.answers.studies.search import SearchNumbers, SearchQuestion
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.smallest_epsilon import most_tried, smallest_size
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.what_if.tried import search_picture
from dpviz.ui.bench import running
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live
from dpviz.ui.what_if.asked import Task
from dpviz.ui.what_if.frontier import Previewed, preview, previewed
from dpviz.ui.what_if.live import in_parts


@dataclass(frozen=True, eq=False)
class Search(Task):
    """A bisection over budgets, method by method."""

    def plan(self) -> Study:
        """The search, a part for each method. Raises: DpvizError for a tree that cannot be."""
        asked, percent = self.asked, self.percent
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


def _instead(task: Search, _: Visit, __: Values) -> View[Search, Previewed] | None:
    if task.own_job is None:
        return BEFORE
    return UNDER_WAY if running.is_shown(task.own_job) else None


def _before(task: Search, _: Values) -> Previewed:
    """The stored curves say about where the answer will be."""
    return preview(task.asked, task.percent, task.asked.basis.curves(_question(task)))


def _question(task: Search) -> str:
    return task.asked.question if task.asked.question in QUESTIONS else "deciles"


def _say_before(task: Search, found: Previewed) -> Said:
    asked, shown = task.asked, "the frontier computed beforehand"
    if not asked.basis.curves(_question(task)):
        shown = f"that of a stand-in of {FINE:,} people, computed beforehand"
    elif not asked.is_usual:
        often = often_text(USUAL)
        shown = f"the frontier of {found[1].what} in {often} releases, computed beforehand"
    symbol, probability = asked.budget.symbol, asked.probability
    return search_said.before(asked.names(), task.percent, probability, symbol, shown)


def _in_the_making(task: Search, job: Job) -> None:
    found, look = _found(task, job), task.now.look
    drawn: Picture | None
    if found.tried:
        drawn, alt = _picture(found, look), "The search so far."
    else:
        meanwhile = preview(task.asked, task.percent)
        drawn, alt = previewed(task, meanwhile, task.chosen, look), "A stand-in meanwhile."
    in_parts(drawn, alt, search_said.so_far(found), job, "dpviz-search")


def _found(task: Search, job: Job) -> SearchNumbers:
    asked, rows = task.asked, job.rows()
    return search.answer(
        SearchQuestion(
            rows, asked.methods, task.percent, asked.probability, asked.budget.symbol, job.elapsed
        )
    )


def _numbers(task: Search, _: Values) -> SearchNumbers:
    assert task.own_job is not None
    return _found(task, task.own_job)


def _say(task: Search, found: SearchNumbers) -> Said:
    return replace(search_said.say(found, task.asked.names()), chips=task.asked.chips())


def _picture(found: SearchNumbers, look: Look) -> Picture:
    return search_picture(found, names.names([one.key for one in found.tried]), look)


def _behind(shown: Shown[Search, SearchNumbers]) -> None:
    assert shown.asked.own_job is not None
    take_away(shown.asked.study.place, shown.asked.own_job)


BEFORE: View[Search, Previewed] = View(
    "before", "", _before, say=_say_before, draw=previewed, hero="search", file="dpviz-search",
    kept="run", ends=False, saved=False, buttons=live.buttons,
)  # fmt: skip
UNDER_WAY = live.under_way(_in_the_making, lambda _: "The search", "Each part is one method.")
VIEW: View[Search, SearchNumbers] = View(
    "search", "Exact search", _numbers, say=_say,
    draw=lambda _, found, __, look: _picture(found, look), hero="search", file="dpviz-search",
    kept="run", instead=_instead, badge=lambda task: task.is_real, behind=_behind, saved=False,
    buttons=live.buttons, spends=False,
)  # fmt: skip
