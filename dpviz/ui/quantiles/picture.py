"""One release beside the truth: dots, sticks and true ticks on the CDF, errors enlarged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.answers import Answers
from dpviz.figures.quantiles.cdf_rows import answers_picture, errors_picture
from dpviz.metrics.quantiles import gaps
from dpviz.ui.bench.budget import beside
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import Packed, drawn, hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.quantiles import methods, sentences
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import release_view
from dpviz.ui.quantiles.releases import look_ahead
from dpviz.ui.quantiles.sentences import Voice
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
    sentence = sentences.found(answers, voice)
    second = sentences.how_far(answers, voice, short=now.presenting)
    if one.release.evenly:
        second = sentences.EVENLY
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
    strip(now, _numbers(page, one, answers, voice), page.settings.chips(one.mechanism.name))
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
    page: QuantilesPage, one: Shown, answers: Answers, voice: Voice
) -> list[tuple[str, str]]:
    """This draw, the others, the distance in people, and what it cost."""
    asked = page.question
    missed = gaps(asked.column, asked.quantiles, one.release.values).mean()
    found = [("this draw misses on average by", voice.off(float(np.abs(answers.errors).mean())))]
    half, about = one.half_widths(session.size(), asked), "about " if one.between else ""
    if half is not None:  # at a stop the same as an outsider is told
        at = int(np.flatnonzero(asked.quantiles.asked == answers.quantiles[answers.middle])[0])
        name = sentences.row_name(float(answers.quantiles[answers.middle]))
        label = "give or take" if page.now.look.phone else f"{name}, give or take"
        found.append((label, about + voice.words.unit.after(voice.value(float(half[at])))))
    elif answers.draws is not None:
        nearly = float(np.quantile(np.abs(answers.other_errors), 0.95))
        found.append(("19 of 20 other draws within", about + voice.off(nearly)))
    many = session.words().people.many
    found.append((f"in {many}", f"{missed:,.0f} of {asked.column.n:,}"))
    return [*found, ("spent", str(asked.spent))]
