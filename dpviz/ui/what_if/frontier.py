"""The frontier: which method is the cheapest at each need, as one picture, stored or run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from dpviz.answers.markup import plain
from dpviz.answers.said import Line, Said
from dpviz.answers.studies import frontier, frontier_said
from dpviz.answers.studies import names as studies
from dpviz.answers.studies.frontier import FrontierNumbers, FrontierQuestion
from dpviz.answers.studies.names import StudyNames
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import QUESTIONS, Curve
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.own_curves import sizes_for
from dpviz.experiments.planning.stand_ins import MOST_PEOPLE
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.what_if.frontier import Words, frontier_picture
from dpviz.ui.kit.job_panel import Study, controls, estimate, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Group, Shown, View
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live
from dpviz.ui.what_if.asked import Asked, Task
from dpviz.ui.what_if.live import PREVIEW, in_parts

EACH_METHOD = "Each part is one method at one budget; large budgets and quick methods come first."
Previewed = tuple[FrontierNumbers | None, StudyNames]


@dataclass(frozen=True, eq=False)
class Curves(Task):
    """Errors against the budget, stored or reckoned from what is stored, or run."""

    def plan(self) -> Study:
        """The curves of all methods."""
        return live.curves_study(self.asked)

    @cached_property
    def usual(self) -> Mapping[str, Curve]:
        """Stored curves of any of the methods."""
        usual = self.asked.usual()
        return usual if any(one in usual for one in self.asked.methods) else {}

    @property
    def runs(self) -> bool:
        """Whether a run tells more than what is stored. No stand-in has more than MOST_PEOPLE."""
        basis = self.asked.basis
        return (basis.is_between and basis.n <= MOST_PEOPLE) or not self.usual

    @cached_property
    def curves(self) -> Mapping[str, Curve] | None:
        """Complete curves; None while there are none."""
        if self.runs and self.own_job is not None:
            return live.curves(self.own_job) if self.own_job.complete else None
        return self.usual or None

    @property
    def is_about(self) -> bool:
        """Whether they were reckoned from those of others."""
        return self.curves is self.usual and (self.runs or self.asked.basis.n > MOST_PEOPLE)


def _instead(task: Curves, _: Visit, __: Values) -> View[Curves, Previewed] | None:
    """What stands in the view's place until its curves are complete.

    Raises: DpvizError for work that cannot be planned.
    """
    if task.runs:
        task.study.experiment()
    if task.curves is not None:
        return None
    return BEFORE if task.own_job is None else UNDER_WAY


def _buttons(task: Curves, _: Group) -> None:
    """The buttons of a run, where one tells more and is not there yet."""
    if task.runs and not (task.own_job is not None and task.own_job.complete):
        controls(task.study, short=True)


def _behind(shown: Shown[Curves, FrontierNumbers]) -> None:
    """Why the frontier is not convex; results of a run to take away."""
    st.caption(frontier_said.HULL)
    if shown.asked.runs and shown.asked.own_job is not None:
        take_away(shown.asked.study.place, shown.asked.own_job)


def _numbers(task: Curves, _: Values) -> FrontierNumbers:
    assert task.curves is not None
    said = task.said if task.asked.tree == studies.TREE else {}
    asked = task.asked.needs(task.curves, task.percent, said=said, is_about=task.is_about)
    known = tuple(one for one in asked.methods if one in said)
    return frontier.answer(replace(asked, methods=known or asked.methods))


def _say(task: Curves, found: FrontierNumbers) -> Said:
    return replace(frontier_said.say(found, task.asked.names()), chips=task.asked.chips())


def picture(
    found: FrontierNumbers,
    names: StudyNames,
    look: Look,
    whole: tuple[float, float] | None = None,
) -> Picture:
    """All methods, and who leads where; whole are both ends of a run in the making."""
    words = Words(
        studies.names([one.key for one in found.methods]),
        frontier_said.measured(found, names, brief=look.phone),
        frontier_said.wanted(found),
        studies.often_text(found.probability),
    )
    return frontier_picture(found, words, look, whole)


def preview(asked: Asked, percent: float, curves: Mapping[str, Curve] | None = None) -> Previewed:
    """The usual settings, while nothing is computed for one's own; on a stand-in without curves.

    None where none of the methods is stored.
    """
    question = asked.question if asked.question in QUESTIONS else "deciles"
    known = curves or stored.curves(PREVIEW, question)
    quantiles = QuantileSet.of(QUESTIONS[question])
    names = StudyNames(studies.asked(question, quantiles), asked.basis.title)
    if curves:
        names = replace(names, people=asked.basis.words.people)
    if not any(one in known for one in asked.methods):
        return None, names
    usual = FrontierQuestion(known, asked.methods, percent, PureDP(1.0).symbol)
    return frontier.answer(usual), names


def previewed(_: Task, found: Previewed, __: Values, look: Look) -> Picture | None:
    """The picture of the usual settings, if there is one."""
    numbers, names = found
    return None if numbers is None else picture(numbers, names, look)


def _say_before(task: Curves, _: Previewed) -> Said:
    """Nothing is computed yet: what it would take, over a picture of the usual settings."""
    takes = estimate(task.study)
    first = f"Not computed beforehand: {plain(task.asked.words())} with settings of your own."
    second = (
        f"Run it once, {plain(takes)}; then the need only moves along it. Meanwhile the picture "
        f"shows the usual settings on a stand-in of {FINE:,} people."
    )
    alt = "The usual settings on a stand-in, while nothing is computed."
    return Said(Line(first), Line(second), [], alt)


def _in_the_making(task: Curves, job: Job) -> None:
    asked = task.asked
    curves = live.curves(job) or live.nothing_yet(asked)
    found = frontier.answer(asked.needs(curves, task.percent, is_under_way=True))
    sizes = sizes_for(asked.budget, asked.basis.n)
    drawn = picture(found, asked.names(), task.now.look, (float(sizes[0]), float(sizes[-1])))
    in_parts(drawn, "The curves so far.", frontier_said.so_far(found), job, "dpviz-frontier")


BEFORE: View[Curves, Previewed] = View(
    "before", "", lambda task, _: preview(task.asked, task.percent), say=_say_before,
    draw=previewed, hero="waiting", file="dpviz-frontier", kept="run", ends=False, saved=False,
    buttons=_buttons,
)  # fmt: skip
UNDER_WAY = live.under_way(_in_the_making, lambda _: "Your settings", EACH_METHOD, _buttons)
VIEW: View[Curves, FrontierNumbers] = View(
    "frontier", "Frontier", _numbers, say=_say,
    draw=lambda task, found, _, look: picture(found, task.asked.names(), look), hero="frontier",
    file="dpviz-frontier", kept="run", instead=_instead, badge=lambda task: task.is_real,
    behind=_behind, buttons=_buttons, spends=False,
)  # fmt: skip
