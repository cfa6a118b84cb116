"""One release beside the truth: dots, sticks and true ticks on the CDF, errors enlarged."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dpviz.answers.quantiles import one as quantiles
from dpviz.answers.quantiles import one_said
from dpviz.answers.quantiles.one import OneNumbers
from dpviz.answers.said import Line, Said, unmarked
from dpviz.core.errors import DpvizError
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.panels import sheets
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.cdf_rows import PARTS, answers_picture, errors_picture
from dpviz.ui.bench.budget import beside
from dpviz.ui.bench.hero import Packed, drawn
from dpviz.ui.kit import memory, session
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.model.render import View, standing
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import ALONE
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import is_quick, look_ahead
from dpviz.ui.quantiles.shown import Shown, scale_of, true_curve, voice_of
from dpviz.ui.visit.page import Visit

HERO = "cdf"
ON_PHONE = 420  # px of the second picture of a phone


def nothing(what: str) -> View[QuantilesPage, None]:
    """A sentence in a view's place: every method refused, and said why; what is to be chosen anew."""
    return standing("Nothing was published.", f"Choose {what}.")


def _instead(page: QuantilesPage, _: Visit, __: Values) -> View[QuantilesPage, Any] | None:
    if page.one is None:
        return nothing("another method, or another budget")
    return None if page.has_truth else ALONE


def _is_quick(page: QuantilesPage) -> bool:
    """Whether all that is drawn is there at once; what refuses says so later.

    How long it takes depends on the records, so nothing is asked where the truth is off.
    """
    if not page.has_truth:
        return False
    with suppress(DpvizError):
        mechanism = page.settings.build(page.method, page.question.budget)
        return is_quick(mechanism, page.question, page.runs)
    return False


def _one(page: QuantilesPage) -> Shown:
    assert page.one is not None
    return page.one


def _numbers(page: QuantilesPage, _: Values) -> OneNumbers:
    return quantiles.answer(_one(page).answers(page.question), page.question.column)


def _say(page: QuantilesPage, found: OneNumbers) -> Said:
    one, asked, now = _one(page), page.question, page.now
    voice = voice_of(scale_of(one))
    sentence = one_said.headline(found, voice)
    second = Line(one_said.how_far(found, voice)(brief=now.presenting))
    if one.release.evenly:
        second = Line(one_said.EVENLY)
    half = one.half_widths(session.size(), asked)
    give_or_take = None
    if half is not None:  # at a stop the same as an outsider is told
        give_or_take = float(half[asked.quantiles.asked.tolist().index(found.middle.quantile)])
    strip = one_said.strip(
        found, voice, give_or_take, str(asked.spent),
        about=one.between is not None, brief=now.look.phone,
    )  # fmt: skip
    alt = unmarked(f"{sentence} {second()}")
    return Said(Line(sentence), second, strip, alt, page.settings.chips(one.mechanism.name))


def _draw(page: QuantilesPage, _: OneNumbers, __: Values, look: Look) -> Packed:
    one, column = _one(page), page.question.column
    scale = scale_of(one)
    words = voice_of(scale).words
    title = f"Share of the {words.people.counted(column.n)} {words.up_to[0]}"
    answers, curve = one.answers(page.question), true_curve(column, scale.view)
    return _packed(
        "answers", page, (scale, title), lambda: answers_picture(answers, curve, scale, title, look)
    )


def _below(shown: OnScreen[QuantilesPage, OneNumbers]) -> None:
    """On a phone the errors enlarged, then the panels."""
    page, look = shown.asked, shown.now.look
    one = _one(page)
    if len(sheets(look, PARTS)) > 1:
        scale, answers = scale_of(one), one.answers(page.question)
        errors = _packed("errors", page, (scale,), lambda: errors_picture(answers, scale, look))
        drawn(errors, "errors", f"Errors enlarged. {shown.said.alt}", height=ON_PHONE)
    below(shown, [one], HERO)


def _next_stops(shown: OnScreen[QuantilesPage, OneNumbers]) -> None:
    """Ask for what lies on both sides of the slider's stop."""
    page, found = shown.asked, []
    for size in beside(page.now.budget.size):
        question = replace(page.question, budget=page.now.budget.resized(size))
        found.append((page.settings.build(page.method, question.budget), question))
    look_ahead(found, page.runs)


def _packed(
    name: str, page: QuantilesPage, others: tuple[object, ...], draw: Callable[[], Picture]
) -> Packed:
    """A picture of the release and its further draws, drawn once; others is what else it shows."""
    one = _one(page)
    runs = 0 if one.draws is None else len(one.draws)
    seen = runs, one.between is None, others, page.now.look.key
    key = (*page.question.key(name, one.mechanism), *seen)
    return memory.public(page.question.column, key, lambda: Packed.of(draw()))


VIEW: View[QuantilesPage, OneNumbers] = View(
    "picture", "One release", _numbers, say=_say, draw=_draw, hero=HERO, file="quantiles",
    instead=_instead, below=_below, after=_next_stops, saved=False, quick=_is_quick,
)  # fmt: skip
