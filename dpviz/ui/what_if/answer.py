"""The view that the page opens with: the smallest ε for a wanted accuracy, stored or run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.markup import plain
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
from dpviz.figures.studies.answer import answer_picture
from dpviz.figures.studies.answered import Answer, Line
from dpviz.ui.bench import running
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import choices, frame, memory
from dpviz.ui.kit.job_panel import Study, controls, estimate, job_of, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import attempt
from dpviz.ui.links import arriving, readable
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import live
from dpviz.ui.what_if.asked import Asked, chips, expert, explore, label, method_choice, unsettled
from dpviz.ui.what_if.basis import stands_in

TARGETS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
LEAST, MOST = 0.001, 50.0
LEAVING, LEAVING_BY = "_leaving_with_answer", "_leaving_by"
EACH_METHOD = "Each part is one method at one budget; large budgets and quick methods come first."
SUSPECTED = "Suspected beforehand"
SUSPICIONS = (1, 2, 5, 10, 20, 50)
PREVIEW = "normal 15000"  # shown in grey words while nothing is computed for one's own settings


@dataclass(frozen=True, slots=True)
class View:
    """What this view works with: settings, and places for buttons and for what is taken away."""

    now: Visit
    asked: Asked
    percent: float
    suspicion: float
    run: DeltaGenerator
    taken: DeltaGenerator


def answer_view(now: Visit) -> None:
    """Everything of the page in this view."""
    if st.session_state.pop(LEAVING, False):
        state.follow(st.session_state[LEAVING_BY])
        frame.go("quantiles")
    with dock(now, sliders=2) as d:
        percent = target_slider(d)
        beside = d.second_slot() if stands_in() else None
        suspicion = None if stands_in() else _suspicion(now, d.second_slot())
        run = d.buttons.container(horizontal=True, vertical_alignment="center", width="content")
        d.truth()
        asked, taken = settings(now, d, beside)
        if suspicion is None:
            suspicion = _suspicion(now, taken)
    if asked is None:
        unsettled()
        return
    complete(View(now, asked, percent, suspicion, run, taken), _shown)


def _suspicion(now: Visit, place: DeltaGenerator) -> float:
    short = now.presenting or now.look.screen != "wide"
    return choices.steps(
        SUSPECTED if short else "What an attacker suspects beforehand",
        SUSPICIONS,
        "w_suspicion",
        default=10,
        place=place,
        format_func=lambda one: f"{one} %",
    )


def target_slider(d: Dock) -> float:
    """The accuracy that is wanted, in per cent of the places; any that was typed is a stop, too."""
    memory.start_with("w_target", 1.0)
    own = st.session_state.setdefault("_own_targets", set())
    linked = list(arriving.linked("w_target"))
    if len(linked) == 1 and readable.number({}, _is_target)(linked):
        own.add(float(linked[0]))
    return float(
        choices.steps(
            "Off by at most, % of the places",
            sorted({*TARGETS, *own}),
            "w_target",
            place=d.sliders,
            format_func=lambda one: f"{one:g}",
        )
    )


def _is_target(percent: float) -> bool:
    return LEAST <= percent <= MOST


def exact_target() -> None:
    """Any other target, typed."""

    def typed() -> None:
        found = st.session_state["w_target_exact"]
        if found is not None and _is_target(found):
            st.session_state["_own_targets"].add(float(found))
            st.session_state["w_target"] = float(found)

    st.session_state["w_target_exact"] = float(st.session_state["w_target"])
    st.number_input(
        "Target: at most, % of the places",
        LEAST,
        MOST,
        key="w_target_exact",
        on_change=typed,
        format="%.6g",
        step=None,
        help="1 % means that a private median lies between the 49 % and the 51 % quantile.",
    )


def settings(
    now: Visit, d: Dock, beside: DeltaGenerator | None
) -> tuple[Asked | None, DeltaGenerator]:
    """Explore and Expert; None where a choice cannot be used. The place takes what is taken away.

    beside takes the number of a stand-in's people.
    """
    with d.explore(label(now)):
        basis, question, quantiles = explore(now, beside)
        methods = method_choice(now.budget)
    with d.expert():
        exact_target()
        metric, probability, tree = expert(now, methods, chance=True)
        taken = st.container()
    if basis is None or quantiles is None or not methods:
        return None, taken
    asked = Asked(
        basis, question, quantiles, methods, now.budget, now.neighbours, metric, probability, tree
    )
    return asked, taken


def _shown(view: View, curves: Mapping[str, Curve], *, is_about: bool = False) -> None:
    """Curves that are complete: sentence, picture, cards, numbers."""
    now, asked, names = view.now, view.asked, view.asked.names()
    compared = choices.switch("Compare methods", "w_compare", place=view.run)
    column = asked.basis.values() if asked.basis.is_declared else None
    question = asked.need(
        curves,
        view.percent,
        suspicion=view.suspicion,
        column=column,
        is_about=is_about,
        by_formula=True,
    )
    numbers = needed.answer(question)
    said = needed_said.say(numbers, names)
    sentence = said.headline(brief=now.presenting)
    below = said.second(brief=now.look.phone)
    if now.presenting:
        below = needed_said.odds(numbers, names)
    headline("What if", sentence, below)
    picture(now, numbers, names, said.alt, compared=compared)
    if asked.basis.is_declared:
        _cards(now, numbers, asked)
    strip(now, said.strip, chips=chips(asked), badge=not asked.basis.is_stand_in, ledger=True)
    with view.taken:
        slides(now, "answer", sentence, "dpviz-decide")


def picture(
    now: Visit,
    found: NeedNumbers,
    names: StudyNames,
    alt: str,
    *,
    compared: bool,
    key: str = "answer",
    whole: tuple[float, float] | None = None,
) -> None:
    """The curve of the best method, or those of all of them; the key answer leaves room for cards."""
    shown = found.methods if compared else found.methods[:1]
    brief = now.look.phone
    drawn = Answer(
        lines(shown, found.symbol, "still open" if whole else "not reached"),
        found.target,
        needed_said.measured(found, names, brief=brief),
        needed_said.wanted(found, brief=brief),
        often_text(found.probability),
        found.symbol,
        compared,
        whole,
    )
    hero(answer_picture(drawn, now.look), key, alt=alt, slides="dpviz-decide")


def lines(
    methods: Sequence[MethodNeed], symbol: str, without: str = "not reached"
) -> tuple[Line, ...]:
    """What pictures draw of methods; without is said of those that have no answer."""
    return tuple(
        Line(
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


def preview(
    asked: Asked, percent: float, curves: Mapping[str, Curve] | None = None
) -> tuple[NeedNumbers | None, StudyNames]:
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


def _cards(now: Visit, found: NeedNumbers, asked: Asked) -> None:
    """Half, the answer, twice; the answer can be taken along to the workbenches."""
    told = needed_said.cards(found, asked.names())
    if not told or now.presenting:
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


class Shows(Protocol):
    """What draws a view of complete curves."""

    def __call__(self, view: View, curves: Mapping[str, Curve], *, is_about: bool = False) -> None:
        """is_about says that they were reckoned from others."""


def complete(view: View, shown: Shows) -> None:
    """The curves that are stored, or reckoned from those until they are run, or run; then shown."""
    asked = view.asked
    usual = asked.usual()
    known = any(one in usual for one in asked.methods)
    if known and asked.basis.n > MOST_PEOPLE:  # no stand-in has so many: nothing to be run
        shown(view, usual, is_about=True)
    elif known and not (asked.basis.is_between and asked.basis.is_declared):
        shown(view, usual)
    else:
        own(view, shown, usual if known else {})


def own(view: View, shown: Shows, meanwhile: Mapping[str, Curve]) -> None:
    """Settings that nothing is stored for: a run, its parts, what they say so far; then shown.

    meanwhile are curves that say about the same, if there are any.
    """
    study = attempt(lambda: live.curves_study(view.asked))
    if study is None or attempt(study.experiment) is None:
        unsettled()
        return
    job = job_of(study)
    if job is not None and job.key == study.key and job.complete:
        shown(view, live.curves(job))
        with view.taken:
            take_away(study.place, job)
        return
    with view.run:
        controls(study, short=True)
    if job is None or job.key != study.key:
        if meanwhile:
            shown(view, meanwhile, is_about=True)
        else:
            _before(view, study)
    else:
        running.watched(
            job, "What if", "Your settings", EACH_METHOD, lambda: _in_the_making(view, job)
        )


def _before(view: View, study: Study) -> None:
    """Nothing is computed yet: what it would take, over a picture of the usual settings."""
    asked = view.asked
    takes = estimate(study)
    headline(
        "What if",
        f"Not computed beforehand: {plain(asked.words())} with settings of your own.",
        f"Run it once, {plain(takes)}; then the target only moves the answer. Meanwhile the picture "
        f"shows the usual settings on a stand-in of {FINE:,} people.",
    )
    found, names = preview(asked, view.percent)
    if found is not None:
        said = "The usual settings on a stand-in, while nothing is computed."
        picture(view.now, found, names, said, compared=True, key="waiting")


def _in_the_making(view: View, job: Job) -> None:
    now, asked, names = view.now, view.asked, view.asked.names()
    curves = live.curves(job) or live.nothing_yet(asked)
    found = needed.answer(asked.need(curves, view.percent, is_under_way=True))
    left, right = st.columns((7, 3), gap="large")
    with left:
        sizes = sizes_for(asked.budget, asked.basis.n)
        whole = float(sizes[0]), float(sizes[-1])
        said = "The curves so far."
        picture(now, found, names, said, compared=True, key="running", whole=whole)
    with right:
        running.beside(running.notes(needed_said.so_far(found), live.to_come(job)))


def _use_button(asked: Asked, found: NeedNumbers) -> None:
    """Let an answer be the visit's budget, and go where it is spent: method and quantiles come along."""

    def taken() -> None:
        state.put("rho" if asked.budget.symbol == "ρ" else "eps", found.size)
        st.session_state[LEAVING] = True
        st.session_state[LEAVING_BY] = asked.link(found.best.key)

    st.button(
        "Use it",
        key="use_answer",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=taken,
        help=f"Opens Quantiles with this {asked.budget.symbol}, these quantiles and this method.",
    )
