"""One release beside the truth: dots, sticks and true ticks on the CDF, errors enlarged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpviz.answers.quantiles import one as quantiles
from dpviz.answers.quantiles import one_said
from dpviz.answers.quantiles.one import OneNumbers
from dpviz.answers.quantiles.voice import Voice
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.cdf_rows import answers_picture, errors_picture
from dpviz.ui.bench.budget import beside
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import Packed, drawn, hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import release_view
from dpviz.ui.quantiles.releases import look_ahead
from dpviz.ui.quantiles.shown import Shown, scale_of, shown, true_curve, voice_of

ON_PHONE = 420  # px of the second picture of a phone


def picture_view(page: QuantilesPage) -> None:
    """The page as it opens; with the truth off what an outsider sees."""
    now, asked = page.now, page.question
    runs = page.runs if now.truth else 0
    one = shown(methods.method(), page.settings, asked, runs, may_be_about=True)
    if one is None:
        headline("Quantiles", "Nothing was published.", "Choose another method, or another budget.")
        return
    if not now.truth or asked.column.n == 0:
        release_view(page, one)
        return
    scale, answers = scale_of(one), one.answers(asked)
    voice = voice_of(scale)
    found = quantiles.answer(answers, asked.column)
    sentence = one_said.headline(found, voice)
    second = one_said.how_far(found, voice)(brief=now.presenting)
    if one.release.evenly:
        second = one_said.EVENLY
    headline("Quantiles", sentence, second)
    curve = true_curve(asked.column, scale.view)
    title = f"Share of the {voice.words.people.counted(asked.column.n)} {voice.words.up_to[0]}"
    alt = unmarked(f"{sentence} {second}")
    hero(
        picture_of(
            "answers", one, page, (scale, title),
            lambda: answers_picture(answers, curve, scale, title, now.look),
        ),
        "cdf", alt, slides="quantiles",
    )  # fmt: skip
    strip(now, _numbers(page, one, found, voice), page.settings.chips(one.mechanism.name))
    if now.look.phone:
        beside = picture_of(
            "errors", one, page, (scale,), lambda: errors_picture(answers, scale, now.look)
        )
        drawn(beside, "errors", f"Errors enlarged. {alt}", height=ON_PHONE)
    below(page, [one], "cdf", sentence)
    next_stops(page, one)


def next_stops(page: QuantilesPage, one: Shown) -> None:
    """Ask for what lies on both sides of the slider's stop."""
    now, asked = page.now, page.question
    found = []
    for size in beside(now.budget.size):
        question = replace(asked, budget=now.budget.resized(size))
        found.append((page.settings.build(one.mechanism.name, question.budget), question))
    look_ahead(found, page.runs)


def picture_of(
    name: str, one: Shown, page: QuantilesPage, others: tuple[object, ...],
    draw: Callable[[], Picture],
) -> Packed:  # fmt: skip
    """A picture of one release and its further draws, drawn once; others is what else it shows."""
    runs = 0 if one.draws is None else len(one.draws)
    seen = one.is_final, runs, one.between is None, others, page.now.look.key
    key = (*page.question.key(name, one.mechanism), *seen)
    return memory.public(page.question.column, key, lambda: Packed.of(draw()))


def _numbers(
    page: QuantilesPage, one: Shown, found: OneNumbers, voice: Voice
) -> list[tuple[str, str]]:
    """This draw, the others, the distance in people, and what it cost."""
    asked = page.question
    half = one.half_widths(session.size(), asked)
    give_or_take = None
    if half is not None:  # at a stop the same as an outsider is told
        give_or_take = float(half[asked.quantiles.asked.tolist().index(found.middle.quantile)])
    about, brief = one.between is not None, page.now.look.phone
    return one_said.strip(found, voice, give_or_take, str(asked.spent), about=about, brief=brief)
