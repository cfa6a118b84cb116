"""The exact search: the smallest budget of each method with an interval, and a fresh check."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.answers.said import Said
from dpviz.answers.studies import names, search, search_said
from dpviz.answers.studies.names import target_text
from dpviz.answers.studies.search import SearchNumbers, SearchQuestion
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.smallest_epsilon import most_tried, smallest_size
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.what_if.tried import search_picture
from dpviz.ui.bench import running
from dpviz.ui.decide.answer import axis
from dpviz.ui.decide.component.drawing import drawing, section
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.asked import RUNS, Task, buttons, in_parts, study, under_way


@dataclass(frozen=True, eq=False)
class Search(Task):
    """A bisection over budgets, method by method."""

    def plan(self) -> Study:
        """The search, a part for each method. Raises: DpvizError for a tree that cannot be."""
        asked, percent = self.asked, self.percent
        mechanisms, basis = asked.mechanisms(), asked.basis
        runs = RUNS[asked.probability]

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
        return study("smallest", key, asked, title, build, costs)


def _instead(task: Search, _: Visit, __: Values) -> View[Search, Any] | None:
    if task.own_job is None:
        return BEFORE
    return UNDER_WAY if running.is_shown(task.own_job) else None


def _say_before(task: Search, _: None) -> Said:
    asked = task.asked
    return search_said.before(asked.names(), task.percent, asked.probability, asked.budget.symbol)


def _frontier(shown: Shown[Search, None]) -> None:
    """Meanwhile the sentence's own frontier, which says about where the answers will be."""
    task = shown.asked
    assert task.decision is not None
    drawing("look_inside", section("rail", axis(task.decision, task.now, is_unfolded=True)))


def _in_the_making(task: Search, job: Job) -> None:
    found = _found(task, job)
    drawn = _picture(found, task.now.look) if found.tried else None
    in_parts(drawn, "The search so far.", search_said.so_far(found), job, "dpviz-search")


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


BEFORE: View[Search, None] = View(
    "before", "", lambda *_: None, say=_say_before, above=_frontier, kept="run", ends=False,
    saved=False, buttons=buttons,
)  # fmt: skip
UNDER_WAY = under_way(_in_the_making, lambda _: "The search", "Each part is one method.")
VIEW: View[Search, SearchNumbers] = View(
    "search", "Exact search", _numbers, say=_say,
    draw=lambda _, found, __, look: _picture(found, look), hero="search", file="dpviz-search",
    kept="run", instead=_instead, badge=lambda task: task.is_real, behind=_behind, saved=False,
    buttons=buttons, spends=False,
)  # fmt: skip
