"""The view that the page opens with: the smallest ε for a wanted accuracy, stored or run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

from dpviz.answers.markup import plain
from dpviz.answers.said import Line, Said
from dpviz.answers.studies import needed, needed_said
from dpviz.answers.studies.names import StudyNames, method, often_text
from dpviz.answers.studies.names import asked as named
from dpviz.answers.studies.needed import MethodNeed, NeedNumbers, NeedQuestion
from dpviz.core.budgets import PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import QUESTIONS, Curve
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.own_curves import sizes_for
from dpviz.experiments.planning.stand_ins import MOST_PEOPLE
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.answer import answer_picture
from dpviz.figures.studies.answered import Answer
from dpviz.figures.studies.answered import Line as Drawn
from dpviz.ui.bench import running
from dpviz.ui.bench.hero import hero
from dpviz.ui.kit.job_panel import Study, controls, estimate, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Group, Shown, View
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live
from dpviz.ui.what_if.asked import Asked, Task

LEAVING = "w_leaving"  # in the visit: the link that the next run of the page is to follow
EACH_METHOD = "Each part is one method at one budget; large budgets and quick methods come first."
PREVIEW = "normal 15000"  # shown in grey words while nothing is computed for one's own settings
Previewed = tuple[NeedNumbers | None, StudyNames]


@dataclass(frozen=True, eq=False)
class Curves(Task):
    """Success against the budget, stored or reckoned from what is stored, or run."""

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


def before_or_under_way(task: Curves, _: Visit, __: Values) -> View[Curves, Previewed] | None:
    """What stands in the view's place until its curves are complete.

    Raises: DpvizError for work that cannot be planned.
    """
    if task.runs:
        task.study.experiment()
    if task.curves is not None:
        return None
    return BEFORE if task.own_job is None else UNDER_WAY


def run_buttons(task: Curves) -> None:
    """The buttons of a run, where one tells more and is not there yet."""
    if task.runs and not (task.own_job is not None and task.own_job.complete):
        controls(task.study, short=True)


def behind(shown: Shown[Curves, Any]) -> None:
    """Results of a run to take away."""
    if shown.asked.runs and shown.asked.own_job is not None:
        take_away(shown.asked.study.place, shown.asked.own_job)


def _numbers(task: Curves, values: Values) -> NeedNumbers:
    assert task.curves is not None
    basis = task.asked.basis
    question = task.asked.need(
        task.curves,
        task.percent,
        suspicion=values["w_suspicion"],
        column=basis.values() if basis.is_declared else None,
        is_about=task.is_about,
        by_formula=True,
    )
    return needed.answer(question)


def _say(task: Curves, found: NeedNumbers) -> Said:
    names, presents = task.asked.names(), task.now.presenting
    said = needed_said.say(found, names)
    second = Line(needed_said.odds(found, names)) if presents else said.second
    chips = task.asked.chips()
    return replace(said, headline=Line(said.headline(brief=presents)), second=second, chips=chips)


def _draw(task: Curves, found: NeedNumbers, values: Values, look: Look) -> Picture:
    return picture(found, task.asked.names(), look, compared=values["w_compare"])


def picture(
    found: NeedNumbers,
    names: StudyNames,
    look: Look,
    *,
    compared: bool = True,
    whole: tuple[float, float] | None = None,
) -> Picture:
    """The curve of the best method, or those of all of them; whole are both ends of a run."""
    shown = found.methods if compared else found.methods[:1]
    drawn = Answer(
        lines(shown, found.symbol, "still open" if whole else "not reached"),
        found.target,
        needed_said.measured(found, names, brief=look.phone),
        needed_said.wanted(found, brief=look.phone),
        often_text(found.probability),
        found.symbol,
        compared,
        whole,
    )
    return answer_picture(drawn, look)


def lines(
    methods: Sequence[MethodNeed], symbol: str, without: str = "not reached"
) -> tuple[Drawn, ...]:
    """What pictures draw of methods; without is said of those that have no answer."""
    return tuple(
        Drawn(
            one.key,
            method(one.key).name,
            one.budgets,
            one.low,
            one.middle,
            one.high,
            one.needed,
            needed_said.label(one, symbol, without),
        )
        for one in methods
    )


def preview(asked: Asked, percent: float, curves: Mapping[str, Curve] | None = None) -> Previewed:
    """The usual settings, while nothing is computed for one's own; on a stand-in without curves.

    None where none of the methods is stored.
    """
    question = asked.question if asked.question in QUESTIONS else "deciles"
    known = curves or stored.curves(PREVIEW, question)
    quantiles = QuantileSet.of(QUESTIONS[question])
    names = StudyNames(named(question, quantiles), asked.basis.title)
    if curves:
        names = replace(names, people=asked.basis.words.people)
    if not any(one in known for one in asked.methods):
        return None, names
    usual = NeedQuestion(
        known, asked.methods, percent, quantiles, PureDP(1.0), Neighbours.ADD_REMOVE, FINE
    )
    return needed.answer(usual), names


def previewed(_: Task, found: Previewed, __: Values, look: Look) -> Picture | None:
    """The picture of the usual settings, if there is one."""
    numbers, names = found
    return None if numbers is None else picture(numbers, names, look)


def _say_before(task: Curves, _: Previewed) -> Said:
    """Nothing is computed yet: what it would take, over a picture of the usual settings."""
    takes = estimate(task.study)
    first = f"Not computed beforehand: {plain(task.asked.words())} with settings of your own."
    second = (
        f"Run it once, {plain(takes)}; then the target only moves the answer. Meanwhile the picture "
        f"shows the usual settings on a stand-in of {FINE:,} people."
    )
    alt = "The usual settings on a stand-in, while nothing is computed."
    return Said(Line(first), Line(second), [], alt)


def _watch(task: Curves) -> None:
    job = task.own_job
    assert job is not None
    running.watched(job, "What if", "Your settings", EACH_METHOD, lambda: _in_the_making(task, job))


def _in_the_making(task: Curves, job: Job) -> None:
    asked = task.asked
    curves = live.curves(job) or live.nothing_yet(asked)
    found = needed.answer(asked.need(curves, task.percent, is_under_way=True))
    sizes = sizes_for(asked.budget, asked.basis.n)
    whole = float(sizes[0]), float(sizes[-1])
    drawn = picture(found, asked.names(), task.now.look, whole=whole)
    in_parts(drawn, "The curves so far.", needed_said.so_far(found), job, "dpviz-decide")


def in_parts(drawn: Picture | None, alt: str, so_far: str, job: Job, file: str) -> None:
    """The picture of a run under way, and beside it what is known and what is to come."""
    left, right = st.columns((7, 3), gap="large")
    with left:
        if drawn is not None:
            hero(drawn, "running", alt=alt, slides=file)
    with right:
        running.beside(running.notes(so_far, live.to_come(job)))


def _cards(shown: Shown[Curves, NeedNumbers]) -> None:
    """Half, the answer, twice; the answer can be taken along to the workbenches."""
    asked, found = shown.asked.asked, shown.numbers
    told = needed_said.cards(found, asked.names()) if asked.basis.is_declared else []
    if not told or shown.now.presenting:
        return
    with st.container(key="cards"):
        for at, (place, (head, text)) in enumerate(zip(st.columns(3), told, strict=True)):
            with place.container(border=True, key=f"card_{at}", height="stretch"):
                colour = ":blue" if at == 1 else ":gray"
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(f"{colour}[**{plain(head)}**]")
                    st.space("stretch")
                    if at == 1:
                        _use_button(asked, found)
                st.markdown(text)


def _use_button(asked: Asked, found: NeedNumbers) -> None:
    """Let an answer be the visit's budget, and go where it is spent: method and quantiles come along."""

    def taken() -> None:
        state.put("rho" if asked.budget.symbol == "ρ" else "eps", found.size)
        state.put(LEAVING, asked.link(found.best.key))

    st.button(
        "Use it",
        key="use_answer",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=taken,
        help=f"Opens Quantiles with this {asked.budget.symbol}, these quantiles and this method.",
    )


def _buttons(task: Curves, group: Group) -> None:
    run_buttons(task)
    if task.curves is not None:
        group("w_compare")


def _is_real(task: Task) -> bool:
    return task.is_real


BEFORE: View[Curves, Previewed] = View(
    "before", "", lambda task, _: preview(task.asked, task.percent), say=_say_before,
    draw=previewed, hero="waiting", file="dpviz-decide", kept="run", ends=False, saved=False,
    buttons=lambda task, _: run_buttons(task),
)  # fmt: skip
UNDER_WAY: View[Curves, Previewed] = View(
    "running", "", show=_watch, buttons=lambda task, _: run_buttons(task)
)
VIEW: View[Curves, NeedNumbers] = View(
    "answer", "Smallest ε", _numbers, say=_say, draw=_draw, hero="answer", file="dpviz-decide",
    kept="run", instead=before_or_under_way, between=_cards, badge=_is_real, behind=behind,
    buttons=_buttons,
)  # fmt: skip
